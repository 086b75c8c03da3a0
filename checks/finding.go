package checks

import (
	"strconv"
	"strings"
)

// A Finding is one thing of a dataset that is to be looked at.
type Finding struct {
	Check   string `json:"check"`             // min, max, missing, distinct, finite, values, rows, split_skew, leakage, classes.empty, classes.in_every_split; also the names in Remarks
	Feature string `json:"feature,omitempty"` // the key; empty where it is about the dataset
	Split   string `json:"split,omitempty"`   // that it is found in
	Found   string `json:"found"`             // "0.14", "4.2 %", "12 values of 100"
	Limit   string `json:"limit"`             // "at most 0.1"
	Text    string `json:"text"`              // a sentence with all of it, and the formula where there is one
}

// Warnings returns findings as lines of a log, without control characters. Findings of
// the same check, feature, and limit share a line that shows each split.
func Warnings(findings []Finding) (lines []string) {
	type subject struct{ check, feature, limit string }
	groups := map[subject][]Finding{}
	var order []subject
	for _, f := range findings {
		s := subject{f.Check, f.Feature, f.Limit}
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], f)
	}
	for _, s := range order {
		lines = append(lines, "check "+s.check+": "+together(groups[s]))
	}
	return lines
}

// together returns the text of findings that differ in their splits.
func together(findings []Finding) string {
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

// maxSplits is how many splits a line of a log has.
const maxSplits = 8

// Brief returns what is found, without the feature, the split, and the limit.
func (f *Finding) Brief() string {
	for _, prefix := range []string{in(f.Feature, f.Split), quote(f.Feature)} {
		if text, ok := strings.CutPrefix(f.Text, prefix+": "); ok {
			text, _, _ = strings.Cut(text, ";")
			return text
		}
	}
	return f.Found
}

// maxFindings is how many findings of one check are told: of 10,000 features any
// may be odd in each of 100 splits.
const maxFindings = 100

// A place is what a finding is about.
type place struct{ check, feature, split string }

func (f *Finding) place() place { return place{f.Check, f.Feature, f.Split} }

// A list collects findings.
type list struct {
	told     map[place]bool // elsewhere, and so not here
	findings []Finding
	checks   []string         // in the order of their first findings
	counts   map[string]int64 // by check
}

func (l *list) add(f Finding) {
	if l.told[f.place()] {
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

// all are the findings, and for each check that has too many one with how many are
// not told.
func (l *list) all() []Finding {
	for _, check := range l.checks {
		if more := l.counts[check] - maxFindings; more > 0 {
			text := counted(more, "finding") + " more"
			l.findings = append(l.findings, Finding{Check: check, Found: text, Limit: "none", Text: text + " of this check"})
		}
	}
	return l.findings
}
