// Package input has the interface of source types, with the rows and errors that it uses.
//
// A source type is a package of its own. Its options are a struct whose tags are keys of the
// config. They open an [Input], which lists its files, finds its rows, and reads them:
//
//	Options ─Open─► Input ─ReadHeads─► columns ─Bind(columns)─► Layout ─────────────► Scanner
//	                  │                                                                 │
//	                  └─Find─► Search ─► locators ──────────────────────────────────► Scan ─► values
//
// The locator of a row is an order.Place: the number of a file and a position in it. Only the
// source type knows the meaning of the position. It is an offset, or always 0 if a file is one
// row.
//
// The conformance tests of package sources run over all source types.
package input
