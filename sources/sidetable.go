package sources

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
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
	names     []string        // its columns; see learn
	known     map[string]bool // these
	all       bool            // they are those of all rows
	rows      map[string]span
	values    [][]schema.Value     // by requested column
	mixed     []bool               // by requested column: it has a value that is, or has, a schema.MixedDropped
	requested column.Slots[string] // as the table calls them
	lacking   []string             // of these, where only rows tell, those that no row has
	others    map[string]string    // keys that no row may have, and the fault of one that has
}

type span struct{ lo, hi int }

// openJoin opens a side table and learns its columns.
func openJoin(ctx context.Context, j *Join, env *input.Env) (*sideTable, error) {
	local := *env
	local.Listed, local.Side = nil, true
	t := &sideTable{join: j, others: map[string]string{}}
	var err error
	if t.in, err = j.Kind.Options.Open(ctx, &local); err != nil {
		return nil, err
	}
	if err := t.in.ReadHeads(ctx); err != nil {
		return nil, err
	}
	if err := t.learn(ctx, sampledRows); err != nil {
		return nil, err
	}
	if !t.has(j.On.Theirs) && !t.all {
		if err := t.learn(ctx, -1); err != nil {
			return nil, err
		}
	}
	if !t.has(j.On.Theirs) && len(t.names) > 0 {
		return nil, &input.FitError{Path: t.in.Listing().Label, Text: fmt.Sprintf("no column %s to join on; found: %s", schema.Quote(j.On.Theirs), input.NameList(t.names)), Code: input.MissingColumn}
	}
	if t.names == nil {
		t.names = []string{} // known to be none
	}
	return t, nil
}

// has reports whether the table has a column, as far as its names tell.
func (t *sideTable) has(name string) bool {
	return t.known[name] || t.in.Columns().Nested && t.known[topOf(name)]
}

// load reads the requested columns into memory, rows of one key together.
func (t *sideTable) load(ctx context.Context) error {
	requested := t.requested.Columns()
	t.mixed = make([]bool, len(requested))
	l := &sideLoader{t: t, columns: make([][]schema.Value, len(requested)), others: slices.Sorted(maps.Keys(t.others))}
	var own []input.Bound
	for i, name := range slices.Concat(requested, []string{t.join.On.Theirs}, l.others) {
		own = append(own, input.Bound{Name: name, Slot: i})
		c, _ := t.in.Columns().Find(name)
		l.nulls = append(l.nulls, c.Nulls)
	}
	l.vals = make([]schema.Value, len(own))
	layout, err := t.in.Bind(own)
	if err != nil {
		return err
	}
	l.scanner = layout(input.NewFacts(), false)
	defer l.scanner.Close()
	if t.in.Columns().Open {
		l.watch = newWatch(own)
	}
	for file := range t.in.Listing().Files {
		if err := input.EachRow(ctx, t.in, file, func(rec *input.Record) error { return l.row(file, rec) }); err != nil {
			return err
		}
	}
	if len(l.keys) == 0 && !t.join.Kind.EmptyAllowed() {
		return &input.FitError{Path: t.in.Listing().Label, Text: "the side table has no row to join", Hint: "allow_empty: true", Code: "NO_ROWS"}
	}
	if l.watch != nil {
		for i, name := range requested {
			if l.watch.seen.lacking(i) {
				t.lacking = append(t.lacking, name)
			}
		}
	}
	if double, ok := l.group(); ok && !t.join.Many {
		return l.doubled(ctx, double)
	}
	return nil
}

// A sideLoader is a side table on its way into memory.
type sideLoader struct {
	t       *sideTable
	scanner input.Scanner
	vals    []schema.Value // of a row: the requested columns, the one joined on, and others
	watch   *Watch         // nil where the table's columns are known without rows
	nulls   [][]string     // by column: texts that mean missing
	others  []string       // keys that no row may have
	keys    []string
	columns [][]schema.Value // by requested column, in the table's order
	arena   []byte           // where the texts are put
}

func (l *sideLoader) row(file int, rec *input.Record) error {
	has, err := l.scan(file, rec)
	if err != nil || !has {
		return err
	}
	n := len(l.columns)
	for i, key := range l.others {
		if v := &l.vals[n+1+i]; v.Kind != schema.Missing {
			bad := &schema.RowError{At: int(v.At), Message: l.t.others[key], Hint: "prefix: joined."}
			return l.t.fitError(file, rec, bad)
		}
	}
	key, _ := l.vals[n].AsText(nil) // which scan has seen
	l.keys = append(l.keys, string(key))
	for i := range l.columns {
		v := &l.vals[i]
		if IsMissing(l.nulls[i], v) {
			v = &schema.Value{Mixed: v.Mixed}
		}
		l.columns[i] = append(l.columns[i], l.copy(v))
		l.t.mixed[i] = l.t.mixed[i] || v.Mixed == schema.MixedDropped
	}
	return nil
}

// scan reads a row, and reports whether it has a text to join on.
func (l *sideLoader) scan(file int, rec *input.Record) (has bool, err error) {
	if rec.Bad != nil {
		return false, l.t.fitError(file, rec, rec.Bad)
	}
	if _, err := l.scanner.Scan(file, rec.Offset, rec.Raw, l.vals); err != nil {
		return false, l.t.fitError(file, rec, err)
	}
	if l.watch != nil {
		l.watch.Look(rec.Raw, l.vals)
	}
	n := len(l.columns)
	if IsMissing(l.nulls[n], &l.vals[n]) {
		return false, nil // no row of ours can match it
	}
	if _, ok := l.vals[n].AsText(nil); !ok {
		return false, l.t.fitError(file, rec, noText(&l.vals[n], l.t.join.On.Theirs))
	}
	return true, nil
}

// noText is the fault of a value that cannot be joined on.
func noText(v *schema.Value, column string) error {
	found := "a list"
	switch v.Kind {
	case schema.Object:
		found = "an object"
	case schema.Bytes:
		found = "the content of a file"
	}
	return &schema.RowError{Code: "TYPE", At: int(v.At), Column: column, Message: "found " + found + "; expected a text or a number to join on"}
}

// group puts the rows of one key together, in the table's order. It returns the
// first row whose key an earlier row has, if there is one.
func (l *sideLoader) group() (double int, found bool) {
	t := l.t
	order := make([]int32, len(l.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return strings.Compare(l.keys[a], l.keys[b]) })
	t.rows = make(map[string]span, len(order))
	double = len(order)
	for i, at := range order {
		key := l.keys[at]
		if i > 0 && key == l.keys[order[i-1]] {
			double = min(double, int(at))
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
	return double, double < len(order)
}

// doubled is the fault of two rows of one key, the second of which is given by its
// number. The table is read again for their lines, which are not kept: tables are
// large, and few have two.
func (l *sideLoader) doubled(ctx context.Context, second int) error {
	t, key := l.t, l.keys[second]
	first, n := "", 0
	for file := range t.in.Listing().Files {
		err := input.EachRow(ctx, t.in, file, func(rec *input.Record) error {
			has, err := l.scan(file, rec)
			if err != nil || !has {
				return err
			}
			n++
			at := rec.Position(t.in.Path(file), &schema.RowError{At: int(l.vals[len(l.columns)].At)})
			switch {
			case n == second+1:
				text := fmt.Sprintf("a second row with %s %s, but a row can take only one; the first is %s", t.join.On.Theirs, schema.Quote([]byte(key)), first)
				return &input.FitError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: text, Hint: "many: true"}
			case first == "" && l.keys[n-1] == key:
				first = fmt.Sprintf("%s:%d", at.Path, at.Line)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return &input.Error{Path: t.in.Listing().Label, Err: files.ErrChanged}
}

// arenaSize is how much memory is taken for texts at a time.
const arenaSize = 64 << 10

// copy is a copy of v that outlives the scanner.
func (l *sideLoader) copy(v *schema.Value) schema.Value {
	c := *v
	c.At = 0 // it is no place in the row that takes the value
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

// fitError places a bad row of a side table.
func (t *sideTable) fitError(file int, rec *input.Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	at := rec.Position(t.in.Path(file), bad)
	return &input.FitError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), Hint: bad.Hint, Code: bad.Code}
}
