package schema

// A Notice counts values of a feature that were accepted, and that a user
// should hear of once.
type Notice struct {
	Feature      string
	LeadingZeros uint64 `json:",omitempty"` // integers such as 007, which are often names and not numbers
	Underflows   uint64 `json:",omitempty"` // floats other than 0 that are 0 as they are stored

	// Of the records alone that were made.
	Missing uint64 `json:",omitempty"` // records without a value, since the row has none
	Mixed   uint64 `json:",omitempty"` // values of rows that are in no record: see [MixedDropped]
	Empty   uint64 `json:",omitempty"` // records that have no value of the feature, or an empty list
}

// Add adds the counts of another notice of the feature.
func (n *Notice) Add(other *Notice) {
	n.LeadingZeros += other.LeadingZeros
	n.Underflows += other.Underflows
	n.Missing += other.Missing
	n.Mixed += other.Mixed
	n.Empty += other.Empty
}

// TakeNotices lists, in the order of their keys, the features of which there is
// something to say since it was last called. Of numbers, rows that other features
// then spoiled count too.
func (e *Encoder) TakeNotices() []Notice {
	var seen []Notice
	for i := range e.notices {
		if n := e.notices[i]; n != (Notice{}) {
			n.Feature = e.schema.key(i)
			seen = append(seen, n)
			e.notices[i] = Notice{}
		}
	}
	return seen
}

// key is that of the i-th of all features and feature lists.
func (s *Schema) key(i int) string {
	if i < len(s.fields) {
		return s.fields[i].Key
	}
	return s.lists[i-len(s.fields)].Key
}

// A loss is what a feature lacks in the row at hand: see [Notice].
type loss struct {
	field          int // in the schema
	mixed          uint64
	missing, empty bool
}

// account notes what f lacks in a row. there says that the row has a value for it,
// none that it has an empty list.
func (e *Encoder) account(f *field, vals []Value, there, none bool) {
	mixed := uint64(0)
	for _, slot := range f.slots {
		if v := &vals[slot]; v.Mixed == MixedDropped {
			mixed += v.dropped()
		}
	}
	missing := !there && mixed == 0 && f.OnMissing != MissingDefault
	empty := there && none || !there && len(f.values) == 0
	if missing || empty || mixed > 0 {
		e.losses = append(e.losses, loss{f.index, mixed, missing, empty})
	}
}

// noticeLosses counts what the features lack in a row of which a record was made.
func (e *Encoder) noticeLosses() {
	for _, l := range e.losses {
		n := &e.notices[l.field]
		n.Mixed += l.mixed
		if l.missing {
			n.Missing++
		}
		if l.empty {
			n.Empty++
		}
	}
}
