package expr

import (
	"encoding/binary"
	"math"

	"tfr-build/internal/room"
	"tfr-build/schema"
)

// A Program is a compiled expression. It is immutable; several Evaluators may share it.
type Program struct {
	root      *node
	columns   []string
	variables int // how many comprehensions are nested
	stored    int // lists and elements that are stored; see eval.stored
}

// Compile parses and checks an expression. known reports whether a column exists, and returns its
// type, or Dynamic if the type depends on the row.
func Compile(text string, known func(column string) (Type, bool)) (*Program, *Error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	c := &checker{known: known, indexes: map[string]int{}, stored: 1} // a column has slot 0, and stores nothing
	c.check(root)
	if c.err != nil {
		return nil, c.err
	}
	return &Program{root: root, columns: c.columns, variables: c.variables, stored: c.stored}, nil
}

// Columns returns the columns that the expression reads, each once, in the order of their first
// use.
func (p *Program) Columns() []string { return p.columns }

// Type returns the type of the expression's values, or Dynamic if it depends on the row. Values may
// also be missing.
func (p *Program) Type() Type { return p.root.kinds.asType() }

// MayBeList reports whether the value may be a list in some row.
func (p *Program) MayBeList() bool { return p.root.kinds&isList != 0 }

// Condition returns an error if the expression can never be true or false, and otherwise nil.
func (p *Program) Condition() *Error {
	if p.root.kinds&likeBool != 0 {
		return nil
	}
	return &Error{At: p.root.at, Text: "a condition is true or false, found " + p.root.kinds.String() + ": " +
		p.root.snippet()}
}

// An Evaluator computes a program's value row by row. Use one per goroutine.
type Evaluator struct {
	eval
	program *Program
	arrays  bool    // see ReturnArrays
	number  [8]byte // of an Array
}

// An eval is the state of an evaluation: the row, and the strings built from it.
type eval struct {
	slots    []int
	nulls    [][]string
	hasNulls bool           // whether any column has nulls
	vals     []schema.Value // the row
	made     []byte         // the strings that were built
	err      *schema.RowError
	none     schema.Value // a missing value, for strings that mean missing

	meter  *Meter          // of the row; own, unless it is shared
	own    Meter           // for one row
	values room.Room       // elements of computed lists
	vars   []*schema.Value // the current element of each comprehension, by nesting
	stored []schema.Value  // computed lists, and elements of arrays, each of a node
}

// Bind returns an Evaluator for rows with the values of Columns at the indexes slots. A string of
// column i that is in nulls[i], which is sorted, is missing. nulls may be nil or shorter than slots.
func (p *Program) Bind(slots []int, nulls [][]string) *Evaluator {
	e := &Evaluator{program: p}
	e.slots, e.nulls = slots, make([][]string, len(slots))
	for i := range min(len(nulls), len(slots)) {
		e.nulls[i] = nulls[i]
		e.hasNulls = e.hasNulls || len(nulls[i]) > 0
	}
	e.vars, e.stored, e.meter = make([]*schema.Value, p.variables), make([]schema.Value, p.stored), &e.own
	return e
}

// Share makes the steps of this evaluator count in m, together with the steps of other evaluators. The
// caller resets m for each row.
func (e *Evaluator) Share(m *Meter) { e.meter = m }

// begin sets the row.
func (e *eval) begin(vals []schema.Value) {
	e.vals, e.made, e.err = vals, e.made[:0], nil
	e.own.steps = 0
	e.values.Reset()
}

// Bool returns whether the expression is true in a row. Call it only if Condition returned nil.
func (e *Evaluator) Bool(vals []schema.Value) (bool, *schema.RowError) {
	e.begin(vals)
	x := e.bool(e.program.root)
	return x, e.err
}

// ReturnArrays makes Value return a number that was computed as an Array of one number, which is
// stored without printing and parsing it. Its decimal string is stored to the same bytes. An
// expression that may be a list returns no Array, because an Array is a list, too.
func (e *Evaluator) ReturnArrays() { e.arrays = !e.program.MayBeList() }

// Value returns the value of the expression in a row: a Number, a String, a Bool, a List, an Array,
// or Missing. If the expression is a column, it is the column's value unchanged, and may be a Text.
// The value is valid until the next call.
func (e *Evaluator) Value(vals []schema.Value) (schema.Value, *schema.RowError) {
	e.begin(vals)
	d := e.compute(e.program.root)
	if !e.arrays || d.is&numeric == 0 || d.value != nil || e.err != nil || d.num.isRoundedByDigits() {
		return e.toValue(e.program.root, d), e.err
	}
	v := schema.Value{Kind: schema.Array, Elem: schema.Int64, Text: e.number[:]}
	bits := uint64(d.num.int)
	if d.num.isFloat {
		v.Elem, bits = schema.Float64, math.Float64bits(d.num.float)
	}
	binary.LittleEndian.PutUint64(v.Text, bits)
	return v, nil
}
