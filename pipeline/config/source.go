package config

import (
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// A Source is a set of rows of one source type.
type Source struct {
	At string // path in the config: `source`, `sources[0]`

	Name     string         `yaml:"name" is:"line" doc:"Name of the source. It is part of the addresses of rows, which decide their order. Needed if two sources have equal file names." example:"landing"`
	Kind     sources.Chosen `kinds:"source"`
	FromPath string         `yaml:"from_path" is:"pathpattern" doc:"Pattern of the relative path of each file; the names in braces become columns." example:"'{class}/*.png'"`
	Steps

	table  bool          // it is a lookup table
	tables []*column.Set // the columns of its lookup tables, as far as they are known without their files
}

// Steps are the steps that change the rows of a source. A step of the config applies to every
// source that does not set the same step.
type Steps struct {
	Split  Split           `yaml:"split" doc:"Split of the rows: a name, shares, or a column. Default: train." example:"{train: 80%, test: 20%}"`
	Rename sources.Pairs   `yaml:"rename" doc:"New names of columns: OLD: NEW." example:"{uid: user_id}"`
	Set    sources.Pairs   `yaml:"set" doc:"Columns with the same string in each row." example:"{origin: archive}"`
	Join   []sources.Join  `yaml:"join" one:"ok" doc:"Lookup tables whose columns are added to each row; one mapping or a list." example:"[{csv: islands.csv, on: island}]"`
	Load   sources.Loads   `yaml:"load" doc:"Files that each row names, as columns." example:"{image: {path: '{filename}', dir: photos}}"`
	Derive sources.Derives `yaml:"derive" doc:"New columns and the expressions that compute them." example:"{area: width * height}"`
}

// Spec returns the source for package sources.
func (s *Source) Spec() *sources.Spec {
	if s.table {
		return (&sources.Join{Kind: s.Kind, FromPath: s.FromPath, Derive: s.Derive}).Table()
	}
	return &sources.Spec{Name: s.Name, Kind: s.Kind, FromPath: s.FromPath, Rename: s.Rename, Set: s.Set, Join: s.Join,
		Load: s.Load, Derive: s.Derive}
}
