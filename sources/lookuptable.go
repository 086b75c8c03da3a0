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

// A lookupTable is a joined table in memory. The rows with one value of the join column are
// adjacent, in the table's order.
//
//	rows:   "a" → [0,2)   "b" → [2,3)
//	values: column x: x0 x1 x2    column y: y0 y1 y2
type lookupTable struct {
	join      *Join
	in        input.Input
	names     []string        // of its columns; see readColumns
	known     map[string]bool // the same names
	all       bool            // names has the columns of all rows
	rows      map[string]span
	values    [][]schema.Value     // by requested column
	mixed     []bool               // by requested column: a value is or has a schema.MixedDropped
	requested column.Slots[string] // by their names in the table
	missing   []string             // requested columns that no row has, if only rows have the columns
	forbidden map[string]string    // keys that no row may have, with the error of a row that has one
}

type span struct{ lo, hi int }

// isEmpty reports whether no row matches.
func (s span) isEmpty() bool { return s.lo == s.hi }

// openJoin opens a lookup table and reads the names of its columns.
func openJoin(ctx context.Context, j *Join, env *input.Env) (*lookupTable, error) {
	local := *env
	local.Listed, local.Side = nil, true
	t := &lookupTable{join: j, forbidden: map[string]string{}}
	var err error
	if t.in, err = j.Kind.Options.Open(ctx, &local); err != nil {
		return nil, err
	}
	if err := t.in.ReadHeads(ctx); err != nil {
		return nil, err
	}
	if err := t.readColumns(ctx, sampledRows); err != nil {
		return nil, err
	}
	if !t.hasColumn(j.On.Theirs) && !t.all {
		if err := t.readColumns(ctx, -1); err != nil {
			return nil, err
		}
	}
	if !t.hasColumn(j.On.Theirs) && len(t.names) > 0 {
		return nil, &input.MismatchError{Path: t.in.Listing().Label, Text: fmt.Sprintf("no column %s to join on; found: %s", schema.Quote(j.On.Theirs), input.NameList(t.names)), Code: input.MissingColumn}
	}
	if t.names == nil {
		t.names = []string{} // nil would mean unknown
	}
	return t, nil
}

// hasColumn reports whether the table has a column, according to the known names.
func (t *lookupTable) hasColumn(name string) bool {
	return t.known[name] || t.in.Columns().Nested && t.known[topOf(name)]
}

// load reads the requested columns into memory, grouped by key.
func (t *lookupTable) load(ctx context.Context) error {
	requested := t.requested.Columns()
	t.mixed = make([]bool, len(requested))
	l := &tableLoader{t: t, columns: make([][]schema.Value, len(requested)), forbidden: slices.Sorted(maps.Keys(t.forbidden))}
	var own []input.Bound
	for i, name := range slices.Concat(requested, []string{t.join.On.Theirs}, l.forbidden) {
		own = append(own, input.Bound{Name: name, Slot: i})
		c, _ := t.in.Columns().Find(name)
		l.nulls = append(l.nulls, c.Nulls)
	}
	l.vals = make([]schema.Value, len(own))
	layout, err := t.in.Bind(own)
	if err != nil {
		return err
	}
	l.scanner = layout(input.NewObservations(), false)
	defer l.scanner.Close()
	if t.in.Columns().Open {
		l.watch = newColumnTracker(own)
	}
	for file := range t.in.Listing().Files {
		if err := input.EachRow(ctx, t.in, file, func(rec *input.Record) error { return l.addRow(file, rec) }); err != nil {
			return err
		}
	}
	if len(l.keys) == 0 && !t.join.Kind.EmptyAllowed() {
		return &input.MismatchError{Path: t.in.Listing().Label, Text: "the lookup table has no row to join", Hint: "allow_empty: true", Code: "NO_ROWS"}
	}
	if l.watch != nil {
		for i, name := range requested {
			if l.watch.seen.isMissing(i) {
				t.missing = append(t.missing, name)
			}
		}
	}
	if duplicate, ok := l.groupRows(); ok && !t.join.Many {
		return l.duplicateError(ctx, duplicate)
	}
	return nil
}

// A tableLoader loads a lookup table into memory.
type tableLoader struct {
	t         *lookupTable
	scanner   input.Scanner
	vals      []schema.Value // of a row: the requested columns, the join column, and forbidden ones
	watch     *ColumnTracker // nil if the columns are known without rows
	nulls     [][]string     // by column: strings that mean missing
	forbidden []string       // keys that no row may have
	keys      []string
	columns   [][]schema.Value // by requested column, in the table's order
	arena     []byte           // memory for strings
}

func (l *tableLoader) addRow(file int, rec *input.Record) error {
	has, err := l.scanRow(file, rec)
	if err != nil || !has {
		return err
	}
	n := len(l.columns)
	for i, key := range l.forbidden {
		if v := &l.vals[n+1+i]; v.Kind != schema.Missing {
			bad := &schema.RowError{At: int(v.At), Message: l.t.forbidden[key], Hint: "prefix: joined."}
			return l.t.rowError(file, rec, bad)
		}
	}
	key, _ := l.vals[n].AsText(nil) // scanRow has checked it
	l.keys = append(l.keys, string(key))
	for i := range l.columns {
		v := &l.vals[i]
		if IsMissing(l.nulls[i], v) {
			v = &schema.Value{Mixed: v.Mixed}
		}
		l.columns[i] = append(l.columns[i], l.copyValue(v))
		l.t.mixed[i] = l.t.mixed[i] || v.Mixed == schema.MixedDropped
	}
	return nil
}

// scanRow reads a row, and reports whether it has a key to join on.
func (l *tableLoader) scanRow(file int, rec *input.Record) (has bool, err error) {
	if rec.Bad != nil {
		return false, l.t.rowError(file, rec, rec.Bad)
	}
	if _, err := l.scanner.Scan(file, rec.Offset, rec.Raw, l.vals); err != nil {
		return false, l.t.rowError(file, rec, err)
	}
	if l.watch != nil {
		l.watch.Look(rec.Raw, l.vals)
	}
	n := len(l.columns)
	if IsMissing(l.nulls[n], &l.vals[n]) {
		return false, nil // no row of the source can match it
	}
	if _, ok := l.vals[n].AsText(nil); !ok {
		return false, l.t.rowError(file, rec, joinTypeError(&l.vals[n], l.t.join.On.Theirs))
	}
	return true, nil
}

// joinTypeError returns the error of a value that cannot be joined on.
func joinTypeError(v *schema.Value, column string) error {
	found := "a list"
	switch v.Kind {
	case schema.Object:
		found = "an object"
	case schema.Bytes:
		found = "the content of a file"
	}
	return &schema.RowError{Code: "TYPE", At: int(v.At), Column: column, Message: "found " + found + "; expected a string or a number to join on"}
}

// groupRows groups the rows by key, in the table's order. It returns the first row whose key an
// earlier row has.
func (l *tableLoader) groupRows() (duplicate int, found bool) {
	t := l.t
	order := make([]int32, len(l.keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return strings.Compare(l.keys[a], l.keys[b]) })
	t.rows = make(map[string]span, len(order))
	duplicate = len(order)
	for i, at := range order {
		key := l.keys[at]
		if i > 0 && key == l.keys[order[i-1]] {
			duplicate = min(duplicate, int(at))
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
	return duplicate, duplicate < len(order)
}

// duplicateError returns the error of two rows with one key. second is the number of the second
// row. It reads the table again for their lines, which are not stored: tables are large, and few
// have duplicates.
func (l *tableLoader) duplicateError(ctx context.Context, second int) error {
	t, key := l.t, l.keys[second]
	first, n := "", 0
	for file := range t.in.Listing().Files {
		err := input.EachRow(ctx, t.in, file, func(rec *input.Record) error {
			has, err := l.scanRow(file, rec)
			if err != nil || !has {
				return err
			}
			n++
			at := rec.Position(t.in.Path(file), &schema.RowError{At: int(l.vals[len(l.columns)].At)})
			switch {
			case n == second+1:
				text := fmt.Sprintf("a second row with %s %s, but a row can take only one; the first is %s", t.join.On.Theirs, schema.Quote([]byte(key)), first)
				return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: text, Hint: "many: true"}
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

// arenaSize is how many bytes are allocated for strings at a time.
const arenaSize = 64 << 10

// copyValue returns a copy of v that is valid after the next row is scanned.
func (l *tableLoader) copyValue(v *schema.Value) schema.Value {
	c := *v
	c.At = 0 // the offset is not in the row that gets the value
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
			c.List[i] = l.copyValue(&v.List[i])
		}
	}
	return c
}

// rowError adds the position to the error of an invalid row of the table.
func (t *lookupTable) rowError(file int, rec *input.Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	at := rec.Position(t.in.Path(file), bad)
	return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), Hint: bad.Hint, Code: bad.Code}
}
