package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/expr"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A lookupTable is a joined table in memory. The rows with the same values of the join columns are
// adjacent, in the table's order or sorted.
//
//	rows:   "a" → [0,2)   "b" → [2,3)
//	values: column x: x0 x1 x2    column y: y0 y1 y2
//
// The keys are results of [schema.Value.Key]: numbers match by value. A string also matches a number that is written
// so, such as "7.0", unless another row has the string.
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
	observed  *input.Observations  // of the images of all rows
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
	local.Listed, local.Side = nil, true // the earlier listing is of the source
	t := &lookupTable{join: j, forbidden: map[string]string{}}
	var err error
	if t.source, err = Open(ctx, j.Table(), &local); err != nil {
		return nil, err
	}
	_, theirs := j.On.Names()
	if err := t.source.ReadHeads(ctx, append(theirs, column.Named(string(j.Where))...)); err != nil {
		return nil, err
	}
	if err := t.readColumns(ctx, sampleRows); err != nil {
		return nil, err
	}
	lacks := func(c JoinColumn) bool { return !t.hasColumn(c.Theirs) }
	// Before a join column is an error, all rows are read. JSON Lines may have it only in later rows.
	if slices.ContainsFunc(j.On, lacks) && !t.all {
		if err := t.readColumns(ctx, -1); err != nil {
			return nil, err
		}
	}
	if i := slices.IndexFunc(j.On, lacks); i >= 0 && t.found {
		return nil, t.missingColumn(j.On[i].Theirs, "join on", "on")
	}
	// If not all names are known, loading reports the first row without a value to sort by.
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
		fit = t.source.unknownError(problem.Column, t.source.columns.Names(), true)
	}
	fit.Hint, fit.Key = cmp.Or(problem.Hint, fit.Hint), t.join.At+".where"
	return fit
}

// missingColumn returns the error of a table without a column that a key of the join names.
func (t *lookupTable) missingColumn(name, needed, key string) error {
	isCommon := func(name string) bool { return slices.Contains(column.TableColumns, name) }
	fit := t.source.noColumn(name, " to "+needed, slices.DeleteFunc(slices.Clone(t.names), isCommon), true)
	fit.Key = t.join.At + "." + key
	return fit
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
	t.keyless, t.skipped, t.observed = l.keyless, l.skipped, l.reader.Observed
	// A table whose rows are all invalid has rows to match: these make rows of the source invalid.
	if len(l.keys) == 0 && t.invalid == nil && !t.join.AllowEmpty && !t.join.Kind.EmptyAllowed() {
		none := &input.MismatchError{Path: t.source.Listing().Label, Text: "the lookup table has no row to join",
			Hint: "allow_empty: true", Code: "NO_ROWS"}
		if t.skipped > 0 {
			none.Key, none.Text = t.join.At+".where",
				fmt.Sprintf("%s.where skips all %s of the lookup table", t.join.At, plural.Of(t.skipped, "row"))
		}
		return none
	}
	if l.watch != nil {
		for i, c := range l.layout.bound {
			// The slots after these are of join columns and others that the loader itself checks.
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

// keyText returns the value of a join column for messages: subject "a".
func keyText(column string, v *schema.Value) string {
	text, _ := v.AsText(nil)
	return column + " " + schema.Quote(text)
}

// rowError adds the position to the error of an invalid row of the table.
func (t *lookupTable) rowError(file int, rec *input.Record, err error) error {
	bad, ok := err.(*schema.RowError)
	if !ok {
		return err
	}
	at := rec.Position(t.source.Path(file), bad)
	return &input.MismatchError{Path: at.Path, Line: at.Line, Col: at.Col, Excerpt: at.Excerpt,
		Text: strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]"), // a MismatchError adds the code itself
		Hint: bad.Hint, Code: bad.Code}
}
