package input

// Files has the patterns of a table's files.
type Files struct {
	Patterns []string // as in the config
	IsList   bool     // the config has a list, even of one pattern
}

// FilePatterns returns the patterns, for source types that embed Files.
func (f *Files) FilePatterns() []string { return f.Patterns }

// IsFileList reports whether the config has a list of patterns.
func (f *Files) IsFileList() bool { return f.IsList }

// Rooted has the key root of source types whose files are patterns.
type Rooted struct {
	Root string `yaml:"root" is:"path" doc:"Directory that row addresses are relative to. Default: the part of the pattern before its first wildcard." example:"data"`
}

// RowRoot returns the directory that the addresses of rows are relative to, as in the config; empty without one.
func (r *Rooted) RowRoot() string { return r.Root }

// MayBeEmpty has the key allow_empty of source types.
type MayBeEmpty struct {
	AllowEmpty bool `yaml:"allow_empty" default:"false" doc:"Accepts a source without rows. Default: false."`
}

// EmptyAllowed reports whether a source without rows is accepted.
func (m *MayBeEmpty) EmptyAllowed() bool { return m.AllowEmpty }

// Patterns match relative paths.
type Patterns []string

// A Selection has the keys that select files of a directory, or members of an archive.
type Selection struct {
	Include Patterns `yaml:"include" doc:"Patterns of the relative paths that are read. Default: all." example:"['2024/**']"`
	Exclude Patterns `yaml:"exclude" doc:"Patterns of the relative paths that are skipped." example:"['**/thumbs/*']"`
}

// Below has the key dir of source types whose rows are the files of a directory.
type Below struct {
	Dir string `yaml:"dir" is:"path" required:"yes" doc:"Directory of the files. Symbolic links to directories work." example:"photos"`
}

// Directory returns the directory of the files.
func (b *Below) Directory() string { return b.Dir }

// Links has the key follow_links of source types that read a directory.
type Links struct {
	FollowLinks bool `yaml:"follow_links" default:"false" doc:"Follows symbolic links below the directory. Default: false."`
}

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
