// Package expr computes expressions over the columns of a row: what derive and
// where of a config say. Its syntax is CEL's; docs/reference/expressions.md has it all.
//
//	p, err := expr.Compile(`fare > 0 && vendor in ["CMT", "VTS"]`, known)
//	e := p.Bind(slots, nulls)   // one a goroutine: where p.Columns() stand in a row
//	kept, bad := e.Bool(row)
//
// An expression is compiled once, and what can be told without rows is told then:
//
//	text ─ lex ─► tokens ─ parse ─► nodes ─ check ─► kinds ─ emit ─► functions
//	                                 │                 │
//	                 what was wanted, at a byte     that + takes no text and number
//
// The kinds of a node are those that its values may be of. They decide which
// function is made of it: a sum of ints is a function that gives an int64, and
// only where the row alone tells what there is does a value carry its kind. Numbers
// are read from the texts of cells where a number is wanted, and no row needs
// memory of its own, but for texts that are made.
//
// The same expression and row give the same value everywhere: no sum is fused with
// a product, the logarithm is this package's own, and so is the table of upper and
// lower case.
package expr
