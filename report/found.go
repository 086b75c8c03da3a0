package report

import (
	"strconv"

	"tfr-build/checks"
)

// maxFindings is how many findings are shown, and as many remarks.
const maxFindings = 300

// A found is the section of what to look at.
type found struct {
	Findings, Remarks         []findingView
	MoreFindings, MoreRemarks string
	of                        map[string]int // findings and remarks by the key of a feature
}

// A findingView is one row of it.
type findingView struct {
	Check, Feature, Link, Split, Found, Limit, Text string
}

func viewFound(p *Page) found {
	f := found{of: map[string]int{}}
	f.Findings, f.MoreFindings = viewFindings(p.Findings)
	f.Remarks, f.MoreRemarks = viewFindings(p.Remarks)
	for _, list := range [][]checks.Finding{p.Findings, p.Remarks} {
		for _, one := range list {
			if one.Feature != "" {
				f.of[one.Feature]++
			}
		}
	}
	return f
}

func viewFindings(list []checks.Finding) (views []findingView, more string) {
	for _, f := range list[:min(len(list), maxFindings)] {
		views = append(views, findingView{
			Check: clean(f.Check, maxName), Feature: clean(f.Feature, maxName), Split: clean(f.Split, maxName),
			Found: clean(f.Found, maxName), Limit: clean(f.Limit, maxName), Text: clean(f.Text, maxPhrase), Link: f.Feature,
		})
	}
	if n := len(list) - maxFindings; n > 0 {
		more = "and " + Grouped(int64(n)) + " more, which the manifest has"
	}
	return views, more
}

// link has findings point to the features that are shown, by their numbers: a key
// may be anything, and is no name of a place.
func (f *found) link(place map[string]int) {
	for _, list := range [][]findingView{f.Findings, f.Remarks} {
		for i := range list {
			at, ok := place[list[i].Link]
			list[i].Link = ""
			if ok && list[i].Feature != "" {
				list[i].Link = "#f" + strconv.Itoa(at)
			}
		}
	}
}
