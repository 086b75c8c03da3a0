package sources

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/sources/jsonl"
)

// A Layout says where each column of a source's rows comes from. Columns are
// slots of a row: first those that were asked for, then those that joins and
// loads need.
type Layout struct {
	s       *Source
	columns []string
	cells   [][]int32     // CSV, by file: the slot of each cell; -1 where nobody wants it
	paths   *jsonl.Paths  // JSONL
	own     []ownColumn   // what the scanner or the file itself gives
	file    []fileColumn  // what is the same for all rows of a file
	consts  []constColumn // what is the same for all rows
	joins   []boundJoin
	loads   []boundLoad
	split   int  // slot of @split; -1 where nobody wants it
	names   bool // of a tree: its files' names are enough, they are not read
}

// NamesOnly makes readers of a tree leave its files unread, if no column needs
// them: for looking at names before the files are read for good.
func (l *Layout) NamesOnly() {
	needsFile := func(o ownColumn) bool {
		switch o.name {
		case "path", "filename", "stem", "class":
			return false
		}
		return true
	}
	l.names = !l.s.spec.Kind.IsTable() && !slices.ContainsFunc(l.own, needsFile)
}

type ownColumn struct {
	name string // as the kind calls it
	slot int
}

type fileColumn struct {
	slot  int
	group int // of from_path; -1 for @file
}

type constColumn struct {
	slot int
	text []byte
}

// factColumns are the columns of an image, after the content itself.
var factColumns = []string{"format", "height", "width", "channels", "colorspace", "orientation"}

// treeColumns are the kind's own columns of a tree.
func (k Kind) treeColumns() []string {
	if k == Folder {
		return []string{"content", "path", "filename", "stem", "class"}
	}
	columns := []string{"image"}
	for _, f := range factColumns {
		columns = append(columns, "image."+f)
	}
	return append(columns, "path", "filename", "stem", "class")
}

// imageColumns are the columns that a loaded file adds.
func (l *Load) columns() []string {
	columns := []string{l.Name}
	if l.Image {
		for _, f := range factColumns {
			columns = append(columns, l.Name+"."+f)
		}
	}
	return columns
}

// A binder finds the origin of each wanted column.
type binder struct {
	s     *Source
	l     *Layout
	slots map[string]int
}

// reserve gives name the next slot.
func (b *binder) reserve(name string) int {
	i := len(b.l.columns)
	b.l.columns = append(b.l.columns, name)
	b.slots[name] = i
	return i
}

// slot is where column name stands in a row; it is added if nobody asked for
// it before.
func (b *binder) slot(name string) (int, error) {
	if i, ok := b.slots[name]; ok {
		return i, nil
	}
	i := b.reserve(name)
	return i, b.origin(name, i)
}

// step tells when a column comes into being: 0 where it needs no other, i+1 by
// join i, after all joins by a load.
func (s *Source) step(name string) int {
	if s.loadOf(name) >= 0 {
		return len(s.joins) + 1
	}
	return s.joinOf(name) + 1
}

func (s *Source) loadOf(name string) int {
	return slices.IndexFunc(s.spec.Load, func(l Load) bool { return slices.Contains(l.columns(), name) })
}

func (s *Source) joinOf(name string) int {
	return slices.IndexFunc(s.joins, func(t *sideTable) bool { return t.has(name) })
}

// IsList reports whether a column is made of the many matches of a join.
func (s *Source) IsList(name string) bool {
	i := s.joinOf(name)
	return i >= 0 && s.joins[i].join.Many
}

// origin tells where column name comes from and notes it for its slot.
func (b *binder) origin(name string, slot int) error {
	s := b.s
	if i := s.loadOf(name); i >= 0 {
		return b.load(i, name, slot)
	}
	if i := s.joinOf(name); i >= 0 {
		return b.join(i, name, slot)
	}
	if i := slices.IndexFunc(s.spec.Set, func(p Pair) bool { return p.Key == name }); i >= 0 {
		b.l.consts = append(b.l.consts, constColumn{slot, []byte(s.spec.Set[i].Value)})
		return nil
	}
	switch name {
	case "@file":
		b.l.file = append(b.l.file, fileColumn{slot, -1})
		return nil
	case "@source":
		b.l.consts = append(b.l.consts, constColumn{slot, []byte(s.spec.Name)})
		return nil
	case "@split":
		b.l.split = slot
		return nil
	}
	name, ok := s.beforeRename(name)
	if !ok {
		return b.unknown(name)
	}
	if s.spec.FromPath != nil {
		if i := slices.Index(s.spec.FromPath.Columns(), name); i >= 0 {
			b.l.file = append(b.l.file, fileColumn{slot, i})
			return nil
		}
	}
	if s.spec.Kind != JSONL && !slices.Contains(s.own, name) && !s.headless() {
		return b.unknown(name)
	}
	b.l.own = append(b.l.own, ownColumn{name, slot})
	return nil
}

// beforeRename is the name that column name had at first; a column of JSONL
// takes the paths below it along. It is not ok where rename left no column of
// that name.
func (s *Source) beforeRename(name string) (first string, ok bool) {
	for top := name; ; {
		if i := slices.IndexFunc(s.spec.Rename, func(p Pair) bool { return p.Value == top }); i >= 0 {
			return s.spec.Rename[i].Key + name[len(top):], true
		}
		if slices.ContainsFunc(s.spec.Rename, func(p Pair) bool { return p.Key == top }) {
			return name, false
		}
		dot := strings.LastIndexByte(top, '.')
		if s.spec.Kind != JSONL || dot < 0 {
			return name, true
		}
		top = top[:dot]
	}
}

// headless reports whether no file of a CSV source has a header, so that its
// columns are not known: it has no row either.
func (s *Source) headless() bool {
	return s.spec.Kind == CSV && !slices.ContainsFunc(s.tables, func(t tableFile) bool { return !t.head.empty })
}

// unknown is the fault of a column that no row has.
func (b *binder) unknown(name string) error {
	found := b.s.Columns()
	e := &FitError{Path: b.s.Label(), Text: fmt.Sprintf("no column %q", name), Code: "SCHEMA_MISSING_COLUMN", Column: name}
	if n := nearest.Of(name, found); n != "" {
		e.Text += fmt.Sprintf("; did you mean %q?", n)
	}
	e.Text += "; found: " + NameList(found)
	if slices.ContainsFunc(found, func(n string) bool { return n != name && strings.TrimSpace(n) == name }) {
		e.Hint = "trim: true"
	}
	if s := b.s; s.spec.Kind == CSV && len(s.tables) > 0 {
		if sniffed, hint := s.sniffDelimiter(); sniffed != "" {
			e.Text, e.Hint = fmt.Sprintf("no column %q; %s", name, sniffed), hint
		}
	}
	return e
}

// NameList writes names for a message; those that would not be seen for what
// they are stand in quotes.
func NameList(names []string) string {
	const most = 60
	list := make([]string, 0, most)
	for _, n := range names[:min(most, len(names))] {
		if strings.TrimSpace(n) != n || strings.ContainsFunc(n, func(r rune) bool { return r == ',' || !unicode.IsPrint(r) }) {
			n = schema.Quote([]byte(n))
		}
		list = append(list, n)
	}
	text := strings.Join(list, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// clashes finds two origins of one column.
func (s *Source) clashes() error {
	origin := map[string]string{}
	add := func(from string, names ...string) error {
		for _, n := range names {
			if was, ok := origin[n]; ok {
				return &FitError{Path: s.Label(), Text: fmt.Sprintf("column %q comes from %s and from %s", n, was, from)}
			}
			origin[n] = from
		}
		return nil
	}
	own := slices.Clone(s.own)
	slices.Sort(own)
	own = slices.Compact(own)
	if p := s.spec.FromPath; p != nil && slices.Contains(p.Columns(), "class") && !s.spec.Kind.IsTable() {
		own = slices.DeleteFunc(own, func(n string) bool { return n == "class" })
	}
	if err := add("the "+s.spec.Kind.String()+" itself", own...); err != nil {
		return err
	}
	if p := s.spec.FromPath; p != nil {
		if err := add("from_path", p.Columns()...); err != nil {
			return err
		}
	}
	for _, r := range s.spec.Rename {
		if _, ok := origin[r.Key]; !ok && s.spec.Kind != JSONL {
			return &FitError{Path: s.Label(), Text: fmt.Sprintf("rename: no column %q; found: %s", r.Key, NameList(s.own)), Code: "SCHEMA_MISSING_COLUMN"}
		}
		delete(origin, r.Key)
	}
	for _, r := range s.spec.Rename {
		if err := add("rename", r.Value); err != nil {
			return err
		}
	}
	for _, p := range s.spec.Set {
		if err := add("set", p.Key); err != nil {
			return err
		}
	}
	for i := range s.joins {
		if err := add(fmt.Sprintf("join %d", i+1), s.joins[i].columns()...); err != nil {
			return err
		}
	}
	for i := range s.spec.Load {
		if err := add("load", s.spec.Load[i].columns()...); err != nil {
			return err
		}
	}
	return nil
}

// fill sets the slots that are the same for all rows.
func (l *Layout) fill(vals []schema.Value) {
	for _, c := range l.consts {
		vals[c.slot] = schema.Value{Kind: schema.Text, Text: c.text}
	}
}
