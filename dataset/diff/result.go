package diff

import "tfr-build/statistics"

// A Result has the differences.
type Result struct {
	Old      Side      `json:"old"`
	New      Side      `json:"new"`
	Equal    bool      `json:"equal"` // no differences except Notes and Drift
	Splits   []Split   `json:"splits"`
	Features []Feature `json:"features"` // features that differ or drift
	Config   []Line    `json:"config"`   // lines that only one config has
	Notes    []string  `json:"notes"`    // differences that do not affect records, and likely reasons of those that do
}

// A Side is one of the two datasets or files.
type Side struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // only for a dataset
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"` // of the manifest
	Records int64  `json:"records"`
	Shards  int64  `json:"shards"`
}

// A Split has the differences of a split's records.
type Split struct {
	Name      string `json:"name"`
	In        string `json:"in"` // both, old or new
	Old       int64  `json:"old"`
	New       int64  `json:"new"`
	Equal     int64  `json:"equal"`     // records in both
	Added     int64  `json:"added"`     // records that no split of the old side has
	Removed   int64  `json:"removed"`   // records that no split of the new side has
	MovedIn   int64  `json:"moved_in"`  // from other splits
	MovedOut  int64  `json:"moved_out"` // to other splits
	Reordered bool   `json:"reordered"` // the equal records are in another order
}

// differs reports whether the split or any of its records differ.
func (s *Split) differs() bool {
	return s.In != inBoth || s.Added+s.Removed+s.MovedIn+s.MovedOut > 0 || s.Reordered
}

// A Feature has the differences of a feature.
type Feature struct {
	Key     string   `json:"key"`
	Steps   bool     `json:"steps,omitempty"` // a feature list of a SequenceExample
	Old     *Shape   `json:"old"`             // nil: the feature is new
	New     *Shape   `json:"new"`             // nil: the feature was removed
	Added   []string `json:"classes_added,omitempty"`
	Removed []string `json:"classes_removed,omitempty"`
	Moved   []string `json:"classes_moved,omitempty"` // classes whose number changed
	Differs bool     `json:"differs"`
	Drift   []Drift  `json:"drift,omitempty"` // by split, if not 0
}

// A Shape is the type and the size of a feature.
type Shape struct {
	List    string          `json:"list"`
	Kind    statistics.Kind `json:"kind"`
	Classes int             `json:"classes,omitempty"` // number of classes
	Least   int64           `json:"least"`             // minimum number of values per record
	Most    int64           `json:"most"`              // maximum number of values per record
	Missing int64           `json:"missing"`           // records without the feature
}

// A Drift is the divergence of a feature's values in a split from the old values. It is the
// Jensen–Shannon divergence in bits, from 0 to 1. See [statistics.Divergence].
type Drift struct {
	Split      string  `json:"split"`
	Divergence float64 `json:"divergence"`
}

// A Line is a line of one config that the other does not have.
type Line struct {
	In     string `json:"in"` // old or new
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// The side that has something.
const (
	inBoth = "both"
	inOld  = "old"
	inNew  = "new"
)

// The limits of lists.
const (
	maxLines   = 1000
	maxClasses = 1000
)
