// Package expr computes expressions over the columns of a row, for the keys derive and where of a
// config. Its syntax is a subset of CEL's; docs/reference/expressions.md describes it.
//
//	p, err := expr.Compile(`fare > 0 && vendor in ["CMT", "VTS"]`, known)
//	e := p.Bind(slots, nulls)   // one per goroutine; slots are the indexes of p.Columns() in a row
//	kept, rowErr := e.Bool(row)
//
// An expression is compiled once. All errors that do not depend on rows are found then:
//
//	string ─ lex ─► tokens ─ parse ─► nodes ─ check ─► kinds ─ emit ─► functions
//	                                    │                │
//	             syntax errors, with offset        type errors: + of a string and a number
//
// The kinds of a node are the set of types that its values may have. They select the function
// that computes the node: a sum of ints becomes a function that returns an int64. Values carry
// their kind only if it differs between rows. Numbers are parsed from the strings of cells where
// a number is expected. Evaluating a row allocates memory only for new strings.
//
// The same expression and row give the same value on every machine. No multiplication is fused
// with an addition, logarithms are those of package natural, and this package has its own table of
// upper and lower case.
package expr
