package dataset

import (
	"fmt"
	"strings"
)

// Rules of a config that leave rows out, as Counts.LeftOut names them.
const (
	LeftByWhere  = "where"
	LeftBySample = "sample"
	LeftByLimit  = "limit"
)

// rules are those rules in the order in which they are asked.
var rules = []string{LeftByWhere, LeftBySample, LeftByLimit}

// LeftOut are the rows of all sources that rules leave out; nil where there are none.
func (m *Manifest) LeftOut() map[string]int64 {
	var all map[string]int64
	for _, s := range m.Sources {
		for rule, n := range s.LeftOut {
			if all == nil {
				all = map[string]int64{}
			}
			all[rule] += n
		}
	}
	return all
}

// found is how many rows all sources have.
func (m *Manifest) found() (n int64) {
	for _, s := range m.Sources {
		n += s.Found
	}
	return n
}

// LeftOutText says what rules leave out: `412 left out by where and 3 by sample`; empty
// where that is nothing.
func LeftOutText(counts map[string]int64) string {
	var parts []string
	for _, rule := range rules {
		if n := counts[rule]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d by %s", n, rule))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	parts[0] = strings.Replace(parts[0], " by", " left out by", 1)
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
