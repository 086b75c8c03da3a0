package jsonl

import "fmt"

// Limits bound what one row may be. A zero field is the default.
type Limits struct {
	Record  int // bytes of a line without its LF; 64 MiB
	Depth   int // objects and arrays inside one another, the row's own counted; 1000
	Columns int // keys of the row's own object; 100,000

	// Mixed is whether a path may lead through a value of another kind, and finds nothing
	// there: no value, or with a * an empty list. Where there are columns a and a.*, a
	// list is a value of a.* alone.
	Mixed bool
}

const (
	defaultRecord  = 64 << 20
	defaultDepth   = 1000
	defaultColumns = 100_000

	// Offsets in a row are kept in 32 bits, one of which is a flag.
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
