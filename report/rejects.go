package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/codes"
	"tfr-build/internal/plural"
)

// How many rows of tables about the input are shown.
const (
	maxCodes   = 100
	maxCauses  = 10 // codes with a sentence
	maxSources = 100
	maxJoin    = 500 // characters about a join
	maxDropped = 100
)

// A rejectsView is the section of rows that became no records.
type rejectsView struct {
	Total   int64
	Found   string
	Skipped string // by rules of the config
	Codes   []rejectView
	Causes  []string // what the first codes mean
	Sources []sourceView
	More    string
	Joins   []string // the rows without a match

	Provenance string // digest of what the dataset was made from; empty without a statement
	Inputs     string // number of input files

	Dropped     []droppedView
	MoreDropped string
}

// A droppedView shows the values of a feature that the records of a split miss.
type droppedView struct {
	Feature, Split, Missing, Mixed string
}

// A rejectView is the rows that were rejected for one reason.
type rejectView struct {
	Code, Rows, Share string
	Width             int // of its bar, of 100
}

// A sourceView is one source.
type sourceView struct {
	Name, Kind, Found, Written, Rejected, Blank string
}

func viewRejects(m *dataset.Manifest) rejectsView {
	var v rejectsView
	all := m.Counts() // with group, splits count records
	found, byCode := all.Found, all.Rejected
	for _, n := range byCode {
		v.Total += n
	}
	v.Found, v.Skipped = Grouped(found), dataset.SkippedText(all.Skipped)
	v.Provenance, v.Inputs = m.Provenance, plural.Of(m.Inputs, "input file")
	names := slices.Sorted(maps.Keys(byCode))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(byCode[b], byCode[a]) })
	for _, code := range names[:min(len(names), maxCodes)] {
		n := byCode[code]
		v.Codes = append(v.Codes, rejectView{clean(code, maxName), Grouped(n), share(n, found),
			scaled(float64(n), float64(v.Total), 100)})
		if known := codes.Named(code); len(known) > 0 && len(v.Causes) < maxCauses {
			v.Causes = append(v.Causes, code+": "+strings.ReplaceAll(known[0].Cause, "`", ""))
		}
	}
	for _, s := range m.Sources[:min(len(m.Sources), maxSources)] {
		v.Sources = append(v.Sources, viewSource(s))
	}
	if n := len(m.Sources) - maxSources; n > 0 {
		v.More = "and " + count(int64(n), "more source")
	}
	for i := range m.Joins[:min(len(m.Joins), maxSources)] {
		text := m.Joins[i].Text(len(m.Skipped()) == 0 && dataset.AllJoined(m.Joins))
		if text == "" {
			text = m.Joins[i].At + " (" + m.Joins[i].Table + "): no row without a match"
			if m.Joins[i].NotJoined > 0 {
				text += "; " + m.Joins[i].NotJoinedText()
			}
		}
		v.Joins = append(v.Joins, clean(text, maxJoin))
	}
	v.Dropped, v.MoreDropped = viewDropped(m)
	return v
}

// viewDropped lists the features that miss values. Those with dropped values come first.
func viewDropped(m *dataset.Manifest) (list []droppedView, more string) {
	var mixed, missing []droppedView
	for _, s := range m.Splits {
		for _, feature := range slices.Sorted(maps.Keys(s.Dropped)) {
			d := s.Dropped[feature]
			one := droppedView{clean(feature, maxName), clean(s.Name, maxName), Grouped(d.Missing),
				Grouped(d.Mixed + d.Unknown)}
			if d.Mixed+d.Unknown > 0 {
				mixed = append(mixed, one)
			} else {
				missing = append(missing, one)
			}
		}
	}
	list = append(mixed, missing...)
	if n := len(list) - maxDropped; n > 0 {
		return list[:maxDropped], "and " + Grouped(int64(n)) + " more, which the manifest has"
	}
	return list, ""
}

func viewSource(s dataset.Source) sourceView {
	var rejected int64
	for _, n := range s.Rejected {
		rejected += n
	}
	name := clean(s.Name, maxName)
	if name == "" {
		name = "source " + Grouped(int64(s.Index)+1)
	}
	return sourceView{name, clean(s.Kind, maxName), Grouped(s.Found), Grouped(s.Written), Grouped(rejected),
		Grouped(s.BlankLines)}
}
