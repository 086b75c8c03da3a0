package jsonl

import "slices"

// A seen is a key of the row that was scanned in the general way.
type seen struct {
	from  int // after the value before it, or the row's start
	key   int // its opening quote
	value int
	ref   keyRef
	to    *node
}

// note remembers the key that was scanned last, for learn.
func (s *Scanner) note(from, key, value int, to *node) error {
	if len(s.seen) == s.paths.limits.Columns {
		return rowError("LIMIT_COLUMNS", key, "more than %d keys", s.paths.limits.Columns)
	}
	s.seen = append(s.seen, seen{from: from, key: key, value: value, ref: s.keys[len(s.keys)-1], to: to})
	return nil
}

const (
	fieldsMost  = 1 << 10 // more keys are not learned
	patternMost = 1 << 8  // nor is longer text before a value
	maxInterval = 1 << 10 // rows between two learnings, at most
)

// learn makes the keys of the row just scanned in the general way the expected
// ones, together with the expected keys that it lacks. It waits longer each
// time, so that rows without any order cost no memory.
func (s *Scanner) learn(data []byte) {
	if s.patience > 0 {
		s.patience--
		return
	}
	s.patience, s.interval = s.interval, min(2*s.interval, maxInterval)
	if len(s.seen) > fieldsMost {
		return
	}
	row := make([]field, 0, len(s.seen))
	for i := range s.seen {
		f, ok := s.learnField(data, i)
		if !ok {
			return
		}
		row = append(row, f)
	}
	s.fields = merge(s.fields, row, min(fieldsMost, s.paths.limits.Columns))
	s.unlearned = s.unlearned[:0]
	for i := range s.paths.columns {
		slot := s.paths.columns[i].Slot
		if !slices.ContainsFunc(s.fields, func(f field) bool { return f.slot == slot }) {
			s.unlearned = append(s.unlearned, slot)
		}
	}
}

func (s *Scanner) learnField(data []byte, i int) (f field, ok bool) {
	k := s.seen[i]
	from := k.from
	if i == 0 {
		from = 0
	}
	if k.value-from > patternMost {
		return f, false
	}
	opening, comma := data[:s.seen[0].key], []byte(",")
	if i > 0 {
		comma = data[k.from:k.key]
	} else if len(s.seen) > 1 {
		comma = data[s.seen[1].from:s.seen[1].key]
	}
	key := data[k.key:k.value]
	f = field{
		first: newPattern(slices.Concat(opening, key)),
		next:  newPattern(slices.Concat(comma, key)),
		slot:  skipped,
		to:    k.to,
		name:  string(s.keyText(data, k.ref)),
	}
	if f.to != nil {
		if f.slot = f.to.slot; f.slot < 0 {
			f.slot = general
		}
	}
	return f, true
}

// merge puts the fields that the row lacks among the row's. Where both have
// fields in another order, or together more than most, it is the row's alone.
func merge(old, row []field, most int) []field {
	merged := make([]field, 0, len(row)+len(old))
	next := 0
	for _, f := range row {
		if i := slices.IndexFunc(old, func(o field) bool { return o.name == f.name }); i >= next {
			merged = append(merged, old[next:i]...)
			next = i + 1
		} else if i >= 0 {
			return row
		}
		merged = append(merged, f)
	}
	merged = append(merged, old[next:]...)
	if len(merged) > most {
		return row
	}
	return merged
}
