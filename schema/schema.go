package schema

import (
	"errors"
	"slices"
	"strings"
)

// A Schema is a checked, compiled list of features. It does not change and is
// safe for concurrent use.
type Schema struct {
	record  Record  // as it was compiled
	fields  []field // in the order of their keys
	shorts  []short // one for each field
	columns []Column
	slots   map[Column]int // of columns
}

// A Column is a column of a row, and how a row holds its value.
type Column struct {
	Name string
	JSON bool // a Text is JSON, and the row holds what that says: a tree of Values
}

// CompileRecord is Compile for any message.
func CompileRecord(r Record) (*Schema, error) {
	s, err := Compile(r.Features)
	if err != nil {
		return nil, err
	}
	s.record = r
	s.record.Features = s.Features()
	return s, nil
}

// Compile checks features and fixes once what is the same for every row: where
// a column's value is found, the order of the keys, the bytes around a value.
// Its error holds everything that is inconsistent, each with the feature's key.
func Compile(features []Feature) (*Schema, error) {
	s := newSchema(len(features))
	var faults []error
	seen := make(map[string]bool, len(features))
	for i := range features {
		f := &features[i]
		if seen[f.Key] {
			faults = append(faults, featureError(f.Key, "duplicate key"))
		}
		seen[f.Key] = true
		if err := s.fields[i].compile(f, s.slot); err != nil {
			faults = append(faults, err)
		}
	}
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	slices.SortFunc(s.fields, func(a, b field) int { return strings.Compare(a.Key, b.Key) })
	for i := range s.fields {
		s.fields[i].index = i
		s.shorts = append(s.shorts, newShort(&s.fields[i]))
	}
	s.record.Features = s.Features()
	return s, nil
}

func newSchema(features int) *Schema {
	return &Schema{fields: make([]field, features), slots: make(map[Column]int, features)}
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
// i-th column. A column that is wanted both as it is and as JSON is there twice.
func (s *Schema) Columns() []Column { return slices.Clone(s.columns) }

// Record is what was compiled, its features in the order of their keys.
func (s *Schema) Record() Record { return s.record }

// Features lists the features in the order of their keys, which is the order
// that an Example has them in.
func (s *Schema) Features() []Feature {
	features := make([]Feature, len(s.fields))
	for i := range s.fields {
		features[i] = s.fields[i].Feature
	}
	return features
}
