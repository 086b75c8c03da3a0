package input

import (
	"context"

	"tfr-build/internal/order"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
)

// Options are the options of a source type in a config: a pointer to a struct whose tags are the
// keys of the source type. They may also have these methods:
//
//	FilePatterns() []string      the patterns of the files
//	Directory() string           the directory of the files
//	EmptyAllowed() bool          an input without rows is not an error
//	ClassFile() string           a file with the names of classes
//	Trims() bool                 spaces around values are removed
//	Conversions() []images.Conversion   how images are converted
//	Check(…)                     more checks of the config
type Options interface {
	// Known returns the columns that are known without reading a file.
	Known() *column.Set
	// Open lists the files. It does not read them.
	Open(ctx context.Context, env *Env) (Input, error)
}

// An Env is the environment in which options are opened.
type Env struct {
	Files   *files.System            // nil: the local file system
	Resolve func(path string) string // makes a path of the config an absolute one
	Names   func(path string) ([]string, error)
	Limits  Limits
	Stopped func() error // returns why the run stops, or nil while it does not; nil if it never does
	Workers int
	Listed  *Listing // an earlier listing of the files, or nil
	// files and directories that the run writes and removes, without links: no row may name a file in them
	Written []string
	Side    bool // for a lookup table: its rows have no IDs, and its strings are not checked
	Skips   bool // invalid rows are skipped; an invalid row of a lookup table makes the rows that match it invalid
}

// Limits are the largest sizes of a row.
type Limits struct {
	Record  int   // bytes of a row
	Columns int   // cells of a CSV row
	Depth   int   // nesting of a JSON value
	Pixels  int64 // of an image
}

// An Input is the opened input of a source type. Its methods may be called by several goroutines,
// except ReadHeads, Find, and Release.
type Input interface {
	Lister
	Finder
	Reader
}

// A Lister has the files of an input.
type Lister interface {
	// Listing returns the list of the files.
	Listing() *Listing
	// Path returns the path of a file.
	Path(file int) string
	// Address returns the file's part of row IDs. Its Source is not set. ReadHeads must have been
	// called.
	Address(file int) order.File
	// Recheck returns an error if a file changed, unless reading its rows checks that.
	Recheck() error
	// Remarks returns sentences about the listing and the headers. blank is the number of blank
	// lines among the rows.
	Remarks(blank int64) []Warning
}

// A Finder finds the rows of an input.
type Finder interface {
	// Footprint returns what it takes to read rows at their offsets.
	Footprint() Footprint
	// Find begins to find the offsets of all rows, in steps of about so many bytes.
	Find(step int) (Search, error)
	// Rows returns the rows of a file, from the first on.
	Rows(file int) (Rows, error)
	// Release releases the memory of Find.
	Release()
}

// A Texter is a Finder of rows that may have text.
type Texter interface {
	// Contents returns the bytes of each file, after Find: a row's text begins at its position. They
	// are nil if rows have no text.
	Contents() [][]byte
}

// A Search finds all rows of an input. Step is called for each step, and then Finish for each
// file, both in any order and by any goroutines.
type Search interface {
	// Steps returns the number of steps.
	Steps() int
	// Step executes step i.
	Step(i int)
	// Finish returns the result for a file.
	Finish(file int) Found
	// Chunks returns the rows in source order. Split and Cuts of the chunks are not set.
	Chunks() []order.Chunk
}

// A Ready is the part of a Search that has no steps: all rows are known before.
type Ready struct{}

// Steps returns 0.
func (Ready) Steps() int { return 0 }

// Step is not called.
func (Ready) Step(int) {}

// A Found is the number of rows and blank lines of a file.
type Found struct {
	Rows, Blank int
	Err         error // why a file has no rows, if an error in it makes all of them unusable; else nil
}

// numberedRows is the largest number of rows of a chunk whose rows are numbers.
const numberedRows = 1 << 16

// AppendNumbered appends the chunks of n rows with the offsets from chunk.Offset on. If rows are files, their numbers
// begin with chunk.File.
func AppendNumbered(list []order.Chunk, chunk order.Chunk, n int64) []order.Chunk {
	for from := int64(0); from < n; from += numberedRows {
		part := chunk
		if part.Starts = make([]uint32, min(numberedRows, n-from)); chunk.Files {
			part.File += int(from)
		} else {
			part.Offset += from
		}
		for i := range part.Starts {
			part.Starts[i] = uint32(i)
		}
		list = append(list, part)
	}
	return list
}

// A Footprint is what it takes to read rows at their offsets.
type Footprint struct {
	Streamed bool  // it is not possible: rows can only be read in their order
	Fetched  bool  // mapping files reads them, because they are remote
	Maps     int   // number of mappings
	Bytes    int64 // of the mappings
	Text     int64 // approximate length of all rows, read in their order
}

// A Reader reads rows.
type Reader interface {
	// ReadHeads reads the columns from the headers of the files. It is called once.
	ReadHeads(ctx context.Context) error
	// Columns returns the columns of the source type, after ReadHeads.
	Columns() *column.Set
	// Bind prepares scanners of columns of the source type.
	Bind(columns []Bound) (Layout, error)
}

// A Bound is a column of the source type and its slot in a row.
type Bound struct {
	Name string
	Slot int
}

// TransformOnly is the Slot of an image whose bytes may not be needed, but to which coordinates are moved.
const TransformOnly = -1

// CutTransforms returns the columns that have slots, and the images whose Slot is TransformOnly.
func CutTransforms(columns []Bound) (rest []Bound, images []string) {
	for _, c := range columns {
		if c.Slot == TransformOnly {
			images = append(images, c.Name)
		} else {
			rest = append(rest, c)
		}
	}
	return rest, images
}

// A Layout returns a scanner of the bound columns, for one goroutine. The scanner adds warnings
// and image metadata to observed. With namesOnly it does not read files if their names are enough.
type Layout func(observed *Observations, namesOnly bool) Scanner

// A Scanner reads one row at a time. One that holds files open has a method Close.
type Scanner interface {
	// Scan reads the row at offset of file. data begins with the row and continues after it; it
	// is nil if rows have no text. Scan sets the slots of the bound columns; the values are valid
	// until the next Scan. It returns how many bytes of data the row took. A *schema.RowError
	// makes only this row invalid; an *Error concerns the input.
	Scan(file int, offset int64, data []byte, vals []schema.Value) (n int, err error)
}

// A Converter is a Scanner of images that may be converted.
type Converter interface {
	// KeepFiles makes it return images as their files have them. An image is not checked if only
	// its bytes are requested.
	KeepFiles()
}

// A ReadAhead requests files that are rows before they are read. The caller adds them in the
// order in which it will read them. A ReadAhead may be used by one goroutine.
type ReadAhead interface {
	// Helps reports whether read-ahead helps now. Pass the number of files read since the last
	// call. In the first call, pass the number of files that will be added.
	Helps(files int) bool
	// Add adds a file to the next batch.
	Add(file int)
	// Start requests the files that were added.
	Start()
}

// A FirstReader reads the first bytes of files that are rows. It may be used by one goroutine.
type FirstReader interface {
	// ReadFirst returns the first n bytes of a file, or the file if it is shorter. They are valid
	// until the next file. ok is false if it cannot read them; reading the row returns the reason.
	ReadFirst(file int, n int64) (data []byte, ok bool)
	Close()
}

// A MemoryPrefetcher is a Scanner of rows without text that are at random positions in memory.
type MemoryPrefetcher interface {
	// PrefetchMemory loads a row into the processor's cache. It does not wait.
	PrefetchMemory(file int, offset int64)
}
