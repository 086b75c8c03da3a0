package checks

import (
	"strconv"
	"strings"
)

// A Finding is a violation of a check, or an unusual property of a dataset.
type Finding struct {
	// Check is min, max, missing, empty, distinct, finite, values, rows, split_skew, leakage,
	// classes.empty, classes.in_every_split, or a check of [Remarks].
	Check   string `json:"check"`
	Feature string `json:"feature,omitempty"` // key; empty for the dataset
	Split   string `json:"split,omitempty"`   // empty for all splits
	Found   string `json:"found"`             // "0.14", "4.2 %", "12 values of 100"
	Limit   string `json:"limit"`             // "at most 0.1"
	Text    string `json:"text"`              // a sentence with all of it, and the formula if any
}

// Warnings returns findings as lines of a log, without control characters. Findings with the same
// check, feature, and limit share a line that lists the splits.
func Warnings(findings []Finding) (lines []string) {
	type group struct{ check, feature, limit string }
	groups := map[group][]Finding{}
	var order []group
	for _, f := range findings {
		s := group{f.Check, f.Feature, f.Limit}
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], f)
	}
	for _, s := range order {
		lines = append(lines, "check "+s.check+": "+joinSplits(groups[s]))
	}
	return lines
}

// joinSplits returns the text of findings that differ only in their splits.
func joinSplits(findings []Finding) string {
	first := &findings[0]
	if len(findings) == 1 {
		return first.Text
	}
	var splits []string
	for i := range findings[:min(len(findings), maxSplits)] {
		splits = append(splits, quote(findings[i].Split)+" "+findings[i].Brief())
	}
	if more := len(findings) - maxSplits; more > 0 {
		splits = append(splits, strconv.Itoa(more)+" more splits")
	}
	text := "expected " + first.Limit + ", found in " + strings.Join(splits, "; ")
	if first.Feature != "" {
		text = quote(first.Feature) + ": " + text
	}
	return text
}

// maxSplits is the maximum number of splits in a line of a log.
const maxSplits = 8

// Brief returns what was found, without the feature, the split, and the limit.
func (f *Finding) Brief() string {
	for _, prefix := range []string{in(f.Feature, f.Split), quote(f.Feature)} {
		if text, ok := strings.CutPrefix(f.Text, prefix+": "); ok {
			text, _, _ = strings.Cut(text, ";")
			return text
		}
	}
	return f.Found
}

// maxFindings is the maximum number of findings per check. With 10,000 features and 100 splits
// there may be very many.
const maxFindings = 100

// A subject is what a finding is about.
type subject struct{ check, feature, split string }

func (f *Finding) subject() subject { return subject{f.Check, f.Feature, f.Split} }

// A list collects findings.
type list struct {
	reported map[subject]bool // skip findings about these subjects
	findings []Finding
	checks   []string         // in the order of their first findings
	counts   map[string]int64 // by check
}

func (l *list) add(f Finding) {
	if l.reported[f.subject()] {
		return
	}
	if l.counts == nil {
		l.counts = map[string]int64{}
	}
	if l.counts[f.Check] == 0 {
		l.checks = append(l.checks, f.Check)
	}
	if l.counts[f.Check]++; l.counts[f.Check] <= maxFindings {
		l.findings = append(l.findings, f)
	}
}

// complete returns the findings. For each check with too many, a last finding has the number of
// those that are missing.
func (l *list) complete() []Finding {
	for _, check := range l.checks {
		if more := l.counts[check] - maxFindings; more > 0 {
			text := counted(more, "finding") + " more"
			l.findings = append(l.findings, Finding{Check: check, Found: text, Limit: "none",
				Text: text + " of this check"})
		}
	}
	return l.findings
}
