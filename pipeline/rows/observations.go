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

// Observations has what a build saw in rows: warnings, metadata of images, and the columns that occur.
type Observations struct {
	Rows     *input.Observations           // metadata and warnings about images
	warnings map[string]schema.Warnings    // by feature: unusual numbers, missing features
	columns  map[int]sources.ColumnStats   // by source
	matches  map[int][]sources.JoinMatches // by source, and by join

	coordinates map[int]map[string]sources.Coordinates // by source and column
	located     []SourceWarning                        // about coordinates
}

// NewObservations returns observations of no rows.
func NewObservations() Observations {
	return Observations{
		Rows: input.NewObservations(), warnings: map[string]schema.Warnings{}, columns: map[int]sources.ColumnStats{},
		matches: map[int][]sources.JoinMatches{}, coordinates: map[int]map[string]sources.Coordinates{},
	}
}

// Add adds the observations of other rows.
func (o *Observations) Add(others *Observations) {
	o.Rows.Add(others.Rows)
	o.addWarnings(slices.Collect(maps.Values(others.warnings)))
	for source, seen := range others.columns {
		o.columns[source] = o.columns[source].Add(seen)
	}
	for source, seen := range others.matches {
		if o.matches[source] == nil {
			o.matches[source] = make([]sources.JoinMatches, len(seen))
		}
		for i := range seen {
			o.matches[source][i].Add(&seen[i])
		}
	}
	o.addCoordinates(others.coordinates)
}

// Matches returns the matches of each join of a source; nil if none looked up a value.
func (o *Observations) Matches(source int) []sources.JoinMatches { return o.matches[source] }

// addWarnings adds warnings of encoders, summed by feature.
func (o *Observations) addWarnings(list []schema.Warnings) {
	for _, n := range list {
		sum := o.warnings[n.Feature]
		n.Add(&sum)
		o.warnings[n.Feature] = n
	}
}

// FeatureWarnings returns the counts of each feature, sorted by feature.
func (o *Observations) FeatureWarnings() []schema.Warnings {
	var list []schema.Warnings
	for _, key := range slices.Sorted(maps.Keys(o.warnings)) {
		list = append(list, o.warnings[key])
	}
	return list
}

// storedObservations is the JSON form of Observations.
type storedObservations struct {
	Rows    *input.Observations           `json:"rows"`
	Numbers []schema.Warnings             `json:"numbers,omitempty"`
	Columns map[int]sources.ColumnStats   `json:"columns,omitempty"`
	Matches map[int][]sources.JoinMatches `json:"matches,omitempty"`

	Coordinates map[int]map[string]sources.Coordinates `json:"coordinates,omitempty"`
}

// MarshalJSON returns the observations as JSON. The staging directory has them, for a build that resumes.
func (o Observations) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedObservations{o.Rows, o.FeatureWarnings(), o.columns, o.matches, o.coordinates})
}

// UnmarshalJSON parses the result of MarshalJSON.
func (o *Observations) UnmarshalJSON(text []byte) error {
	*o = NewObservations()
	s := storedObservations{Rows: o.Rows}
	err := json.Unmarshal(text, &s)
	o.addWarnings(s.Numbers)
	maps.Copy(o.columns, s.Columns)
	maps.Copy(o.matches, s.Matches)
	o.addCoordinates(s.Coordinates)
	return err
}

// Warnings returns warnings for people, always in the same order. withNames says whether they may name
// images.
func (o *Observations) Warnings(withNames bool) []input.Warning {
	var list []input.Warning
	ofImages := o.Rows.Warnings()
	byCode := func(a, b input.Warning) int { return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Text, b.Text)) }
	for _, n := range slices.SortedFunc(maps.Keys(ofImages), byCode) {
		found, name := ofImages[n], ""
		if withNames {
			name = fmt.Sprintf(", the first %q", found.Example)
		}
		if withNames && found.Count == 1 {
			name = fmt.Sprintf(", %q", found.Example)
		}
		n.Text = plural.Of(found.Count, "image") + name + ": " + n.Text
		list = append(list, n)
	}
	for _, key := range slices.Sorted(maps.Keys(o.warnings)) {
		if n := o.warnings[key]; n.LeadingZeros > 0 {
			list = append(list, input.Warning{Feature: key,
				Text: fmt.Sprintf("feature %q: %s with leading zeros; names rather than numbers are better stored as "+
					"bytes", key, plural.Of(n.LeadingZeros, "integer"))})
		}
		if n := o.warnings[key]; n.Underflows > 0 {
			list = append(list, input.Warning{Feature: key,
				Text: fmt.Sprintf("feature %q: %s too small for the stored type became 0", key,
					plural.Of(n.Underflows, "number"))})
		}
	}
	return list
}
