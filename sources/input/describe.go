package input

import (
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
)

// A Description is what a source type says about itself and about files, so that `init` can write a
// config for them. Functions may be nil, and fields may be empty, unless their comments say
// otherwise.
type Description struct {
	Reads string  // what the type reads, in messages, such as "CSV"; required
	Noun  string  // a file of the type, in messages, such as "table"
	Rows  RowForm // what rows consist of

	// Recognize returns how certainly a file is of this type. It is nil for types that read
	// directories of any files.
	Recognize func(h *FileHead) Match
	// Divide returns the indices of the files of each source, or of several with a split each. It may change the
	// details of the matches. If it is nil, one source reads all files.
	Divide func(all []Match) [][]int
	// Choose returns the options for the files of a source.
	Choose func(ctx context.Context, g *FileGroup) (*Choice, error)
	// Revise returns an option that rows show to be necessary, or nil. It is called again after the
	// rows were read with the option.
	Revise func(r *Reading) *Revision

	Directory bool // the type reads directories, and each file is a row
	Images    bool // each row is an image
	// with Objects: a value that is not a list in a row may be one in others, and a list that is missing is empty
	Repeated   bool
	Extensions []string // of files that are of this type

	MoreExtensions []string // of such files that are read only if the option extensions has them
	AnyLine        bool     // rows can be read from the beginning of any line
	NullWords      bool     // the option null_values lists words that mean missing
	ImageDepth     int      // how many directories up init looks for images that rows name; 0 for nowhere
	Record         string   // with Lists: the column of the complete row
	Tried          string   // the variants that Recognize tries, in messages

	// Contents describes the columns of rows that are Contents.
	Contents func(names []string) []Content
	// Object returns a row as an object of JSON. It is required for Objects.
	Object func(o Options, row []byte) []byte
	// Parts returns the arrays in a file, and comments. Files of arrays have it.
	Parts func(ctx context.Context, sys *files.System, path string, m Match) (parts []Part, notes []string, err error)
	// ClassNames returns the class names that a file of size bytes has, by column.
	ClassNames func(f io.ReaderAt, size int64) (map[string][]string, error)
	// ImageColumn returns the column of images that the options name.
	ImageColumn func(o Options) string
}

// A RowForm is what the rows of a source type consist of.
type RowForm uint8

// The forms of rows.
const (
	Cells    RowForm = iota // columns of strings without a type
	Objects                 // objects of JSON
	Lists                   // lists of values with a type, which only rows have
	Contents                // contents of files, which only rows have
	Typed                   // columns whose types are in the headers
	FileRows                // files: each row is one
)

// A FileHead is the beginning of a file.
type FileHead struct {
	Name     string // path in lower case
	Bytes    []byte // decompressed
	Stored   []byte // as the file has them
	Complete bool   // Bytes is the complete file
	Ext      string // extension in lower case, without the one of compression
	Several  bool   // the directory has other files that may be rows
}

// A Match is what a source type finds in a FileHead.
type Match struct {
	Certainty Certainty
	Variant   string   // format of the file; the files of a config must have the same
	Problem   string   // what the file is instead: the type knows it and cannot read it
	Detail    any      // for Choose
	Notes     []string // comments for the config
}

// A Certainty orders the source types that may read a file.
type Certainty uint8

// The certainties, in order. Of two equal ones, the first source type counts.
const (
	NotRead  Certainty = iota
	Possible           // it is text
	Likely             // its first rows have the form of the type
	Named              // it is text, and its extension belongs to the type
	Written            // it is text in the syntax of the type
	Foreign            // it is not text with rows; the match has a Problem
	Begins             // it begins with the bytes of the type
	Proven             // it has the structure of the type
)

// If returns the match of a file that has the certainty if a condition holds.
func (c Certainty) If(holds bool) (m Match) {
	if holds {
		m.Certainty = c
	}
	return m
}

// A FileGroup is the files of a source.
type FileGroup struct {
	System  *files.System
	Paths   []string
	Matches []Match // of Paths
}

// A Choice is the options of a source.
type Choice struct {
	Type    string // another source type that reads the files; empty for this one
	Options []Option
	Note    string              // comment on the files; may be empty
	Arrays  map[string][]Option // by names, the options for arrays of rows, one of which Options chooses
	Joins   []TableJoin
	COCO    *COCO // nil for other layouts
}

// An Option is an option of a source type in a config, with the reason for it.
type Option struct {
	Name  string
	Value any    // string, bool, int, or []string
	Note  string // the reason; may be empty
}

// A TableJoin joins a lookup table of the same files to the rows of a source.
type TableJoin struct {
	Options []Option // of the lookup table
	Note    string
	Ours    string // column of the source
	Theirs  string // column of the lookup table
	Many    bool
	Prefix  string
}

// A COCO is a document in COCO's layout, whose rows are images. The objects in them are joined with
// the prefix "objects.", their categories with the prefix "category.".
type COCO struct {
	Objects    []Option // options that make the objects the rows
	Categories []Option // options that make their categories the rows; nil if these have no names
}

// A Reading is what rows show that were read.
type Reading struct {
	Rows    int
	Invalid int
	Blank   int              // empty lines
	Marked  int              // invalid rows that begin with #
	Hashes  int              // valid rows that begin with #
	Wide    bool             // valid rows have characters other than ASCII
	First   *schema.RowError // error of the first invalid row, or nil
	Where   string           // position of that row
	Images  string           // first column whose values are all images; empty for none
	Has     func(option string) bool
}

// A Revision is an option that rows show to be necessary.
type Revision struct {
	Option
	Reread bool // the option changes the rows
}

// A Content is a column of the contents of files.
type Content struct {
	Name  string
	Image bool   // has columns with metadata of the image
	JSON  bool   // may be an object
	Bytes string // why values are not looked at; empty if they are
}

// A Part is an array in a file.
type Part struct {
	Member string   // its name in an archive; empty for a file of one array
	Name   string   // name of the member or of the file
	Words  []string // words of the name that say what the array holds
	Rows   int64
}

// Ref returns the name of the part in a config, if the file has the name path.
func (p *Part) Ref(path string) string {
	if p.Member != "" || strings.Contains(path, "#") {
		path += "#" + p.Member
	}
	return path
}

// FullName returns the name of the part for messages.
func (p *Part) FullName(file string) string {
	if p.Member != "" {
		return path.Base(file) + "#" + p.Member
	}
	return path.Base(file)
}

// nameRange matches what a config takes for a range of names.
var nameRange = regexp.MustCompile(`\{[0-9]+\.\.[0-9]+\}`)

// longestKey is the size of the longest key of a config, in bytes. A key in YAML has at most 1,024
// characters, including escapes and quotes.
const longestKey = 500

// NameProblem returns why a config cannot name a column; empty if it can.
func NameProblem(name string) string {
	switch {
	case name == "":
		return "it has no name"
	case len(name) > longestKey:
		return fmt.Sprintf("a config cannot name a column with more than %d bytes", longestKey)
	case slices.Contains(column.Reserved, name):
		return "every source has a column of this name; rename it in the file to keep it"
	case nameRange.MatchString(name):
		return "a config takes its name for a range"
	}
	return ""
}

// plainName matches the names of columns that an expression has as they are.
var plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// Operand returns a column as an expression has it.
func Operand(column string) string {
	if plainName.MatchString(column) && !slices.Contains([]string{"null", "true", "false", "in"}, column) {
		return column
	}
	return fmt.Sprintf("column(%q)", column)
}
