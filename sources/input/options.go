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
