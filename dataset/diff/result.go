package diff

import "tfr-build/statistics"

// A Result is what differs.
type Result struct {
	Old      Side      `json:"old"`
	New      Side      `json:"new"`
	Equal    bool      `json:"equal"` // nothing below differs, but for Notes and Drift
	Splits   []Split   `json:"splits"`
	Features []Feature `json:"features"` // that differ, or drift
	Config   []Line    `json:"config"`   // lines that one config alone has
	Notes    []string  `json:"notes"`    // what differs, and changes no record
}

// A Side is one of the two.
type Side struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // of a dataset
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"` // of the manifest
	Records int64  `json:"records"`
	Shards  int64  `json:"shards"`
}

// A Split is what became of the records of one split.
type Split struct {
	Name      string `json:"name"`
	In        string `json:"in"` // both, old or new
	Old       int64  `json:"old"`
	New       int64  `json:"new"`
	Equal     int64  `json:"equal"`     // records that are in both
	Added     int64  `json:"added"`     // that no split of the old one has
	Removed   int64  `json:"removed"`   // that no split of the new one has
	MovedIn   int64  `json:"moved_in"`  // from other splits
	MovedOut  int64  `json:"moved_out"` // to other splits
	Reordered bool   `json:"reordered"` // the equal records stand in another order
}

// differs reports whether any record does.
func (s *Split) differs() bool {
	return s.In != inBoth || s.Added+s.Removed+s.MovedIn+s.MovedOut > 0 || s.Reordered
}

// A Feature is what became of one feature.
type Feature struct {
	Key     string   `json:"key"`
	Steps   bool     `json:"steps,omitempty"` // a feature list of a SequenceExample
	Old     *Shape   `json:"old"`             // nil: it is new
	New     *Shape   `json:"new"`             // nil: it was removed
	Added   []string `json:"classes_added,omitempty"`
	Removed []string `json:"classes_removed,omitempty"`
	Moved   []string `json:"classes_moved,omitempty"` // classes that have another number
	Differs bool     `json:"differs"`
	Drift   []Drift  `json:"drift,omitempty"` // by split, where it is not 0
}

// A Shape is what a feature is.
type Shape struct {
	List    string          `json:"list"`
	Kind    statistics.Kind `json:"kind"`
	Classes int             `json:"classes,omitempty"` // how many
	Least   int64           `json:"least"`             // values of a record
	Most    int64           `json:"most"`
	Missing int64           `json:"missing"` // records without it
}

// A Drift is how far the values of a feature in a split are from those that they
// were: the divergence of Jensen and Shannon in base 2, from 0 to 1; see
// [statistics.Divergence].
type Drift struct {
	Split      string  `json:"split"`
	Divergence float64 `json:"divergence"`
}

// A Line is one of a config that the other lacks.
type Line struct {
	In     string `json:"in"` // old or new
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// In which of the two something is.
const (
	inBoth = "both"
	inOld  = "old"
	inNew  = "new"
)

// The bounds of lists.
const (
	maxLines   = 1000
	maxClasses = 1000
)
