package dataset

import (
	"fmt"
	"strings"
)

// Rules of a config that skip rows, with the names in Counts.Skipped.
const (
	SkippedByWhere   = "where"
	SkippedByDedupe  = "dedupe"
	SkippedBySample  = "sample"
	SkippedByWindows = "windows"
	SkippedByLimit   = "limit"
)

// SkipRules has the rules that skip rows, in the order in which they are applied. What a build counts, the manifest,
// the report, and the commands take the names from here.
var SkipRules = []string{SkippedByWhere, SkippedByDedupe, SkippedBySample, SkippedByWindows, SkippedByLimit}

// Skipped returns the number of rows of all sources that each rule skips. It is nil if rules skip
// no rows.
func (m *Manifest) Skipped() map[string]int64 { return m.Counts().Skipped }

// Counts returns the sums of the counts of all sources.
func (m *Manifest) Counts() (all Counts) {
	for i := range m.Sources {
		all.Add(m.Sources[i].Counts)
	}
	return all.normalized()
}

// SkippedText returns the numbers of skipped rows as text: `412 skipped by where and 3 by
// sample`. It is empty if no rows are skipped.
func SkippedText(counts map[string]int64) string {
	var parts []string
	for _, rule := range SkipRules {
		if n := counts[rule]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d by %s", n, rule))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	parts[0] = strings.Replace(parts[0], " by", " skipped by", 1)
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
