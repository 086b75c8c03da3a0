package sources

import (
	"tfr-build/sources/csv"
	"tfr-build/sources/image"
	"tfr-build/sources/jsonl"
)

// A Kind is the kind of a source.
type Kind uint8

const (
	CSV    Kind = iota + 1
	JSONL       // one JSON object a line
	Images      // a folder of image files
	Folder      // a folder of any files
)

func (k Kind) String() string { return [...]string{"", "csv", "jsonl", "images", "folder"}[k] }

// IsTable reports whether rows are records of a file, not files.
func (k Kind) IsTable() bool { return k == CSV || k == JSONL }

// A Spec describes a source.
type Spec struct {
	Name  string // part of its rows' addresses; may be empty
	Kind  Kind
	Table Table // of tables
	Tree        // of trees

	FromPath *PathPattern // nil for none
	Rename   []Pair       // Key: the column, Value: its other name
	Set      []Pair       // Key: the column, Value: its text
	Join     []Join
	Load     []Load
	Limits   Limits
}

// A Pair is a name and what it is given.
type Pair struct{ Key, Value string }

// Limits bound what a row may claim.
type Limits struct {
	Record  int   // bytes of a row
	Columns int   // cells of a CSV row
	Depth   int   // nesting of a JSON value
	Pixels  int64 // of an image
}

// A Table is where the rows of a CSV or JSONL source, or of a side table, stand.
type Table struct {
	Files      []string // absolute paths or patterns
	Root       string   // what names are relative to; empty: see Open
	Base       string   // the config's folder
	IsList     bool     // Files was given as a list
	Format     csv.Format
	Columns    []string // names given by the config; nil: the header's
	NullValues []string
	AllowEmpty bool
}

// A Tree is where the files of an images or folder source stand.
type Tree struct {
	Dir              string
	Extensions       []string
	AnyExtension     bool
	Include, Exclude []string
	FollowLinks      bool
	Classes          []string // class_per_file: a name a file, in order of names
	HasClasses       bool
	Check            image.Check
	RefuseMismatch   bool // format_mismatch: error
	AllowUnsupported bool
}

// A Join adds the columns of a side table by the text of one column.
type Join struct {
	Kind   Kind // CSV or JSONL
	Table  Table
	Ours   string // the row's column
	Theirs string // the table's
	Many   bool   // its columns are lists
	Prefix string
}

// A Load adds a file that the row names.
type Load struct {
	Name  string // the column, and the prefix of the facts' columns
	Path  *Template
	Dir   string
	Image bool // else just the content
}

func (s *Spec) jsonLimits() jsonl.Limits {
	return jsonl.Limits{Record: s.Limits.Record, Depth: s.Limits.Depth, Columns: s.Limits.Columns}
}
