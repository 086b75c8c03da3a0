// Package config is the language that describes a dataset. It has its Go types, a strict loader,
// defaults, checks, a canonical form, a digest, and a JSON Schema.
//
// Load reads a file. The error of an invalid file is *Problems, which has all problems at once,
// each with its position:
//
//	c, err := config.Load("penguins.yaml")
//	var problems *config.Problems
//	if errors.As(err, &problems) { … }
//
// The text of a config goes through these steps. Each step sees only the result of the one before.
// All steps add to the same collector of problems and positions. They skip problems that only
// repeat one that is already reported:
//
//	         tree.go             decode.go              check.go
//	bytes ──parseTree──► nodes ──decoder──► document ──checker──► Config
//	      yaml.v3,              defaults,              merges source into sources,
//	      variables,            spellings              checks keys together,
//	      duplicate keys                               fills in derived values
//	        │                     │                      │
//	        └─────────────────────┴─ collector ──────────┘
//
//	        canonical.go         print.go
//	Config ───encoder───► nodes ──────────► text ──ConfigDigest──► sha256
//
// A key is described once, by a field of a Go type: its name, default, allowed words, spelling, and
// documentation; see field. The decoder, the encoder, and the generator of the JSON Schema read
// this description:
//
//	to add a key                                   add a field with its tags
//	to add a spelling of a string or a number      add a row to spellings
//	to add a type with a syntax of its own         add a row to forms
//	to add a source type                           add a row to sources.Kinds, with its description for init
//
// docs/reference/config explains the language to users, and a test compares it with the types. A
// Config keeps the positions of all its values. So the build reports a problem that only the input
// shows in the same way as the loader:
//
//	return c.Problem(src.At+".csv.columns", "no column %q", name)
package config
