package sources

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/expr"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A tableLoader loads a lookup table into memory.
type tableLoader struct {
	t         *lookupTable
	layout    *Layout
	reader    *Reader
	columns   [][]schema.Value // by requested column, which have the first slots; in the table's order
	on        []inputColumn    // the join columns
	order     tableOrder
	where     *tableCondition // nil without where
	watch     *ColumnTracker  // nil if the columns are known without rows
	invalid   invalidRows
	nulls     [][]string // by slot: strings that mean missing
	forbidden []string   // keys that no row may have
	barred    []int      // their slots
	keyless   int        // rows without a key
	skipped   int64      // rows that where skips
	keys      []string
	key       joinKey // of the last row
	arena     []byte  // memory for strings
	file      int     // of the current row
	number    int64   // of the current row in its file, from 0
}

// newLoader binds the columns of a table that are requested, or that the join needs.
func (t *lookupTable) newLoader() (*tableLoader, error) {
	requested := t.requested.Columns()
	t.mixed = make([]bool, len(requested))
	l := &tableLoader{t: t, file: -1, columns: make([][]schema.Value, len(requested)),
		forbidden: slices.Sorted(maps.Keys(t.forbidden))}
	var slots column.Slots[schema.Column]
	add := func(name string) int { return slots.Of(schema.Column{Name: name}) }
	for _, name := range requested {
		add(name)
	}
	for _, c := range t.join.On {
		l.on = append(l.on, inputColumn{name: c.Theirs, slot: add(c.Theirs), nulls: t.source.Nulls(c.Theirs)})
	}
	for _, name := range l.forbidden {
		l.barred = append(l.barred, add(name))
	}
	l.order = tableOrder{many: t.join.Many}
	if t.join.Many.Sort != "" {
		l.order.slot = add(t.join.Many.Sort)
	}
	for _, c := range slots.Columns() {
		l.nulls = append(l.nulls, t.source.Nulls(c.Name))
	}
	var err error
	if l.where, err = t.newCondition(); err != nil {
		return nil, err
	}
	if l.layout, err = t.source.Bind(slots.Columns()); err != nil {
		return nil, err
	}
	l.reader, l.watch = l.layout.NewReader(), l.layout.NewColumnTracker()
	return l, nil
}

// A tableCondition is the condition for the rows of a lookup table. It reads its columns before the
// others, so a row that it skips needs no other valid column.
type tableCondition struct {
	reader    *Reader
	evaluator *expr.Evaluator
}

// newCondition binds the condition for the rows; it returns nil if the table has none.
func (t *lookupTable) newCondition() (*tableCondition, error) {
	p := t.where
	if p == nil {
		return nil, nil
	}
	var columns []schema.Column
	var slots []int
	var nulls [][]string
	for i, name := range p.Columns() {
		columns, slots, nulls = append(columns, schema.Column{Name: name}), append(slots, i), append(nulls,
			t.source.Nulls(name))
	}
	layout, err := t.source.Bind(columns)
	if err != nil {
		return nil, err
	}
	return &tableCondition{layout.NewReader(), p.Bind(slots, nulls)}, nil
}

// skips reports whether the condition excludes a row. There may be no condition.
func (c *tableCondition) skips(file int, rec *input.Record) (bool, error) {
	if c == nil {
		return false, nil
	}
	vals, err := c.reader.Read(file, rec.Offset, rec.Raw)
	if err != nil {
		return false, err
	}
	kept, bad := c.evaluator.Bool(vals)
	if bad != nil {
		bad.Message = "where: " + bad.Message
		return false, bad
	}
	return !kept, nil
}

// close closes the readers.
func (l *tableLoader) close() {
	l.reader.Close()
	if l.where != nil {
		l.where.reader.Close()
	}
	if l.invalid.reader != nil {
		l.invalid.reader.Close()
	}
}

func (l *tableLoader) addRow(file int, rec *input.Record) error {
	if l.number++; l.file != file {
		l.file, l.number = file, 0
	}
	vals, err := l.scanRow(file, rec)
	if err != nil {
		return l.addInvalid(file, rec, err)
	}
	if vals == nil {
		return nil
	}
	for i, slot := range l.barred {
		if v := &vals[slot]; v.Kind != schema.Missing {
			bad := &schema.RowError{At: int(v.At), Message: l.t.forbidden[l.forbidden[i]], Hint: "prefix: joined."}
			return l.t.rowError(file, rec, bad)
		}
	}
	// This is the last step that may fail. A row is in all lists below, or in none, since they have equal indexes.
	if err := l.order.add(vals, l.nulls[l.order.slot]); err != nil {
		return l.addInvalid(file, rec, err)
	}
	l.keys = append(l.keys, l.addKey())
	l.t.places.begin(file, l.number, rec)
	for i := range l.columns {
		v := &vals[i]
		if IsMissing(l.nulls[i], v) {
			v = &schema.Value{Mixed: v.Mixed, At: v.At}
		}
		l.columns[i] = append(l.columns[i], l.copyValue(v))
		l.t.mixed[i] = l.t.mixed[i] || v.Mixed == schema.MixedDropped
	}
	return nil
}

// scanRow reads a row, and its key into l.key. It returns nil if the row matches nothing: if it has
// no key, or where excludes it.
func (l *tableLoader) scanRow(file int, rec *input.Record) ([]schema.Value, error) {
	if rec.Bad != nil {
		return nil, rec.Bad
	}
	skipped, err := l.where.skips(file, rec)
	if err != nil {
		return nil, err
	}
	if skipped {
		l.skipped++
		return nil, nil
	}
	vals, err := l.reader.Read(file, rec.Offset, rec.Raw)
	if err != nil {
		return nil, err
	}
	if l.watch != nil {
		l.watch.Track(rec.Raw, vals)
	}
	isMissing, err := l.key.read(vals, l.on)
	if isMissing {
		l.keyless++
		return nil, nil
	}
	return vals, err
}

// addKey returns the key of the last row, and stores how it is written.
func (l *tableLoader) addKey() string {
	key := string(l.key.value)
	if !l.key.differs() {
		return key
	}
	if l.t.spelled == nil {
		l.t.spelled = map[string]string{}
	}
	if _, known := l.t.spelled[string(l.key.text)]; !known {
		l.t.spelled[string(l.key.text)] = key
	}
	return key
}

// groupRows groups the rows by key. The rows of a key are in the order of the table, or sorted. It
// returns the first row whose key an earlier row has; without one, the number of rows.
func (l *tableLoader) groupRows(ctx context.Context) (duplicate int, err error) {
	t := l.t
	order, err := l.sortRows(ctx)
	if err != nil {
		return 0, err
	}
	t.rows = make(map[string]span, len(order))
	duplicate = len(order)
	for i, at := range order {
		if i%stepsPerLook == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		key := l.keys[at]
		if i > 0 && key == l.keys[order[i-1]] {
			duplicate = min(duplicate, int(at)) // the sort is by key, so a later group may be earlier in the table
			t.rows[key] = span{t.rows[key].lo, i + 1}
			continue
		}
		t.rows[key] = span{i, i + 1}
	}
	for key, i := range l.invalid.byKey { // also if valid rows have the key: these alone would be a wrong match
		t.rows[key] = span{lo: -1 - i}
	}
	t.files, t.places.sorted = make([]int32, len(order)), make([]int32, len(order))
	for i, at := range order {
		t.files[i], t.places.sorted[at] = t.places.rows[at].file, int32(i)
	}
	t.values = make([][]schema.Value, len(l.columns))
	for c, column := range l.columns {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		l.columns[c] = nil // so that at most one column is in memory twice
		sorted := make([]schema.Value, len(order))
		for i, at := range order {
			sorted[i] = column[at]
		}
		t.values[c] = sorted
	}
	return duplicate, nil
}

// stepsPerLook is how many rows or comparisons pass between two looks whether the run stops.
const stepsPerLook = 1 << 16

// sortRows returns the numbers of the rows by key, then by the order of the join.
func (l *tableLoader) sortRows(ctx context.Context) ([]int32, error) {
	order := make([]int32, len(l.keys))
	for i := range order {
		order[i] = int32(i)
	}
	comparisons, stopped := 0, false
	// Stable: equal rows stay in the order of the table, which is the order of matches without many.sort.
	slices.SortStableFunc(order, func(a, b int32) int {
		if comparisons++; comparisons%stepsPerLook == 0 {
			stopped = stopped || ctx.Err() != nil
		}
		if stopped { // the sort of equal rows ends soon
			return 0
		}
		if c := strings.Compare(l.keys[a], l.keys[b]); c != 0 {
			return c
		}
		return l.order.compare(a, b)
	})
	if stopped {
		return nil, context.Cause(ctx)
	}
	return order, nil
}

// duplicateError returns the error of two rows with one key. second is the number of the second
// row. It reads the table again for their lines, which are not stored: tables are large, and few
// have duplicates.
func (l *tableLoader) duplicateError(ctx context.Context, second int) error {
	t, key := l.t, l.keys[second]
	first, n := "", 0
	_, err := input.AllRows(ctx, t.source.Input, func(file int, rec *input.Record) error {
		vals, err := l.scanRow(file, rec)
		if _, isInvalid := err.(*schema.RowError); isInvalid || vals == nil {
			return nil // such rows have no key in l.keys, too
		}
		if err != nil {
			return err
		}
		n++
		at := rec.Position(t.source.Path(file), &schema.RowError{At: int(vals[l.on[0].slot].At)})
		switch {
		case n == second+1:
			text := fmt.Sprintf("a second row with %s, but a row can take only one; the first is %s",
				lookedUp(l.on, vals, -1), first)
			return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: text,
				Hint: "many: true"}
		case first == "" && l.keys[n-1] == key:
			first = fmt.Sprintf("%s:%d", at.Path, at.Line)
		}
		return nil
	})
	if err == nil {
		err = &input.Error{Path: t.source.Listing().Label, Err: files.ErrChanged}
	}
	return err
}

// arenaSize is how many bytes are allocated for strings at a time.
const arenaSize = 64 << 10

// copyValue returns a copy of v that is valid after the next row is scanned.
func (l *tableLoader) copyValue(v *schema.Value) schema.Value {
	c := *v
	c.At = l.t.places.add(v.At) // the offset is not in the row that gets the value
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
