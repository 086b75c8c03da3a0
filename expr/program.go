package expr

import "tfr-build/schema"

// A Program is a compiled expression. It is never changed: any number of
// Evaluators share it.
type Program struct {
	root      *node
	columns   []string
	value     anyFn
	condition boolFn // nil where the expression is never a bool
}

// Compile parses and checks an expression. known tells whether a column is there,
// and its type where that is known without rows; Dynamic else.
func Compile(text string, known func(column string) (Type, bool)) (*Program, *Error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	c := &checker{known: known, places: map[string]int{}}
	c.check(root)
	c.outside(root)
	if root.op == opList {
		c.fault(root.at, "a list stands after in only", `x in ["a", "b"]`)
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

// Columns are the columns that are read, each once, as they are first mentioned.
func (p *Program) Columns() []string { return p.columns }

// Type is what the expression gives, where it gives a value; Dynamic, where only the
// rows tell.
func (p *Program) Type() Type { return p.root.kinds.known() }

// Condition faults an expression that is never true or false; nil for others.
func (p *Program) Condition() *Error {
	if p.condition != nil {
		return nil
	}
	return &Error{At: p.root.at, Text: "a condition is true or false, found " + p.root.kinds.String() + ": " + p.root.part()}
}

// An Evaluator computes a program's value row by row. It is for one goroutine.
type Evaluator struct {
	program *Program
	eval    eval
}

// An eval is what the functions of a program compute with: a row, and what they made
// of it.
type eval struct {
	slots    []int
	nulls    [][]string
	hasNulls bool           // any
	vals     []schema.Value // of the row
	made     []byte         // the texts that were made
	err      *schema.RowError
	none     schema.Value // a missing one, for texts that mean that
}

// Bind makes an Evaluator for rows whose values of Columns stand in these slots. A
// text of column i that is one of nulls[i] is missing; nulls may be nil or shorter.
func (p *Program) Bind(slots []int, nulls [][]string) *Evaluator {
	e := eval{slots: slots, nulls: make([][]string, len(slots))}
	for i := range min(len(nulls), len(slots)) {
		e.nulls[i] = nulls[i]
		e.hasNulls = e.hasNulls || len(nulls[i]) > 0
	}
	return &Evaluator{program: p, eval: e}
}

// begin takes a row.
func (e *Evaluator) begin(vals []schema.Value) *eval {
	e.eval.vals, e.eval.made, e.eval.err = vals, e.eval.made[:0], nil
	return &e.eval
}

// Bool is whether the row fulfills the expression, of which Condition said that it
// can.
func (e *Evaluator) Bool(vals []schema.Value) (bool, *schema.RowError) {
	x, ok := e.program.condition(e.begin(vals))
	if !ok {
		return false, e.eval.err
	}
	return x, nil
}

// Value is the value of the expression in a row: a Number, a String, a Bool, or
// Missing; a Text where it is a column's text as it stands. It holds until the next
// call.
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
	text, ok := row.written(root, &d)
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
