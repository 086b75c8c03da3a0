package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tfr-build/schema"
)

// A sideTable is a joined table in memory: the rows of one text of the column
// joined on stand together, in the table's order.
//
//	rows:   "a" → [0,2)   "b" → [2,3)
//	values: column x: x0 x1 x2    column y: y0 y1 y2
type sideTable struct {
	join   *Join
	source *Source
	names  []string // the columns it adds, with the prefix
	rows   map[string]span
	values [][]schema.Value // by wanted column
	wanted []string         // as the table calls them
}

type span struct{ lo, hi int }

func (t *sideTable) columns() []string { return t.names }

func (t *sideTable) has(name string) bool {
	if slices.Contains(t.names, name) {
		return true
	}
	// a path into a JSON table's column
	if t.join.Kind != JSONL {
		return false
	}
	top, _, dotted := strings.Cut(strings.TrimPrefix(name, t.join.Prefix), ".")
	return dotted && strings.HasPrefix(name, t.join.Prefix) && slices.Contains(t.names, t.join.Prefix+top)
}

// A boundJoin fills slots from a side table.
type boundJoin struct {
	table *sideTable
	ours  *Source
	index int
	on    int // slot of our column
	cells []joinedCell
}

type joinedCell struct{ column, slot int } // column is that of sideTable.values

// join notes that slot takes its value from side table i.
func (b *binder) join(i int, name string, slot int) error {
	t := b.s.joins[i]
	bound := func(j boundJoin) bool { return j.index == i }
	if !slices.ContainsFunc(b.l.joins, bound) {
		if b.s.step(t.join.Ours) > i {
			return b.unknown(t.join.Ours) // it is not there yet
		}
		on, err := b.slot(t.join.Ours)
		if err != nil {
			return err
		}
		b.l.joins = append(b.l.joins, boundJoin{table: t, ours: b.s, index: i, on: on})
	}
	k := slices.IndexFunc(b.l.joins, bound)
	b.l.joins[k].cells = append(b.l.joins[k].cells, joinedCell{t.want(strings.TrimPrefix(name, t.join.Prefix)), slot})
	return nil
}

func (t *sideTable) want(name string) int {
	i := slices.Index(t.wanted, name)
	if i < 0 {
		i = len(t.wanted)
		t.wanted = append(t.wanted, name)
	}
	return i
}

// openJoin opens a side table and learns its columns.
func openJoin(j *Join, limits Limits) (*sideTable, error) {
	s := &Source{spec: Spec{Kind: j.Kind, Table: j.Table, Limits: limits}}
	if err := s.listTable(); err != nil {
		return nil, err
	}
	if err := s.readHeads(); err != nil {
		return nil, err
	}
	t := &sideTable{join: j, source: s}
	names := s.own
	if j.Kind == JSONL {
		var err error
		if names, err = s.jsonKeys(); err != nil {
			return nil, err
		}
	}
	top, _, _ := strings.Cut(j.Theirs, ".")
	if !slices.Contains(names, j.Theirs) && (j.Kind == CSV || !slices.Contains(names, top)) && len(names) > 0 {
		return nil, &FitError{Path: s.Label(), Text: fmt.Sprintf("no column %q to join on; found: %s", j.Theirs, NameList(names)), Code: "SCHEMA_MISSING_COLUMN"}
	}
	for _, n := range names {
		if n != j.Theirs && n != "" {
			t.names = append(t.names, j.Prefix+n)
		}
	}
	return t, nil
}

// jsonKeys are the top-level keys of a JSON side table, in order of their
// first row.
func (s *Source) jsonKeys() ([]string, error) {
	var keys []string
	for file := range s.tables {
		err := s.eachRow(file, func(rec *Record) error {
			keys = addKeys(keys, rec)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// addKeys adds the top-level keys of a row that keys lacks, sorted among
// themselves.
func addKeys(keys []string, rec *Record) []string {
	var row map[string]json.RawMessage
	if rec.Bad != nil || json.Unmarshal(rec.Raw, &row) != nil {
		return keys
	}
	for _, k := range slices.Sorted(maps.Keys(row)) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// load reads the table's wanted columns into memory, rows of one key together.
func (t *sideTable) load(ctx context.Context) error {
	bound, err := t.source.Bind(append(slices.Clone(t.wanted), t.join.Theirs))
	if err != nil {
		return err
	}
	l := &sideLoader{t: t, reader: bound.NewReader(), key: bound.Slot(t.join.Theirs), columns: make([][]schema.Value, len(t.wanted))}
	for _, c := range t.wanted {
		l.slots = append(l.slots, bound.Slot(c))
	}
	for file := range t.source.tables {
		err := t.source.eachRow(file, func(rec *Record) error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			return l.row(file, rec)
		})
		if err != nil {
			return err
		}
	}
	if len(l.keys) == 0 && !t.join.Table.AllowEmpty {
		return &FitError{Path: t.source.Label(), Text: "the side table has no row to join", Hint: "allow_empty: true", Code: "NO_ROWS"}
	}
	return l.group()
}

// A sideLoader is a side table on its way into memory.
type sideLoader struct {
	t       *sideTable
	reader  *Reader
	key     int
	slots   []int
	keys    []string
	columns [][]schema.Value // by wanted column, in the table's order
	arena   []byte           // where the texts are put
}

func (l *sideLoader) row(file int, rec *Record) error {
	vals, err := l.t.read(l.reader, file, rec)
	if err != nil {
		return l.t.source.fitError(file, rec, err)
	}
	key := &vals[l.key]
	if key.Kind >= schema.Bytes || l.t.source.IsMissing(l.t.join.Theirs, key) {
		return nil // no row of ours can match it
	}
	l.keys = append(l.keys, string(key.Text))
	for i, slot := range l.slots {
		l.columns[i] = append(l.columns[i], l.value(&vals[slot]))
	}
	return nil
}

// group puts the rows of one key together, in the table's order.
func (l *sideLoader) group() error {
	t := l.t
	order := make([]int32, len(l.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return strings.Compare(l.keys[a], l.keys[b]) })
	t.rows = make(map[string]span, len(order))
	for i, at := range order {
		key := l.keys[at]
		if i > 0 && key == l.keys[order[i-1]] {
			if !t.join.Many {
				return &FitError{Path: t.source.Label(), Text: fmt.Sprintf("two rows with %s %q, but a row can take only one", t.join.Theirs, key), Hint: "many: true"}
			}
			t.rows[key] = span{t.rows[key].lo, i + 1}
			continue
		}
		t.rows[key] = span{i, i + 1}
	}
	t.values = make([][]schema.Value, len(l.columns))
	for c, column := range l.columns {
		l.columns[c] = nil
		sorted := make([]schema.Value, len(order))
		for i, at := range order {
			sorted[i] = column[at]
		}
		t.values[c] = sorted
	}
	return nil
}

func (t *sideTable) read(r *Reader, file int, rec *Record) ([]schema.Value, error) {
	if rec.Bad != nil {
		return nil, rec.Bad
	}
	return r.Read(file, rec.Raw)
}

// value is a copy of v that outlives the scanner, missing where its text says so.
func (l *sideLoader) value(v *schema.Value) schema.Value {
	if v.Kind == schema.Text && slices.Contains(l.t.join.Table.NullValues, string(v.Text)) {
		return schema.Value{}
	}
	return l.copy(v)
}

// arenaSize is how much memory is taken for texts at a time.
const arenaSize = 64 << 10

func (l *sideLoader) copy(v *schema.Value) schema.Value {
	c := *v
	if n := len(v.Text); n > 0 {
		if cap(l.arena)-len(l.arena) < n {
			l.arena = make([]byte, 0, max(n, arenaSize))
		}
		at := len(l.arena)
		l.arena = append(l.arena, v.Text...)
		c.Text = l.arena[at:]
	}
	if v.List != nil {
		c.List = make([]schema.Value, len(v.List))
		for i := range v.List {
			c.List[i] = l.copy(&v.List[i])
		}
	}
	return c
}

// fill sets the join's slots from the rows that match.
func (j *boundJoin) fill(vals []schema.Value) {
	var found span
	if on := &vals[j.on]; on.Kind < schema.Bytes && !j.ours.IsMissing(j.table.join.Ours, on) {
		found = j.table.rows[string(on.Text)]
	}
	for _, c := range j.cells {
		column := j.table.values[c.column]
		switch {
		case j.table.join.Many:
			vals[c.slot] = schema.Value{Kind: schema.List, List: column[found.lo:found.hi]}
		case found.hi == 0:
			vals[c.slot] = schema.Value{}
		default:
			vals[c.slot] = column[found.lo]
		}
	}
}

// fitError places a bad row of a side table.
func (s *Source) fitError(file int, rec *Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	place := s.Place(file, rec, bad)
	return &FitError{Path: s.tables[file].path, Line: place.Line, Col: place.Col, Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), Hint: bad.Hint, Code: bad.Code}
}

// eachRow calls f for the rows of a file, one after another.
func (s *Source) eachRow(file int, f func(*Record) error) error {
	rows, err := s.Rows(file)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(rec)
		}
		if err != nil {
			return err
		}
	}
}
