// Package sources opens the input of a build and reads its rows.
//
// A source is an input of one source type, a row of the list [Kinds], and steps that compute more
// columns. Open lists the files and reads none of them. Bind takes the required columns and finds
// the origin of each. A Reader then reads the row of a locator into one slot per column:
//
//	Spec ─Open─► files ─ReadHeads─► columns ─Bind(columns)─► Layout ─NewReader─► Read(file, data) ─► []schema.Value
//
// The steps run in this order, and each uses the columns of earlier ones. Package column has the
// algebra of that:
//
//	columns of the type → from_path → rename → set → join → load → derive
//	└─ package of ────┘   └────────────── this package ─────────────────┘
//	   the type
//
// # Source types
//
// A source type is a package with its options, an input.Input, an input.Description, and one row of
// Kinds. The description is for init: it recognizes files and chooses options. Code that several
// types share is in packages below them. All other packages use only the interface input.Input and
// the description:
//
//	csv   jsonl   text   tfrecord   tar   zip   arrays    images   folder
//	 │      │      │        │        │     │      │         │        │
//	 └──────┴──── table ────┴────────┴─────┘      │         └── tree ─┘
//	               │ lines                        │              │
//	               ├──────────── compress ────────┘              │
//	               └────────────── input ────────────────────────┘
//	                column    files
package sources
