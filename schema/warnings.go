package schema

// A Warnings counts accepted values of a feature that may still be mistakes. Users see the counts
// once, at the end.
type Warnings struct {
	Feature      string
	LeadingZeros uint64 `json:",omitempty"` // integers such as 007, which are often names
	Underflows   uint64 `json:",omitempty"` // floats other than 0 that are stored as 0

	// These fields count only rows that became records.
	Missing uint64 `json:",omitempty"` // records without a value because the row has none
	Mixed   uint64 `json:",omitempty"` // values that were dropped from records: see [MixedDropped]
	Unknown uint64 `json:",omitempty"` // labels that are not classes, and set no place in a vector
	Empty   uint64 `json:",omitempty"` // records without a value of the feature, or with an empty list
}

// Add adds the counts of other counts of the same feature.
func (n *Warnings) Add(other *Warnings) {
	n.LeadingZeros += other.LeadingZeros
	n.Underflows += other.Underflows
	n.Missing += other.Missing
	n.Mixed += other.Mixed
	n.Unknown += other.Unknown
	n.Empty += other.Empty
}

// TakeWarnings returns the features with counts since the last call, in the order of their keys.
// LeadingZeros and Underflows include rows that other features made invalid.
func (e *Encoder) TakeWarnings() []Warnings {
	var seen []Warnings
	for i := range e.values.conv.warnings {
		if n := e.values.conv.warnings[i]; n != (Warnings{}) {
			n.Feature = e.schema.key(i)
			seen = append(seen, n)
			e.values.conv.warnings[i] = Warnings{}
		}
	}
	return seen
}

// key returns the key of the i-th of all features and feature lists.
func (s *Schema) key(i int) string {
	if i < len(s.fields) {
		return s.fields[i].Key
	}
	return s.lists[i-len(s.fields)].Key
}

// A loss is a value that a feature misses in the current row: see [Warnings].
type loss struct {
	field          int // index in the schema
	mixed, unknown uint64
	missing, empty bool
}

// recordLosses records the values that f misses in a row. present means that the row has a value for f,
// emptyList that it has an empty list.
func (g *gatherer) recordLosses(f *field, vals []Value, present, emptyList bool) {
	mixed := uint64(0)
	for _, slot := range f.slots {
		if v := &vals[slot]; v.Mixed == MixedDropped {
			mixed += v.countDropped()
		}
	}
	missing := !present && mixed == 0 && f.OnMissing != MissingDefault
	empty := present && emptyList || !present && len(f.values) == 0
	if missing || empty || mixed+g.unplaced > 0 {
		g.losses = append(g.losses, loss{f.index, mixed, g.unplaced, missing, empty})
	}
}

// countLosses counts the values that features miss in a row that became a record.
func (g *gatherer) countLosses() {
	for _, l := range g.losses {
		n := &g.conv.warnings[l.field]
		n.Mixed += l.mixed
		n.Unknown += l.unknown
		if l.missing {
			n.Missing++
		}
		if l.empty {
			n.Empty++
		}
	}
}
