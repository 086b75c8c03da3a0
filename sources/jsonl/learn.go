package jsonl

import "slices"

// A rowKey is a key of the row that the slow path parsed.
type rowKey struct {
	from  int // offset after the value before it, or of the row's start
	key   int // offset of its opening quote
	value int
	ref   keyRef
	to    *node
}

// recordKey stores the last key for learn.
func (s *Scanner) recordKey(from, key, value int, to *node) error {
	if len(s.rowKeys) == s.paths.limits.Columns {
		return rowError("LIMIT_COLUMNS", key, "more than %d keys", s.paths.limits.Columns)
	}
	s.rowKeys = append(s.rowKeys, rowKey{from: from, key: key, value: value, ref: s.keys[len(s.keys)-1], to: to})
	return nil
}

const (
	maxFields   = 1 << 10 // maximum number of learned keys
	maxPattern  = 1 << 8  // maximum length of the text before a value
	maxInterval = 1 << 10 // maximum number of rows between two calls that learn
)

// learn makes the keys of the row that the slow path just parsed the expected keys, together with
// the expected keys that the row does not have. The interval between two calls that learn doubles each
// time, so that rows without a common order cost no memory.
func (s *Scanner) learn(data []byte) {
	if s.patience > 0 {
		s.patience--
		return
	}
	s.patience, s.interval = s.interval, min(2*s.interval, maxInterval)
	if len(s.rowKeys) > maxFields {
		return
	}
	row := make([]field, 0, len(s.rowKeys))
	for i := range s.rowKeys {
		f, ok := s.learnField(data, i)
		if !ok {
			return
		}
		row = append(row, f)
	}
	s.fields = merge(s.fields, row, min(maxFields, s.paths.limits.Columns))
	s.unlearned = s.unlearned[:0]
	for i := range s.paths.columns {
		slot := s.paths.columns[i].Slot
		if !slices.ContainsFunc(s.fields, func(f field) bool { return f.slot == slot }) {
			s.unlearned = append(s.unlearned, slot)
		}
	}
}

func (s *Scanner) learnField(data []byte, i int) (f field, ok bool) {
	k := s.rowKeys[i]
	from := k.from
	if i == 0 {
		from = 0
	}
	if k.value-from > maxPattern {
		return f, false
	}
	opening, comma := data[:s.rowKeys[0].key], []byte(",")
	if i > 0 {
		comma = data[k.from:k.key]
	} else if len(s.rowKeys) > 1 {
		comma = data[s.rowKeys[1].from:s.rowKeys[1].key]
	}
	key := data[k.key:k.value]
	f = field{
		first: string(slices.Concat(opening, key)),
		next:  newPattern(slices.Concat(comma, key)),
		slot:  skipped,
		to:    k.to,
		name:  string(s.keyText(data, k.ref)),
	}
	if f.to != nil {
		if f.slot = f.to.slot; f.slot < 0 {
			f.slot = slowPath
		}
	}
	return f, true
}

// merge inserts the fields that the row does not have among the row's fields. If the common fields are in
// another order, or the result is longer than most, it returns the row's fields alone.
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
