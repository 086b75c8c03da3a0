package schema

import (
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
// columns, the order of the keys, the bytes around a value. Its error is Problems.
func Compile(r Record) (*Schema, error) {
	s := newSchema(len(r.Features) + len(r.Sequence))
	s.record = r
	s.record.Features, s.record.Sequence = sortedByKey(r.Features), sortedByKey(r.Sequence)
	problems := r.Check()
	features := r.Features
	if r.Message.IsColumn() {
		features = []Feature{r.column()}
	}
	s.fields = s.compile(features, false, &problems)
	s.lists = s.compile(r.Sequence, true, &problems)
	if problems != nil {
		return nil, problems
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
func (s *Schema) compile(features []Feature, steps bool, problems *Problems) (fields []field) {
	c := compiler{target: target{s.record.Message, steps}, reporter: reporter{problems: *problems}, limit: maxExample,
		slot: s.slot}
	for _, f := range features {
		if f.Shape == nil {
			f.Shape = []int{} // in Check, it would not be known
		}
		if c.key = f.Key; f.Type == 0 {
			c.report("type", "it has no type")
		}
		fields = append(fields, c.fields(&f)...)
	}
	*problems = c.problems
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields
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
