package sources

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/expr"
	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A lookupTable is a joined table in memory. The rows with the same values of the join columns are
// adjacent, in the table's order or sorted.
//
//	rows:   "a" → [0,2)   "b" → [2,3)
//	values: column x: x0 x1 x2    column y: y0 y1 y2
//
// The keys are results of [schema.Value.Key]: numbers match by value. A string also matches a number that is written so, such
// as "7.0", unless another row has the string.
type lookupTable struct {
	join      *Join
	source    *Source         // its rows, with from_path and derive
	names     []string        // of its columns; see readColumns
	known     map[string]bool // the same names
	found     bool            // the source type has columns
	all       bool            // names has the columns of all rows
	rows      map[string]span
	spelled   map[string]string    // the keys of numbers by their strings, if these differ; may be nil
	values    [][]schema.Value     // by requested column; At is a number in places
	places    tablePlaces          // of the values
	files     []int32              // by row
	mixed     []bool               // by requested column: a value is or has a schema.MixedDropped
	requested column.Slots[string] // by their names in the table
	where     *expr.Program        // nil without where
	missing   []string             // requested columns that no row has, if only rows have the columns
	keyless   int                  // rows without a key, which match nothing
	skipped   int64                // rows that where skips
	forbidden map[string]string    // keys that no row may have, with the error of a row that has one
	invalid   []*schema.RowError   // of rows, for those that match them
}

// A span is the rows of a key. If one of them is invalid, lo is -1 less its index in lookupTable.invalid.
type span struct{ lo, hi int }

// isEmpty reports whether no row matches.
func (s span) isEmpty() bool { return s.lo == s.hi }

// isInvalid reports whether an invalid row matches.
func (s span) isInvalid() bool { return s.lo < 0 }

// openJoin opens a lookup table and reads the names of its columns.
func openJoin(ctx context.Context, j *Join, env *input.Env) (*lookupTable, error) {
	local := *env
	local.Listed, local.Side = nil, true
	t := &lookupTable{join: j, forbidden: map[string]string{}}
	var err error
	if t.source, err = Open(ctx, j.Table(), &local); err != nil {
		return nil, err
	}
	_, theirs := j.On.Names()
	if err := t.source.ReadHeads(ctx, append(theirs, column.Named(string(j.Where))...)); err != nil {
		return nil, err
	}
	if err := t.readColumns(ctx, sampledRows); err != nil {
		return nil, err
	}
	lacks := func(c JoinColumn) bool { return !t.hasColumn(c.Theirs) }
	if slices.ContainsFunc(j.On, lacks) && !t.all {
		if err := t.readColumns(ctx, -1); err != nil {
			return nil, err
		}
	}
	if i := slices.IndexFunc(j.On, lacks); i >= 0 && t.found {
		return nil, t.missingColumn(j.On[i].Theirs, "join on", "on")
	}
	if s := j.Many.Sort; s != "" && t.all && t.found && !t.hasColumn(s) {
		return nil, t.missingColumn(s, "sort by", "many.sort")
	}
	return t, t.compileWhere()
}

// compileWhere compiles the condition for the rows.
func (t *lookupTable) compileWhere() error {
	text := string(t.join.Where)
	if text == "" {
		return nil
	}
	p, problem := t.source.columns.Compile(text)
	if problem == nil {
		problem = p.Condition()
	}
	if problem == nil {
		t.where = p
		return nil
	}
	fit := &input.MismatchError{Path: t.source.Listing().Label, Text: "where: " + problem.Text}
	if problem.Column != "" {
		fit = t.source.unknownError(problem.Column, true)
	}
	fit.Hint, fit.Key = cmp.Or(problem.Hint, fit.Hint), t.join.At+".where"
	return fit
}

// missingColumn returns the error of a table without a column that a key of the join names.
func (t *lookupTable) missingColumn(name, needed, key string) error {
	isCommon := func(name string) bool { return slices.Contains(column.TableColumns, name) }
	found := slices.DeleteFunc(slices.Clone(t.names), isCommon)
	meant := ""
	if n := nearest.Of(name, found); n != "" {
		meant = "; did you mean " + schema.Quote(n) + "?"
	}
	text := fmt.Sprintf("no column %s to %s%s; found: %s", schema.Quote(name), needed, meant, input.NameList(found))
	return &input.MismatchError{Path: t.source.Listing().Label, Text: text, Code: input.MissingColumn, Key: t.join.At + "." + key}
}

// hasColumn reports whether the table has a column, according to the known names.
func (t *lookupTable) hasColumn(name string) bool {
	return t.known[name] || t.source.Input.Columns().Nested && t.known[topOf(name)]
}

// ownColumns returns the requested columns that are the source type's own.
func (t *lookupTable) ownColumns() (list []input.Bound) {
	for i, name := range t.requested.Columns() {
		if c, ok := t.source.columns.Find(name); ok && c.Step == column.Own {
			list = append(list, input.Bound{Name: name, Slot: i})
		}
	}
	return list
}

// load reads the requested columns into memory, grouped by key.
func (t *lookupTable) load(ctx context.Context) error {
	l, err := t.newLoader()
	if err != nil {
		return err
	}
	defer l.close()
	if _, err := input.AllRows(ctx, t.source.Input, l.addRow); err != nil {
		return err
	}
	if len(l.keys) == 0 && t.invalid == nil && !t.join.AllowEmpty && !t.join.Kind.EmptyAllowed() {
		none := &input.MismatchError{Path: t.source.Listing().Label, Text: "the lookup table has no row to join", Hint: "allow_empty: true", Code: "NO_ROWS"}
		if t.skipped > 0 {
			none.Key, none.Text = t.join.At+".where", fmt.Sprintf("%s.where skips all %s of the lookup table", t.join.At, plural.Of(t.skipped, "row"))
		}
		return none
	}
	if l.watch != nil {
		for i, c := range l.layout.bound {
			if c.Slot < len(l.columns) && l.watch.seen.isMissing(i) {
				t.missing = append(t.missing, t.requested.Columns()[c.Slot])
			}
		}
	}
	duplicate, err := l.groupRows(ctx)
	if err == nil && duplicate < len(l.keys) && !t.join.Many.Allowed {
		return l.duplicateError(ctx, duplicate)
	}
	return err
}

// A tableLoader loads a lookup table into memory.
type tableLoader struct {
	t         *lookupTable
	layout    *Layout
	reader    *Reader
	columns   [][]schema.Value // by requested column, which have the first slots; in the table's order
	on        []int            // slots of the join columns
	order     tableOrder
	where     *tableCondition // nil without where
	watch     *ColumnTracker  // nil if the columns are known without rows
	invalid   invalidRows
	nulls     [][]string // by slot: strings that mean missing
	forbidden []string   // keys that no row may have
	barred    []int      // their slots
	keyless   int        // rows without a key
	keys      []string
	key       joinKey // of the last row
	arena     []byte  // memory for strings
	files     []int32
	file      int   // of the current row
	number    int64 // of the current row in its file, from 0
}

// newLoader binds the columns of a table that are requested, or that the join needs.
func (t *lookupTable) newLoader() (*tableLoader, error) {
	requested := t.requested.Columns()
	t.mixed = make([]bool, len(requested))
	l := &tableLoader{t: t, file: -1, columns: make([][]schema.Value, len(requested)), forbidden: slices.Sorted(maps.Keys(t.forbidden))}
	var slots column.Slots[schema.Column]
	add := func(name string) int { return slots.Of(schema.Column{Name: name}) }
	for _, name := range requested {
		add(name)
	}
	for _, c := range t.join.On {
		l.on = append(l.on, add(c.Theirs))
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
		columns, slots, nulls = append(columns, schema.Column{Name: name}), append(slots, i), append(nulls, t.source.Nulls(name))
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
	if err := l.order.add(vals, l.nulls[l.order.slot]); err != nil {
		return l.addInvalid(file, rec, err)
	}
	l.keys = append(l.keys, l.addKey())
	l.files = append(l.files, int32(file))
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
		l.t.skipped++
		return nil, nil
	}
	vals, err := l.reader.Read(file, rec.Offset, rec.Raw)
	if err != nil {
		return nil, err
	}
	if l.watch != nil {
		l.watch.Look(rec.Raw, vals)
	}
	hasKey, err := l.readKey(vals, l.on)
	if !hasKey {
		return nil, err
	}
	return vals, nil
}

// readKey reads the key of a row into l.key. It returns false if the row has none, so that no row of the source can
// match it. slots has the slots of the join columns.
func (l *tableLoader) readKey(vals []schema.Value, slots []int) (hasKey bool, err error) {
	l.key.reset()
	for i, slot := range slots {
		v := &vals[slot]
		if IsMissing(l.nulls[l.on[i]], v) {
			l.keyless++
			return false, nil
		}
		if !l.key.add(v, len(slots)) {
			return false, joinTypeError(v, l.t.join.On[i].Theirs)
		}
	}
	return true, nil
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

// groupRows groups the rows by key. The rows of a key are in the order of the table, or sorted. It
// returns the first row whose key an earlier row has; without one, the number of rows.
func (l *tableLoader) groupRows(ctx context.Context) (duplicate int, err error) {
	t := l.t
	t.keyless = l.keyless
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
			duplicate = min(duplicate, int(at))
			t.rows[key] = span{t.rows[key].lo, i + 1}
			continue
		}
		t.rows[key] = span{i, i + 1}
	}
	for key, i := range l.invalid.byKey {
		t.rows[key] = span{lo: -1 - i}
	}
	t.files, t.places.sorted = make([]int32, len(order)), make([]int32, len(order))
	for i, at := range order {
		t.files[i], t.places.sorted[at] = l.files[at], int32(i)
	}
	t.values = make([][]schema.Value, len(l.columns))
	for c, column := range l.columns {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		l.columns[c] = nil
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
			return nil
		}
		if err != nil {
			return err
		}
		n++
		at := rec.Position(t.source.Path(file), &schema.RowError{At: int(vals[l.on[0]].At)})
		switch {
		case n == second+1:
			var values []*schema.Value
			for _, slot := range l.on {
				values = append(values, &vals[slot])
			}
			_, theirs := t.join.On.Names()
			text := fmt.Sprintf("a second row with %s, but a row can take only one; the first is %s", keyText(theirs, values), first)
			return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: text, Hint: "many: true"}
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

// keyText returns the values of join columns for messages: subject "a", event "7".
func keyText(columns []string, values []*schema.Value) string {
	parts := make([]string, len(columns))
	for i, name := range columns {
		text, _ := values[i].AsText(nil)
		parts[i] = name + " " + schema.Quote(text)
	}
	return strings.Join(parts, ", ")
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

// rowError adds the position to the error of an invalid row of the table.
func (t *lookupTable) rowError(file int, rec *input.Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	at := rec.Position(t.source.Path(file), bad)
	return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt, Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), Hint: bad.Hint, Code: bad.Code}
}
