package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// Dropped counts the values of a feature that the records of a split miss.
type Dropped struct {
	// Missing counts records without a value because the row has none (`missing: omit` or
	// `missing: empty_list`).
	Missing int64 `json:"missing,omitempty"`
	// Mixed counts values that are dropped because their type does not fit the path (`mixed:
	// empty`).
	Mixed int64 `json:"mixed,omitempty"`
	// Unknown counts labels that are not classes and set no place in a vector (`multi_hot`).
	Unknown int64 `json:"unknown,omitempty"`
	// Empty is true if Mixed is not 0 and no record has a value of the feature.
	Empty bool `json:"empty,omitempty"`
}

func (s *Split) checkDropped() error {
	for feature, d := range s.Dropped {
		if min(d.Missing, d.Mixed, d.Unknown) < 0 || d.Missing > s.Records || d.Missing+d.Mixed+d.Unknown == 0 ||
			d.Empty && d.Mixed == 0 {
			return fmt.Errorf("feature %q: %d of %d records have no value, and %d values are dropped",
				feature, d.Missing, s.Records, d.Mixed+d.Unknown)
		}
	}
	return nil
}

// A Loss is a feature that misses values which its rows have, in one or more splits.
type Loss struct {
	Feature string
	Values  int64    // dropped values in all splits
	Labels  int64    // labels in all splits that set no place in a vector
	Empty   []string // splits that have records but no value of the feature
	Always  bool     // Empty lists all splits that have records
}

// Losses returns the features with dropped values, sorted by key. Missing values are not a loss.
func Losses(splits []Split) []Loss {
	byFeature := map[string]*Loss{}
	filled := 0
	for i := range splits {
		if splits[i].Records > 0 {
			filled++
		}
		for feature, d := range splits[i].Dropped {
			if d.Mixed+d.Unknown == 0 {
				continue
			}
			l := byFeature[feature]
			if l == nil {
				l = &Loss{Feature: feature}
				byFeature[feature] = l
			}
			l.Labels += d.Unknown
			if l.Values += d.Mixed; d.Empty {
				l.Empty = append(l.Empty, splits[i].Name)
			}
		}
	}
	var list []Loss
	for _, feature := range slices.Sorted(maps.Keys(byFeature)) {
		l := byFeature[feature]
		l.Always = len(l.Empty) == filled
		list = append(list, *l)
	}
	return list
}

// Text returns a sentence about the loss.
func (l *Loss) Text() string {
	text := fmt.Sprintf("feature %q", l.Feature)
	switch {
	case l.Values > 0 && l.Always:
		text += " is empty in every record, although its column has values"
	case l.Values > 0 && len(l.Empty) > 0:
		text += fmt.Sprintf(" is empty in every record of %s, although its column has values",
			strings.Join(l.Empty, ", "))
	}
	if l.Values > 0 {
		text += fmt.Sprintf(": %s dropped, whose kind does not fit the path (mixed: empty)",
			plural.Of(l.Values, "value"))
	}
	if l.Labels > 0 {
		text += fmt.Sprintf(": %s without a place, not among the classes (unknown)", plural.Of(l.Labels, "label"))
	}
	return text
}
