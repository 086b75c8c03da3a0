package jsonl

import "tfr-build/sources/input"

// Limits bound the size of one row. A row's own object counts as a level of nesting, and its keys are columns.
type Limits struct {
	input.Limits

	// Mixed accepts a path through a value of another type. The path then has no value, or with a *
	// an empty list. If both a and a.* are columns, only a.* gets a list as its value. An object goes to the
	// paths through its keys, and a * takes only arrays.
	Mixed bool

	// MixedHint says how to accept such a value. It is empty if no option does.
	MixedHint string
}

// maxRecord is the largest Record: offsets in a row are 32 bits, and one bit is a flag.
const maxRecord = 1<<31 - 2
