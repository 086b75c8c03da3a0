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
	// Empty is true if Mixed is not 0 and no record has a value of the feature.
	Empty bool `json:"empty,omitempty"`
}

func (s *Split) checkDropped() error {
	for feature, d := range s.Dropped {
		if d.Missing < 0 || d.Mixed < 0 || d.Missing > s.Records || d.Missing+d.Mixed == 0 || d.Empty && d.Mixed == 0 {
			return fmt.Errorf("feature %q: %d of %d records have no value, and %d values are dropped", feature, d.Missing, s.Records, d.Mixed)
		}
	}
	return nil
}

// A Loss is a feature that misses values which its rows have, in one or more splits.
type Loss struct {
	Feature string
	Values  int64    // dropped values in all splits
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
			if d.Mixed == 0 {
				continue
			}
			l := byFeature[feature]
			if l == nil {
				l = &Loss{Feature: feature}
				byFeature[feature] = l
			}
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
	values := plural.Of(l.Values, "value")
	const why = "whose kind does not fit the path (mixed: empty)"
	switch {
	case l.Always:
		return fmt.Sprintf("feature %q is empty in every record, although its column has values: %s dropped, %s", l.Feature, values, why)
	case len(l.Empty) > 0:
		return fmt.Sprintf("feature %q is empty in every record of %s, although its column has values: %s dropped, %s",
			l.Feature, strings.Join(l.Empty, ", "), values, why)
	}
	return fmt.Sprintf("feature %q: %s dropped, %s", l.Feature, values, why)
}
