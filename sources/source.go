package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/jsonl"
)

// A Source is a listed source: its files are known, in byte order of their
// names, and nothing of them has been read.
type Source struct {
	spec   Spec
	Files  []File      // in the order of rows
	Passed Passed      // what the listing of a tree passed over
	tables []tableFile // of tables: beside Files
	own    []string    // the kind's own columns, of all files; none of JSONL
	joins  []*sideTable
}

// Open lists the files of spec.
func Open(ctx context.Context, spec Spec, workers int) (*Source, error) {
	s := &Source{spec: spec}
	if spec.Kind.IsTable() {
		return s, s.listTable()
	}
	var err error
	if s.Files, s.Passed, err = listTree(ctx, &s.spec, workers); err != nil {
		return nil, err
	}
	s.own = spec.Kind.treeColumns()
	if n := len(spec.Tree.Classes); spec.Tree.HasClasses && n != len(s.Files) {
		return nil, &FitError{Path: spec.Dir, Text: fmt.Sprintf("class_per_file has %d names for %d files", n, len(s.Files))}
	}
	return s, nil
}

// Spec is what the source was opened with.
func (s *Source) Spec() *Spec { return &s.spec }

// Label is how messages about the whole source name it.
func (s *Source) Label() string {
	if s.spec.Kind.IsTable() {
		if len(s.tables) > 0 {
			return s.tables[0].path
		}
		return s.spec.Table.Files[0]
	}
	return s.spec.Dir
}

// Path is where file i of Files stands.
func (s *Source) Path(i int) string {
	if s.spec.Kind.IsTable() {
		return s.tables[i].path
	}
	return filepath.Join(s.spec.Dir, filepath.FromSlash(s.Files[i].Name))
}

// AddressName is the name of file i that addresses are made of.
func (s *Source) AddressName(i int) string {
	if s.spec.Kind.IsTable() {
		return addressName(s.Files[i].Name)
	}
	return s.Files[i].Name
}

// Columns are the columns that a row can have, as far as they can be known
// before rows are read.
func (s *Source) Columns() []string {
	var names []string
	add := func(more ...string) {
		for _, n := range more {
			if n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	add(s.own...)
	if s.spec.FromPath != nil {
		add(s.spec.FromPath.Columns()...)
	}
	for _, r := range s.spec.Rename {
		if i := slices.Index(names, r.Key); i >= 0 {
			names = slices.Delete(names, i, i+1)
		}
		add(r.Value)
	}
	for _, p := range s.spec.Set {
		add(p.Key)
	}
	for _, j := range s.joins {
		add(j.columns()...)
	}
	for i := range s.spec.Load {
		add(s.spec.Load[i].columns()...)
	}
	return names
}

// ReadHeads reads the headers of the source and of its side tables, and finds
// columns that come from two places.
func (s *Source) ReadHeads() error {
	if s.spec.Kind.IsTable() {
		if err := s.readHeads(); err != nil {
			return err
		}
	}
	for i := range s.spec.Join {
		t, err := openJoin(&s.spec.Join[i], s.spec.Limits)
		if err != nil {
			return err
		}
		s.joins = append(s.joins, t)
	}
	return s.clashes()
}

// Bind says which columns rows shall have, in order of slots; more may follow
// in a row. The heads must have been read. A source can be bound more than
// once, for readers of different columns.
func (s *Source) Bind(columns []string) (*Layout, error) {
	b := &binder{s: s, l: &Layout{s: s, split: -1}, slots: map[string]int{}}
	for _, c := range columns {
		b.reserve(c)
	}
	for i, c := range columns {
		if err := b.origin(c, i); err != nil {
			return nil, err
		}
	}
	if s.spec.Kind == CSV {
		if err := b.l.bindCells(); err != nil {
			return nil, err
		}
	}
	return b.l, b.l.compilePaths()
}

// LoadJoins reads the side tables into memory, after the last Bind.
func (s *Source) LoadJoins(ctx context.Context) error {
	for _, t := range s.joins {
		if err := t.load(ctx); err != nil {
			return err
		}
	}
	return nil
}

// SideFiles are the paths of the side tables, which are inputs too.
func (s *Source) SideFiles() []string {
	var paths []string
	for _, t := range s.joins {
		for i := range t.source.tables {
			paths = append(paths, t.source.tables[i].path)
		}
	}
	return paths
}

// Slot is the slot of a column; -1 where it was not asked for.
func (l *Layout) Slot(name string) int { return slices.Index(l.columns, name) }

// Nulls are the texts that mean missing in column name, where the feature
// says nothing else.
func (s *Source) Nulls(name string) []string {
	named := func(p Pair) bool { return p.Key == name }
	switch {
	case s.joinOf(name) >= 0: // a side table's cells are missing already
	case name != "" && name[0] == '@', slices.ContainsFunc(s.spec.Set, named): // never missing
	case s.spec.FromPath != nil && slices.Contains(s.spec.FromPath.Columns(), name):
	default:
		return s.spec.Table.NullValues
	}
	return nil
}

// IsMissing reports whether a value of column name is missing.
func (s *Source) IsMissing(name string, v *schema.Value) bool {
	if v.Kind == schema.Text {
		return slices.Contains(s.Nulls(name), string(v.Text))
	}
	return v.Kind == schema.Missing
}

// newValues is a row of the layout with the constant slots filled.
func (l *Layout) newValues() []schema.Value {
	vals := make([]schema.Value, len(l.columns))
	l.fill(vals)
	return vals
}

// compilePaths makes the paths of a JSONL source's own columns.
func (l *Layout) compilePaths() (err error) {
	if l.s.spec.Kind != JSONL {
		return nil
	}
	var names []string
	var slots []int
	for _, o := range l.own {
		names, slots = append(names, o.name), append(slots, o.slot)
	}
	if l.paths, err = jsonl.Compile(names, slots, l.s.spec.jsonLimits()); err != nil {
		return &FitError{Path: l.s.Label(), Text: err.Error()}
	}
	return nil
}

// SampleKeys are the top-level keys of the first rows of a JSONL source, for
// messages.
func (s *Source) SampleKeys(rows int) []string {
	var keys []string
	for file := range s.tables {
		r, err := s.Rows(file)
		if err != nil {
			return keys
		}
		for rec, err := r.Next(); err == nil && rows > 0; rec, err = r.Next() {
			rows--
			keys = addKeys(keys, rec)
		}
		r.Close()
	}
	return keys
}

// Dirs are the folders all of whose files, or any number of levels of them,
// are rows: what is written there would become input.
func (s *Source) Dirs() []string {
	var dirs []string
	for i := range s.spec.Load {
		dirs = append(dirs, s.spec.Load[i].Dir)
	}
	if !s.spec.Kind.IsTable() {
		return append(dirs, s.spec.Dir)
	}
	for _, p := range s.spec.Table.Files {
		if slices.Contains(strings.Split(p, "/"), "**") {
			dirs = append(dirs, FixedFolder(p))
		}
	}
	return dirs
}
