package report

import "strconv"

// How much of a change is shown.
const (
	maxChangedSplits   = 100
	maxChangedFeatures = 500
	unfoldedFeatures   = 12 // of these
	maxNotes           = 100
)

// A Change is what differs from an older version of the dataset.
type Change struct {
	Name, Version string // of the old one
	Splits        []SplitChange
	Features      []FeatureChange // that differ, those that differ most first
	Notes         []string        // what else there is to say
}

// A SplitChange is what became of the records of a split.
type SplitChange struct {
	Name     string
	Old, New int64 // records
	Added    int64 // whose content the old version does not have
	Removed  int64 // whose content the new version does not have
	Moved    int64 // that the old version has in another split
}

// A FeatureChange is what became of a feature.
type FeatureChange struct {
	Key      string
	Old, New string  // what it is: int64_list class; empty: it is not there
	Drift    float64 // Jensen–Shannon, from 0 to 1, of all splits together or of the worst
	Note     string
}

// A changeView is the section of what changed.
type changeView struct {
	Title    string
	Splits   []changedSplit
	Features []changedFeature
	Others   []changedFeature // that are folded
	More     string
	Notes    []string
}

type changedSplit struct {
	Name, Old, New, Added, Removed, Moved string
}

type changedFeature struct {
	Key, Types, Drift, Note string
	Width                   int // of the bar of its drift, of 100
}

func viewChange(c *Change) *changeView {
	if c == nil {
		return nil
	}
	v := &changeView{Title: clean(c.Name, maxName) + " " + clean(c.Version, maxName)}
	for _, s := range c.Splits[:min(len(c.Splits), maxChangedSplits)] {
		v.Splits = append(v.Splits, changedSplit{clean(s.Name, maxName), Grouped(s.Old), Grouped(s.New),
			Grouped(s.Added), Grouped(s.Removed), Grouped(s.Moved)})
	}
	for _, f := range c.Features[:min(len(c.Features), maxChangedFeatures)] {
		v.Features = append(v.Features, viewChangedFeature(f))
	}
	if len(v.Features) > unfoldedFeatures {
		v.Features, v.Others = v.Features[:unfoldedFeatures], v.Features[unfoldedFeatures:]
	}
	if n := len(c.Features) - maxChangedFeatures; n > 0 {
		v.More = "and " + count(int64(n), "more feature")
	}
	for _, n := range c.Notes[:min(len(c.Notes), maxNotes)] {
		v.Notes = append(v.Notes, clean(n, maxPhrase))
	}
	return v
}

func viewChangedFeature(f FeatureChange) changedFeature {
	v := changedFeature{Key: clean(f.Key, maxName), Note: clean(f.Note, maxPhrase)}
	before, after := clean(f.Old, maxName), clean(f.New, maxName)
	switch {
	case before == "":
		v.Types = "added: " + after
	case after == "":
		v.Types = "removed: " + before
	case before != after:
		v.Types = before + " → " + after
	default:
		v.Types = after
	}
	if before != "" && after != "" {
		v.Drift = strconv.FormatFloat(f.Drift, 'f', 3, 64)
		v.Width = scaled(f.Drift, 1, 100)
	}
	return v
}
