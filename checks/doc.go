// Package checks holds a dataset against what its config expects of it, and
// points at what is odd in one that expects nothing.
//
//	found := checks.Run(doc, expected, leaks) // what a config asks for
//	look := checks.Remarks(doc, found)        // what anybody would look at, beside these
//
//	statistics.Document ──┐
//	Expected ─────────────┼─► Run ─► []Finding ─► manifest, log, report
//	rows found twice ─────┘                │
//	statistics.Document ─────► Remarks ◄───┘ ───► report
//
// Nothing is read again: the counts of the Document are all there is. Where they
// leave something open, a Finding says so, and what might be fine is none.
//
// The order of findings and every number in them follow from the Document and the
// Expected alone. So logarithms are made here: those of package math are
// instructions of the processor on some machines, and their last bit differs.
package checks
