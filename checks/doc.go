// Package checks compares a dataset with the expectations in its config. It also finds unusual
// features without any expectations.
//
//	found := checks.Run(doc, expected, leaks) // checks of the config
//	look := checks.Remarks(doc, found)        // general checks, without what found has
//
//	statistics.Document ──┐
//	Expected ─────────────┼─► Run ─► []Finding ─► manifest, log, report
//	rows found twice ─────┘                │
//	statistics.Document ─────► Remarks ◄───┘ ───► report
//
// Nothing is read again: checks use only the counts in the Document. If the counts leave a number
// open, the Finding says so. A possible violation that the counts do not prove is not a Finding.
//
// The order of findings and every number in them depend only on the Document and the Expected.
// So it takes logarithms from package natural, not from math.
package checks
