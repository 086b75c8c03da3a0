package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/rows"
)

// droppedOf returns the counts of missing values in the records of a split, from what was observed in
// its rows.
func droppedOf(observed *rows.Observations, records int64) map[string]dataset.Dropped {
	var all map[string]dataset.Dropped
	for _, n := range observed.FeatureWarnings() {
		if n.Missing+n.Mixed+n.Unknown == 0 {
			continue
		}
		if all == nil {
			all = map[string]dataset.Dropped{}
		}
		all[n.Feature] = dataset.Dropped{
			Missing: int64(n.Missing), Mixed: int64(n.Mixed), Unknown: int64(n.Unknown), Empty: n.Mixed > 0 &&
				int64(n.Empty) == records,
		}
	}
	return all
}

// Missing says which features some records do not have, because their rows have no value. It is
// empty if all records have all features.
func (b *Accounting) Missing() string {
	counts, records := map[string]int64{}, int64(0)
	for _, s := range b.datasetSplits() {
		records += s.Records
		for feature, d := range s.Dropped {
			if d.Missing > 0 {
				counts[feature] += d.Missing
			}
		}
	}
	if len(counts) == 0 {
		return ""
	}
	features := slices.Sorted(maps.Keys(counts))
	var list []string
	for _, feature := range features[:min(len(features), maxMissing)] {
		list = append(list, fmt.Sprintf("%s %d", feature, counts[feature]))
	}
	if n := len(features) - maxMissing; n > 0 {
		list = append(list, fmt.Sprintf("and %s more", plural.Of(n, "feature")))
	}
	return fmt.Sprintf("records without a value, of %d: %s", records, strings.Join(list, ", "))
}

// maxMissing is the largest number of features without a value that are named.
const maxMissing = 8
