package sources

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/schema"
)

// JoinMatches counts the values that a join looked up: one per row, or one per element of a list.
type JoinMatches struct {
	Read      int64     `json:"read"` // rows of the source that are joined
	Rows      int64     `json:"rows"`
	Unmatched int64     `json:"unmatched,omitempty"` // that match no row of the table
	First     *LookedUp `json:"first,omitempty"`     // the first of them in the input
	Elements  bool      `json:"elements,omitempty"`  // the values are elements of lists
	Used      RowSet    `json:"used,omitzero"`       // the rows of the table that match, of each key the first one
}

// A LookedUp is a value that a join looked up.
type LookedUp struct {
	ValuePosition        // Element is -1 for a row
	Text          string `json:"text"` // the columns and their values
}

// Add adds the counts of other rows.
func (m *JoinMatches) Add(other *JoinMatches) {
	m.Read += other.Read
	m.Rows += other.Rows
	m.Unmatched += other.Unmatched
	m.Elements = m.Elements || other.Elements
	if o := other.First; o != nil && (m.First == nil || o.isBefore(&m.First.ValuePosition)) {
		m.First = o
	}
	for _, row := range other.Used.rows {
		m.Used.add(row)
	}
}

// A RowSet is a set of rows of a lookup table.
type RowSet struct{ rows []uint32 } // may repeat rows

// IsZero reports whether the set is empty.
func (s RowSet) IsZero() bool { return len(s.rows) == 0 }

// add adds a row. It removes repeated rows before the set would grow.
func (s *RowSet) add(row uint32) {
	if len(s.rows) == cap(s.rows) {
		s.compact()
		s.rows = slices.Grow(s.rows, len(s.rows)+1)
	}
	s.rows = append(s.rows, row)
}

// compact sorts the rows, and removes repeated ones.
func (s *RowSet) compact() {
	slices.Sort(s.rows)
	s.rows = slices.Compact(s.rows)
}

// MarshalJSON returns the distances between the rows in order, as varints in Base64.
func (s RowSet) MarshalJSON() ([]byte, error) {
	s.rows = slices.Clone(s.rows) // the set itself may be in use
	s.compact()
	var data []byte
	last := uint32(0)
	for _, row := range s.rows {
		data, last = binary.AppendUvarint(data, uint64(row-last)), row
	}
	return json.Marshal(data)
}

// UnmarshalJSON parses the result of MarshalJSON.
func (s *RowSet) UnmarshalJSON(text []byte) error {
	var data []byte
	if err := json.Unmarshal(text, &data); err != nil {
		return err
	}
	row := uint64(0)
	for len(data) > 0 {
		distance, n := binary.Uvarint(data)
		if row += distance; n <= 0 || distance > math.MaxUint32 || row > math.MaxUint32 {
			return fmt.Errorf("a set of rows is damaged")
		}
		s.rows, data = append(s.rows, uint32(row)), data[n:]
	}
	return nil
}

// A matchCount is the JoinMatches of a reader.
type matchCount struct {
	JoinMatches
	index int // of the join in the source
}

// CountMatches makes the reader count the matches of joins from now on, or not.
func (r *Reader) CountMatches(is bool) {
	if r.counts = nil; is && len(r.l.joins) > 0 {
		if r.counted == nil {
			r.counted = make([]matchCount, len(r.l.joins))
			for k := range r.counted {
				r.counted[k].index = r.l.joins[k].index
			}
		}
		r.counts = r.counted
	}
}

// countMatch counts a value that the k-th join of the layout looked up. element is -1 for a row.
func (r *Reader) countMatch(k int, found span, element int) {
	c := &r.counts[k]
	c.Rows++
	c.Elements = c.Elements || element >= 0
	if found.isInvalid() {
		return
	}
	if !found.isEmpty() {
		c.Used.add(uint32(found.lo))
		return
	}
	c.Unmatched++
	if at := (ValuePosition{File: r.file, Offset: r.at, Element: element}); c.First == nil ||
		at.isBefore(&c.First.ValuePosition) {
		c.First = &LookedUp{at, lookedUp(r.l.joins[k].on, r.vals, element)}
	}
}

// lookedUp returns the join columns of a row with its values, or with the values of an element of its list.
func lookedUp(on []inputColumn, vals []schema.Value, element int) string {
	parts := make([]string, len(on))
	for i := range on {
		v := elementOf(&vals[on[i].slot], element)
		if parts[i] = "no " + on[i].name; !IsMissing(on[i].nulls, v) {
			parts[i] = keyText(on[i].name, v)
		}
	}
	return strings.Join(parts, ", ")
}

// HasMatch reports whether a value that a join of the source looked up has a match, since the last TakeMatches.
func (r *Reader) HasMatch(join int) bool {
	return slices.ContainsFunc(r.counted, func(c matchCount) bool { return c.index == join && c.Unmatched < c.Rows })
}

// TakeMatches adds the matches since the last call to the matches of each join of the source.
func (r *Reader) TakeMatches(to []JoinMatches) []JoinMatches {
	for k := range r.counted {
		c := &r.counted[k]
		if c.Read == 0 {
			continue
		}
		if to == nil {
			to = make([]JoinMatches, len(r.l.s.joins))
		}
		to[c.index].Add(&c.JoinMatches)
		c.JoinMatches = JoinMatches{Used: RowSet{c.Used.rows[:0]}}
	}
	return to
}

// splitKey returns the columns and values of a key of a lookup table.
func splitKey(columns []string, key string) string {
	if len(columns) == 1 {
		return columns[0] + " " + schema.Quote(key)
	}
	parts := make([]string, len(columns))
	for i, name := range columns {
		size, n := binary.Uvarint([]byte(key[:min(len(key), binary.MaxVarintLen64)]))
		parts[i] = name + " " + schema.Quote(key[n:n+int(size)])
		key = key[n+int(size):]
	}
	return strings.Join(parts, ", ")
}

// A JoinSummary says which rows of a source, and of a lookup table, have no match.
type JoinSummary struct {
	At, Table     string // path in the config, and the name of the table
	Elements      bool   // elements of lists are looked up
	AllowEmpty    bool
	Read          int64 // rows of the source that are joined
	Rows          int64
	Unmatched     int64
	Example       string // the first of them
	TableRows     int64
	Skipped       int64  // rows of the table that where skips; they are not among its rows
	Unused        int64  // rows of the table that no row matches
	UnusedExample string // one of them
	Ours, Theirs  []string
}

// SummarizeJoin returns what the matches of a join are. m must cover all rows of the source.
func (s *Source) SummarizeJoin(index int, m *JoinMatches) JoinSummary {
	t := s.joins[index]
	sum := JoinSummary{
		At: t.join.At, Table: store.Base(t.source.Listing().Label), Elements: m.Elements, Read: m.Read, Rows: m.Rows,
		Unmatched: m.Unmatched,
		TableRows: int64(len(t.files) + t.keyless), Skipped: t.skipped,
	}
	sum.Ours, sum.Theirs = t.join.On.Names()
	if m.First != nil {
		sum.Example = m.First.Text
	}
	m.Used.compact()
	first := math.MaxInt // the example is the first in the table: maps have no order
	for key, found := range t.rows {
		if _, used := slices.BinarySearch(m.Used.rows, uint32(found.lo)); !used && !found.isInvalid() {
			sum.Unused += int64(found.hi - found.lo)
			if found.lo < first {
				first, sum.UnusedExample = found.lo, splitKey(sum.Theirs, key)
			}
		}
	}
	if t.keyless > 0 && sum.Unused == 0 {
		sum.UnusedExample = "no " + strings.Join(sum.Theirs, ", ")
	}
	sum.Unused += int64(t.keyless)
	return sum
}
