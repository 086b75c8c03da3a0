// Package input is what all kinds of sources have in common: the seam that a
// kind fills, its rows, and the errors that they give.
//
// A kind is a package of its own. Its options are a struct whose tags are keys
// of the config; they open an [Input], which lists its files, finds its rows and
// reads them:
//
//	Options ─Open─► Input ─ReadHeads─► columns ─Bind(columns)─► Layout ─────────────► Scanner
//	                  │                                                                 │
//	                  └─Find─► Search ─► locators ──────────────────────────────────► Scan ─► values
//
// Where a row stands, its locator, is an order.Place: the number of a file and
// a position in it. Only the kind knows what the position means: an offset, or
// nothing, where a file is one row.
//
// A kind is proved by the conformance tests of package sources, which run over
// the list of kinds.
package input
