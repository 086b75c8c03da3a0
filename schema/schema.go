package schema

import (
	"errors"
	"slices"
	"strings"
)

// A Schema is a checked, compiled Record. It is immutable, and safe for concurrent use.
type Schema struct {
	record     Record      // with sorted features
	fields     []field     // entries of its features, in the order of their keys
	fastFields []fastField // fast paths, one per field
	lists      []field     // feature lists, in the order of their keys
	columns    []Column
	slots      map[Column]int // indexes in columns
}

// Compile checks a record and precomputes everything that is the same for every row: the indexes of
// columns, the order of the keys, the bytes around a value. Its error joins all inconsistencies,
// each with the feature's key.
func Compile(r Record) (*Schema, error) {
	s := newSchema(len(r.Features) + len(r.Sequence))
	s.record = r
	s.record.Features, s.record.Sequence = sortedByKey(r.Features), sortedByKey(r.Sequence)
	errs := r.check()
	features := r.Features
	if r.Message.IsColumn() {
		features = []Feature{r.column()}
	}
	var err error
	if s.fields, err = s.compile(features, false); err != nil {
		errs = append(errs, err)
	}
	if s.lists, err = s.compile(r.Sequence, true); err != nil {
		errs = append(errs, err)
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	for i := range s.fields {
		s.fields[i].setIndex(i)
		s.fastFields = append(s.fastFields, newFastField(&s.fields[i]))
	}
	for i := range s.lists {
		f := &s.lists[i]
		f.setIndex(len(s.fields) + i)
		f.fast = []fastField{newFastStep(f)}
	}
	return s, nil
}

// compile compiles features, and sorts the fields by key.
func (s *Schema) compile(features []Feature, steps bool) ([]field, error) {
	c := compiler{target: target{s.record.Message, steps}, slot: s.slot}
	var fields []field
	var errs []error
	for i := range features {
		of, err := c.fields(&features[i])
		if err != nil {
			errs = append(errs, err)
		}
		fields = append(fields, of...)
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields, errors.Join(errs...)
}

func newSchema(features int) *Schema {
	return &Schema{slots: make(map[Column]int, features)}
}

// slot returns the index of a column in a row; it adds a new column.
func (s *Schema) slot(column Column) int {
	if i, ok := s.slots[column]; ok {
		return i
	}
	s.slots[column] = len(s.columns)
	s.columns = append(s.columns, column)
	return len(s.columns) - 1
}

// Columns returns the columns of a row: value i of a row belongs to column i. A column appears
// twice if features need it both unchanged and as JSON. A JSON column also appears once per
// distinct list of strings that mean missing.
func (s *Schema) Columns() []Column { return slices.Clone(s.columns) }

// Record returns the compiled record, with its features in the order of their keys.
func (s *Schema) Record() Record { return s.record }

func sortedByKey(features []Feature) []Feature {
	return slices.SortedFunc(slices.Values(features), func(a, b Feature) int { return strings.Compare(a.Key, b.Key) })
}
