package input

// Files has the patterns of a table's files.
type Files struct {
	Patterns []string // as in the config
	IsList   bool     // the config has a list, even of one pattern
}

// Patterns match relative paths.
type Patterns []string

// Extensions select files of a directory.
type Extensions struct {
	Any  bool
	List []string // in lower case, without the dot
}

// ColumnFiles are the files of columns, in the order of the config.
type ColumnFiles []ColumnFile

// A ColumnFile is a column and its file.
type ColumnFile struct{ Column, File string }

// A RowRange is the rows from From on, up to but not including To. The zero RowRange is all rows.
type RowRange struct{ From, To int64 }
