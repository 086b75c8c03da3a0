// Package lossless tests that a dataset of the config that init writes has each value of the input:
//
//	input ─ init ─► config ─ check, build ─► records ─┐
//	  │                                               ├─► differences
//	  └─ another reader, without the config ─► rows ──┘
//
// The rows are read by the package itself: tables by RFC 4180, JSON, XML. A value may be missing from
// the records if a comment of the config says so: its feature is a commented line, or a word means
// missing. Each commented line of the config is then used, too: check accepts it.
//
// The inputs are public bug reports, tables of Python packages, layouts of annotations, and columns
// that are easily misread.
package lossless
