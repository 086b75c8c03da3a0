// Package expr computes expressions over the columns of a row, for the keys derive and where of a
// config. Its syntax is a subset of CEL's; docs/reference/expressions.md describes it.
//
//	p, err := expr.Compile(`fare > 0 && vendor in ["CMT", "VTS"]`, known)
//	e := p.Bind(slots, nulls)   // one per goroutine; slots are the indexes of p.Columns() in a row
//	kept, rowErr := e.Bool(row)
//
// An expression is compiled once. All errors that do not depend on rows are found then:
//
//	string ─ lex ─► tokens ─ parse ─► nodes ─ check ─► kinds ─► an Evaluator walks the nodes for each row
//	                                    │                │
//	             syntax errors, with offset        type errors: + of a string and a number
//
// The kinds of a node are the set of types that its values may have. The walk asks a node for the
// kind that its parent needs: a sum asks for two numbers, and a cell is parsed as a number at once.
// The first error of a row stays, and every later value is zero. Evaluating a row allocates memory
// only for new strings.
//
// The same expression and row give the same value on every machine. No multiplication is fused
// with an addition. Package natural computes logarithms. Upper and lower case follow Unicode 15.0.
//
// # Libraries
//
// Two libraries were tried with the operators and functions of this package registered in them, which
// keeps the values: cel.dev/cel-go v0.33.2 and github.com/expr-lang/expr v1.17.8. A build of a million
// CSV rows with where and three derived columns took 1.8 times the processor time with CEL, and 2.0
// times with expr-lang; the limit was 1.5. With one condition and one derived column it took 1.3 times.
//
//   - A limit on CEL's steps, which bounds loops over lists, makes an evaluation take about three times
//     as long again. expr-lang limits memory and nodes, but not steps.
//   - CEL allocates 106 MB for a list of 64 KiB, and this package 13 MB. It adds 11 MB to the program.
//   - CEL has no names beyond ASCII, and no a.0. expr-lang has no functions matches and contains, as
//     these are its operators, and it cannot read the smallest int64.
//
// lab/expr compares the speed with CEL's, and the values.
package expr
