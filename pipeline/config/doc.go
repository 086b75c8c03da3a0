// Package config is the language in which a dataset is described: its Go
// types, a strict loader, defaults, checks, a canonical form, a digest and a
// JSON Schema.
//
// Load reads a file; a faulty one gives *Problems, all of them at once, each
// with its place:
//
//	c, err := config.Load("penguins.yaml")
//	var faults *config.Problems
//	if errors.As(err, &faults) { … }
//
// A text goes through these steps, each of which sees only what the one before
// made. All of them write into the same faults and places, and leave out what
// would only echo a fault that is told already:
//
//	         tree.go           decode.go              check.go
//	bytes ────tree────► nodes ──decoder──► document ──checker──► Config
//	      yaml.v3,            defaults,              source into sources,
//	      variables,          reserved names,        what keys mean together,
//	      duplicates          spellings              what follows from them
//	        │                   │                      │
//	        └───────────────────┴─ faults, places ─────┘
//
//	        canonical.go         print.go
//	Config ───encoder───► nodes ──────────► text ──ConfigDigest──► sha256
//
// A key is described once, by its field of a Go type: the name, the default,
// the words it is one of, its spelling, a sentence; see field. Decoder, encoder
// and the generator of the JSON Schema read the same description:
//
//	to add a key                                a field with its tags
//	to add a spelling of a text or a number     a row of spellings
//	to add a type that is not just its fields   a row of forms
//	to add a kind of source                     a row of kinds
//	to keep a name for later                    a name in notYet
//
// docs/reference/config explains the language to people, and a test holds it against
// the types. A Config keeps the place of all its values, so faults that show
// only later, when the input is seen, are reported like the loader's own:
//
//	return c.Problem(src.At+".csv.columns", "no column %q", name)
package config
