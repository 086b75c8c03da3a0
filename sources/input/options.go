package input

// Files are the patterns that name the files of a table.
type Files struct {
	Patterns []string // as written
	IsList   bool     // written as a list, even of one
}

// Patterns are patterns of relative paths.
type Patterns []string

// Extensions say which files of a folder are asked for.
type Extensions struct {
	Any  bool
	List []string // in lower case, without the dot
}

// ColumnFiles say which file each column is made of, in the order of the config.
type ColumnFiles []ColumnFile

// A ColumnFile is a column and its file.
type ColumnFile struct{ Column, File string }

// A RowRange is the rows from one on, up to another. The zero RowRange is all.
type RowRange struct{ From, To int64 }
