package expr

import "tfr-build/schema"

// A Program is a compiled expression. It is immutable; several Evaluators may share it.
type Program struct {
	root      *node
	columns   []string
	value     anyFn
	condition boolFn // nil if the expression is never a bool
}

// Compile parses and checks an expression. known reports whether a column exists, and returns its
// type, or Dynamic if the type depends on the row.
func Compile(text string, known func(column string) (Type, bool)) (*Program, *Error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	c := &checker{known: known, indexes: map[string]int{}}
	c.check(root)
	c.rejectLists(root)
	if root.op == opList {
		c.addError(root.at, "a list in brackets may only follow in, or be the argument of size", `x in ["a", "b"]`)
	}
	if c.err != nil {
		return nil, c.err
	}
	p := &Program{root: root, columns: c.columns, value: anyOf(root)}
	if root.kinds&likeBool != 0 {
		p.condition = boolOf(root)
	}
	return p, nil
}

// Columns returns the columns that the expression reads, each once, in the order of their first
// use.
func (p *Program) Columns() []string { return p.columns }

// Type returns the type of the expression's values, or Dynamic if it depends on the row. Values may
// also be missing.
func (p *Program) Type() Type { return p.root.kinds.asType() }

// Condition returns an error if the expression can never be true or false, and otherwise nil.
func (p *Program) Condition() *Error {
	if p.condition != nil {
		return nil
	}
	return &Error{At: p.root.at, Text: "a condition is true or false, found " + p.root.kinds.String() + ": " + p.root.snippet()}
}

// An Evaluator computes a program's value row by row. Use one per goroutine.
type Evaluator struct {
	program *Program
	eval    eval
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
}

// Bind returns an Evaluator for rows with the values of Columns at the indexes slots. A string of
// column i that is in nulls[i] is missing. nulls may be nil or shorter than slots.
func (p *Program) Bind(slots []int, nulls [][]string) *Evaluator {
	e := eval{slots: slots, nulls: make([][]string, len(slots))}
	for i := range min(len(nulls), len(slots)) {
		e.nulls[i] = nulls[i]
		e.hasNulls = e.hasNulls || len(nulls[i]) > 0
	}
	return &Evaluator{program: p, eval: e}
}

// begin sets the row.
func (e *Evaluator) begin(vals []schema.Value) *eval {
	e.eval.vals, e.eval.made, e.eval.err = vals, e.eval.made[:0], nil
	return &e.eval
}

// Bool returns whether the expression is true in a row. Call it only if Condition returned nil.
func (e *Evaluator) Bool(vals []schema.Value) (bool, *schema.RowError) {
	x, ok := e.program.condition(e.begin(vals))
	if !ok {
		return false, e.eval.err
	}
	return x, nil
}

// Value returns the value of the expression in a row: a Number, a String, a Bool, or Missing. If
// the expression is a column, it is the column's value unchanged, and may be a Text. The value is
// valid until the next call.
func (e *Evaluator) Value(vals []schema.Value) (schema.Value, *schema.RowError) {
	root, row := e.program.root, e.begin(vals)
	d, ok := e.program.value(row)
	switch {
	case !ok:
		return schema.Value{}, row.err
	case d.is == isMissing:
		return schema.Value{}, nil
	case d.value != nil && d.is != isList && d.value.Kind != schema.Array:
		return *d.value, nil
	}
	text, ok := row.format(root, &d)
	if !ok {
		return schema.Value{}, row.err
	}
	kind := schema.Number
	switch d.is {
	case isText:
		kind = schema.String
	case isBool:
		kind = schema.Bool
	}
	return schema.Value{Kind: kind, Text: text}, nil
}
