// Package sources finds the input of a build and reads its rows.
//
// A source is the input of one kind, a row of the list [Kinds], and the steps
// that make columns of its columns. Open lists the files and reads nothing of
// them; Bind takes the columns that are needed and finds where each comes from; a
// Reader then reads one row, which its locator names, into one slot a column:
//
//	Spec ─Open─► files ─ReadHeads─► columns ─Bind(columns)─► Layout ─NewReader─► Read(file, data) ─► []schema.Value
//
// The columns of a row come into being in this order, and each step sees what
// came before it; package column is the algebra of that:
//
//	the kind's own → from_path → rename → set → join → load
//	└─ package of ─┘ └──────────── this package ──────────┘
//	    the kind
//
// # Kinds
//
// A kind is a package with its options and an input.Input, and one row of Kinds.
// What kinds share stands below them, and what they have in common for everybody
// else is input.Input:
//
//	csv   jsonl   text   tfrecord   tar   zip   arrays    images   folder
//	 │      │      │        │        │     │      │         │ └ image │
//	 └──────┴──── table ────┴────────┴─────┘      │         └── tree ─┘
//	               │ lines                        │              │
//	               ├──────────── compress ────────┘              │
//	               └────────────── input ────────────────────────┘
//	                column    files
package sources
