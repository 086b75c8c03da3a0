package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A sideTable is a joined table in memory: the rows of one text of the column
// joined on stand together, in the table's order.
//
//	rows:   "a" → [0,2)   "b" → [2,3)
//	values: column x: x0 x1 x2    column y: y0 y1 y2
type sideTable struct {
	join      *Join
	in        input.Input
	names     []string // its columns
	rows      map[string]span
	values    [][]schema.Value // by requested column
	requested column.Slots     // as the table calls them
}

type span struct{ lo, hi int }

// A boundJoin fills slots from a side table.
type boundJoin struct {
	table *sideTable
	index int
	on    int      // slot of our column
	nulls []string // of our column
	cells []joinedCell
}

type joinedCell struct{ column, slot int } // column is that of sideTable.values

// join notes that slot takes its value from a side table.
func (b *binder) join(c *column.Column, slot int) error {
	t := b.s.joins[c.Index]
	bound := func(j boundJoin) bool { return j.index == c.Index }
	if !slices.ContainsFunc(b.l.joins, bound) {
		on, err := b.needed(t.join.On.Ours, column.Join, c.Index)
		if err != nil {
			return err
		}
		b.l.joins = append(b.l.joins, boundJoin{table: t, index: c.Index, on: on, nulls: b.s.Nulls(t.join.On.Ours)})
	}
	k := slices.IndexFunc(b.l.joins, bound)
	b.l.joins[k].cells = append(b.l.joins[k].cells, joinedCell{t.requested.Of(c.Name), slot})
	return nil
}

// openJoin opens a side table and learns its columns.
func openJoin(j *Join, env *input.Env) (*sideTable, error) {
	local := *env
	local.Listed, local.Side = nil, true
	t := &sideTable{join: j}
	var err error
	if t.in, err = j.Kind.Options.Open(context.Background(), &local); err != nil {
		return nil, err
	}
	if err := t.in.ReadHeads(); err != nil {
		return nil, err
	}
	if t.names, err = columnNames(t.in, -1); err != nil {
		return nil, err
	}
	top, _, _ := strings.Cut(j.On.Theirs, ".")
	nested := t.in.Columns().Nested && slices.Contains(t.names, top)
	if !slices.Contains(t.names, j.On.Theirs) && !nested && len(t.names) > 0 {
		return nil, &input.FitError{Path: t.in.Listing().Label, Text: fmt.Sprintf("no column %s to join on; found: %s", schema.Quote(j.On.Theirs), input.NameList(t.names)), Code: "SCHEMA_MISSING_COLUMN"}
	}
	if t.names == nil {
		t.names = []string{} // known to be none
	}
	return t, nil
}

// load reads the requested columns into memory, rows of one key together.
func (t *sideTable) load(ctx context.Context) error {
	requested := t.requested.Names()
	l := &sideLoader{t: t, columns: make([][]schema.Value, len(requested)), vals: make([]schema.Value, len(requested)+1)}
	var own []input.Bound
	for i, name := range append(slices.Clone(requested), t.join.On.Theirs) {
		own = append(own, input.Bound{Name: name, Slot: i})
		c, _ := t.in.Columns().Find(name)
		l.nulls = append(l.nulls, c.Nulls)
	}
	layout, err := t.in.Bind(own)
	if err != nil {
		return err
	}
	l.scanner = layout(input.NewFacts(), false)
	defer l.scanner.Close()
	for file := range t.in.Listing().Files {
		if err := input.EachRow(ctx, t.in, file, func(rec *input.Record) error { return l.row(file, rec) }); err != nil {
			return err
		}
	}
	if len(l.keys) == 0 && !t.join.Kind.EmptyAllowed() {
		return &input.FitError{Path: t.in.Listing().Label, Text: "the side table has no row to join", Hint: "allow_empty: true", Code: "NO_ROWS"}
	}
	return l.group()
}

// A sideLoader is a side table on its way into memory.
type sideLoader struct {
	t       *sideTable
	scanner input.Scanner
	vals    []schema.Value // of a row: the requested columns, and the one joined on
	nulls   [][]string     // by column: texts that mean missing
	keys    []string
	columns [][]schema.Value // by requested column, in the table's order
	arena   []byte           // where the texts are put
}

func (l *sideLoader) row(file int, rec *input.Record) error {
	if rec.Bad != nil {
		return l.t.fitError(file, rec, rec.Bad)
	}
	if _, err := l.scanner.Scan(file, rec.Raw, l.vals); err != nil {
		return l.t.fitError(file, rec, err)
	}
	n := len(l.columns)
	key := &l.vals[n]
	if key.Kind >= schema.Bytes || IsMissing(l.nulls[n], key) {
		return nil // no row of ours can match it
	}
	l.keys = append(l.keys, string(key.Text))
	for i := range l.columns {
		v := &l.vals[i]
		if IsMissing(l.nulls[i], v) {
			v = &schema.Value{}
		}
		l.columns[i] = append(l.columns[i], l.copy(v))
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
				return &input.FitError{Path: t.in.Listing().Label, Text: fmt.Sprintf("two rows with %s %q, but a row can take only one", t.join.On.Theirs, key), Hint: "many: true"}
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

// arenaSize is how much memory is taken for texts at a time.
const arenaSize = 64 << 10

// copy is a copy of v that outlives the scanner.
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
	if on := &vals[j.on]; on.Kind < schema.Bytes && !IsMissing(j.nulls, on) {
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
func (t *sideTable) fitError(file int, rec *input.Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	at := rec.Position(t.in.Path(file), bad)
	return &input.FitError{Path: at.Path, Line: at.Line, Col: at.Col, Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), Hint: bad.Hint, Code: bad.Code}
}
