package jsonl

import "fmt"

// Limits bound the size of one row. Zero means the default.
type Limits struct {
	Record  int // bytes per line without its LF; default 64 MiB
	Depth   int // nesting of objects and arrays, with the row's own object; default 1000
	Columns int // keys of the row's own object; default 100,000

	// Mixed accepts a path through a value of another type. The path then has no value, or with a *
	// an empty list. If both a and a.* are columns, only a.* gets a list as its value. An object goes to the
	// paths through its keys, and a * takes only arrays.
	Mixed bool

	// MixedHint says how to accept such a value. It is empty if no option does.
	MixedHint string
}

const (
	defaultRecord  = 64 << 20
	defaultDepth   = 1000
	defaultColumns = 100_000

	// Offsets in a row are 32 bits, and one bit is a flag.
	maxRecord = 1<<31 - 2
)

func (l Limits) withDefaults() (Limits, error) {
	for _, f := range []struct {
		name     string
		value    *int
		standard int
		most     int
	}{
		{"record", &l.Record, defaultRecord, maxRecord},
		{"depth", &l.Depth, defaultDepth, 1 << 30},
		{"columns", &l.Columns, defaultColumns, 1 << 30},
	} {
		if *f.value == 0 {
			*f.value = f.standard
		}
		if *f.value < 0 || *f.value > f.most {
			return l, fmt.Errorf("limit %s is %d; expected 1 to %d", f.name, *f.value, f.most)
		}
	}
	return l, nil
}
