package schema

import (
	"errors"
	"slices"
	"strings"
)

// A Schema is a checked, compiled Record. It does not change and is safe for
// concurrent use.
type Schema struct {
	record  Record  // as it was compiled
	fields  []field // the entries of its features, in the order of their keys
	shorts  []short // one for each field
	lists   []field // its feature lists, in the order of their keys
	columns []Column
	slots   map[Column]int // of columns
}

// Compile checks a record and fixes once what is the same for every row: where
// a column's value is found, the order of the keys, the bytes around a value.
// Its error holds everything that is inconsistent, each with the feature's key.
func Compile(r Record) (*Schema, error) {
	s := newSchema(len(r.Features) + len(r.Sequence))
	s.record = r
	s.record.Features, s.record.Sequence = byKey(r.Features), byKey(r.Sequence)
	faults := r.check()
	features := r.Features
	if r.Column != "" {
		features = []Feature{r.column()}
	}
	var err error
	if s.fields, err = s.compile(features, false); err != nil {
		faults = append(faults, err)
	}
	if s.lists, err = s.compile(r.Sequence, true); err != nil {
		faults = append(faults, err)
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	for i := range s.fields {
		s.fields[i].index = i
		s.shorts = append(s.shorts, newShort(&s.fields[i]))
	}
	for i := range s.lists {
		s.lists[i].index = len(s.fields) + i
	}
	return s, nil
}

// compile makes the fields of features, in the order of their keys.
func (s *Schema) compile(features []Feature, steps bool) ([]field, error) {
	c := compiler{place: place{s.record.Message, steps}, slot: s.slot}
	var fields []field
	var faults []error
	for i := range features {
		of, err := c.fields(&features[i])
		if err != nil {
			faults = append(faults, err)
		}
		fields = append(fields, of...)
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields, errors.Join(faults...)
}

func newSchema(features int) *Schema {
	return &Schema{slots: make(map[Column]int, features)}
}

// slot returns the place of a column in a row, a new one for a new column.
func (s *Schema) slot(column Column) int {
	if i, there := s.slots[column]; there {
		return i
	}
	s.slots[column] = len(s.columns)
	s.columns = append(s.columns, column)
	return len(s.columns) - 1
}

// Columns lists the columns that a row holds: its i-th value is that of the
// i-th column. A column that is wanted both as it is and as JSON is there twice, and
// so is one that is JSON to features to which different texts mean missing.
func (s *Schema) Columns() []Column { return slices.Clone(s.columns) }

// Record is what was compiled, its features in the order of their keys.
func (s *Schema) Record() Record { return s.record }

func byKey(features []Feature) []Feature {
	return slices.SortedFunc(slices.Values(features), func(a, b Feature) int { return strings.Compare(a.Key, b.Key) })
}
