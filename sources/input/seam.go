package input

import (
	"context"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
)

// Options are what a config says of the input of a source: a pointer to a struct
// whose tags are the keys of its kind.
type Options interface {
	// Known are the columns that are known without a file.
	Known() *column.Set
	// Open lists the files, and reads nothing of them.
	Open(ctx context.Context, env *Env) (Input, error)
}

// An Env is the machine and the limits that options are opened with.
type Env struct {
	Files   *files.System            // where files are; nil for the local file system
	Resolve func(path string) string // makes a path of the config one of the system
	Names   func(path string) ([]string, error)
	Limits  Limits
	Workers int
	Listed  *Listing // the files, where they were listed before; else nil
	Written []string // what the run writes and removes, links followed: no row may name a file there
	Side    bool     // for a side table, whose texts are taken as they are
}

// Limits bound what a row may claim.
type Limits struct {
	Record  int   // bytes of a row
	Columns int   // cells of a CSV row
	Depth   int   // nesting of a JSON value
	Pixels  int64 // of an image
}

// An Input is the opened input of one kind. Its methods may be called by several
// goroutines, but for ReadHeads, Find and Release.
type Input interface {
	Lister
	Finder
	Reader
}

// A Lister knows the files of an input.
type Lister interface {
	Listing() *Listing
	// Path is where a file stands.
	Path(file int) string
	// Address is what a file's addresses are made of. Its Source is not set.
	// The heads must have been read.
	Address(file int) order.File
	// Recheck finds files that changed, as far as reading rows does not.
	Recheck() error
	// Remarks are sentences about the listing and the heads; blank lines were
	// found while rows were.
	Remarks(blank int64) []string
}

// A Finder finds the rows of an input.
type Finder interface {
	// Footprint is what it takes to read rows where they stand.
	Footprint() Footprint
	// Find begins to find all rows where they stand, in steps of about so many
	// bytes.
	Find(step int) (Search, error)
	// Rows reads the rows of a file one after another, from the first.
	Rows(file int) (Rows, error)
	// RowSize is how many bytes a file has that is a row; 0 where rows have to
	// be measured, which Listing.Sized says of all.
	RowSize(file int) int64
	// Texts holds what rows begin with, by file, after Find: a row's text
	// runs from its position on. It is nil where rows have no text.
	Texts() [][]byte
	// Release gives back what Find took.
	Release()
}

// A Search is the finding of all rows of an input. Step is called for each step,
// and then Finish for each file, both in any order and by any goroutines.
type Search interface {
	Steps() int
	Step(i int)
	Finish(file int) Found
	// Chunks are the rows in source order, with neither split nor cuts.
	Chunks() []order.Chunk
}

// Found is how much was found.
type Found struct {
	Rows, Blank int
	Err         error // why a file whose rows count only together has none; else nil
}

// A Footprint is what reading rows where they stand takes.
type Footprint struct {
	Streamed bool  // it cannot be done: rows can only be read one after another
	Fetched  bool  // to map files is to read them, for they come from afar
	Maps     int   // mappings
	Bytes    int64 // of the mappings
	Text     int64 // about how long all rows are, read one after another
}

// A Reader reads rows.
type Reader interface {
	// ReadHeads learns the columns from the files.
	ReadHeads(ctx context.Context) error
	// Columns are the kind's own columns, after ReadHeads.
	Columns() *column.Set
	// Bind prepares scanners of columns of the kind's own.
	Bind(columns []Bound) (Layout, error)
}

// Bound is a column of the kind's own and its slot in a row.
type Bound struct {
	Name string
	Slot int
}

// A Layout makes a scanner of columns that were bound, for one goroutine. It adds
// what it remarks to facts; with namesOnly it does not read files whose names are
// enough.
type Layout func(facts *Facts, namesOnly bool) Scanner

// A Scanner reads one row at a time.
type Scanner interface {
	// Scan reads the row at offset of file, which data begins with and runs on
	// from; data is nil where rows have no text. It sets the slots of the bound
	// columns, whose values hold until the next Scan, and returns how many bytes
	// of data the row took. A *schema.RowError spoils this row only, an *Error is
	// the input's.
	Scan(file int, offset int64, data []byte, vals []schema.Value) (n int, err error)
	Close()
}

// A ReadAhead asks for files that are rows before they are read. They are added in the order
// in which they will be read. It belongs to one goroutine.
type ReadAhead interface {
	// Helps reports whether read-ahead helps now. files is the number of files read since
	// the last call, or, in the first call, the number that will be added.
	Helps(files int) bool
	Add(file int)
	// Start asks for the files that were added.
	Start()
}

// A MemoryPrefetcher is a Scanner of rows without text, which are at random places in
// memory. PrefetchMemory prefetches a row into the processor's cache, and does not wait.
type MemoryPrefetcher interface {
	PrefetchMemory(file int, offset int64)
}
