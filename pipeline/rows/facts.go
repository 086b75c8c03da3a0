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

// Facts has what a build observed in rows: facts about images, notices about notices, and the
// columns that occur.
type Facts struct {
	Rows     *input.Facts                // metadata and warnings about images
	warnings map[string]schema.Warnings  // by feature: unusual numbers, missing features
	columns  map[int]sources.ColumnStats // by source
}

// NewFacts returns empty facts.
func NewFacts() Facts {
	return Facts{input.NewFacts(), map[string]schema.Warnings{}, map[int]sources.ColumnStats{}}
}

// Add adds the facts of other rows.
func (f *Facts) Add(others *Facts) {
	f.Rows.Add(others.Rows)
	f.notice(slices.Collect(maps.Values(others.warnings)))
	for source, seen := range others.columns {
		f.columns[source] = f.columns[source].Add(seen)
	}
}

// notice adds notices of encoders, summed by feature.
func (f *Facts) notice(list []schema.Warnings) {
	for _, n := range list {
		sum := f.warnings[n.Feature]
		n.Add(&sum)
		f.warnings[n.Feature] = n
	}
}

// FeatureWarnings returns the counts of each feature, sorted by feature.
func (f *Facts) FeatureWarnings() []schema.Warnings {
	var list []schema.Warnings
	for _, key := range slices.Sorted(maps.Keys(f.warnings)) {
		list = append(list, f.warnings[key])
	}
	return list
}

// storedFacts is the JSON form of facts.
type storedFacts struct {
	Rows    *input.Facts                `json:"rows"`
	Numbers []schema.Warnings           `json:"numbers,omitempty"`
	Columns map[int]sources.ColumnStats `json:"columns,omitempty"`
}

// MarshalJSON returns the facts as JSON. The staging directory has them, for a build that resumes.
func (f Facts) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedFacts{f.Rows, f.FeatureWarnings(), f.columns})
}

// UnmarshalJSON parses the result of MarshalJSON.
func (f *Facts) UnmarshalJSON(text []byte) error {
	*f = NewFacts()
	s := storedFacts{Rows: f.Rows}
	err := json.Unmarshal(text, &s)
	f.notice(s.Numbers)
	maps.Copy(f.columns, s.Columns)
	return err
}

// Warnings returns the facts as warnings for people, always in the same order.
func (f *Facts) Warnings() []string {
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
	for _, key := range slices.Sorted(maps.Keys(f.warnings)) {
		if n := f.warnings[key]; n.LeadingZeros > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s with leading zeros; names rather than numbers are better stored as bytes", key, plural.Of(n.LeadingZeros, "integer")))
		}
		if n := f.warnings[key]; n.Underflows > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s too small for the stored type became 0", key, plural.Of(n.Underflows, "number")))
		}
	}
	return list
}
