package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// Facts are what was remarkable in rows and in their numbers, what was seen of
// their images, and which columns they have.
type Facts struct {
	Rows    *input.Facts
	numbers map[string]schema.Notice // by feature: of its numbers, and of what records lack
	columns map[int]sources.Seen     // by source
}

// NewFacts are no facts yet.
func NewFacts() Facts {
	return Facts{input.NewFacts(), map[string]schema.Notice{}, map[int]sources.Seen{}}
}

// Add adds other facts.
func (f *Facts) Add(others *Facts) {
	f.Rows.Add(others.Rows)
	f.notice(slices.Collect(maps.Values(others.numbers)))
	for source, seen := range others.columns {
		f.columns[source] = f.columns[source].Add(seen)
	}
}

// notice adds what encoders remarked of features.
func (f *Facts) notice(notices []schema.Notice) {
	for _, n := range notices {
		sum := f.numbers[n.Feature]
		n.Add(&sum)
		f.numbers[n.Feature] = n
	}
}

// Notices are what encoders remarked of features, in the order of their keys.
func (f *Facts) Notices() []schema.Notice {
	var list []schema.Notice
	for _, key := range slices.Sorted(maps.Keys(f.numbers)) {
		list = append(list, f.numbers[key])
	}
	return list
}

// storedFacts are facts as JSON.
type storedFacts struct {
	Rows    *input.Facts         `json:"rows"`
	Numbers []schema.Notice      `json:"numbers,omitempty"`
	Columns map[int]sources.Seen `json:"columns,omitempty"`
}

// MarshalJSON keeps facts, for a run that resumes.
func (f Facts) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedFacts{f.Rows, f.Notices(), f.columns})
}

// UnmarshalJSON reads what MarshalJSON kept.
func (f *Facts) UnmarshalJSON(text []byte) error {
	*f = NewFacts()
	s := storedFacts{Rows: f.Rows}
	err := json.Unmarshal(text, &s)
	f.notice(s.Numbers)
	maps.Copy(f.columns, s.Columns)
	return err
}

// Remarks are facts for people, always in the same order.
func (f *Facts) Remarks() []string {
	var list []string
	notes := f.Rows.Notes()
	byCode := func(a, b input.Note) int { return cmp.Compare(a.Code, b.Code) }
	for _, n := range slices.SortedFunc(maps.Keys(notes), byCode) {
		first := ", the first "
		if notes[n].Count == 1 {
			first = ", "
		}
		list = append(list, fmt.Sprintf("%s%s%q: %s [%s]", plural.Of(notes[n].Count, "image"), first, notes[n].Example, n.Text, n.Code))
	}
	for _, key := range slices.Sorted(maps.Keys(f.numbers)) {
		if n := f.numbers[key]; n.LeadingZeros > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s with leading zeros; names rather than numbers are better stored as bytes", key, plural.Of(n.LeadingZeros, "integer")))
		}
		if n := f.numbers[key]; n.Underflows > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s too small for the stored type became 0", key, plural.Of(n.Underflows, "number")))
		}
	}
	return list
}
