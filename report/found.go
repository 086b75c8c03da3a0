package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/checks"
	"tfr-build/dataset"
)

// maxFindings is how many findings are shown, and as many remarks.
const maxFindings = 300

// maxWarnings is how many warnings of the build are shown.
const maxWarnings = 100

// A found is the section of findings.
type found struct {
	Findings, Remarks findingTable
	Warnings          []string // of the build
	MoreWarnings      string
	of                map[string]int // findings and remarks by the key of a feature
}

// A findingTable has a row for each check of each feature, and the splits as columns.
type findingTable struct {
	Splits []splitView // none: nothing is about one split
	Rows   []findingRow
	More   string
}

// A findingRow is what a check finds in a feature.
type findingRow struct {
	Check, Feature, Link, Limit, Advice string

	Rows int // with this check, in the first one of them; 0 in the others

	Found string // in all splits together
	Cells []findingCell
	Text  string // what is found, where Found and Cells leave something out
	key   string // of the feature
}

// A findingCell is what is found in one split; empty: nothing.
type findingCell struct {
	Split, Found, Text string
}

func viewFound(p *Page) found {
	f := found{of: map[string]int{}}
	remarks := slices.DeleteFunc(slices.Clone(p.Remarks), func(f checks.Finding) bool {
		_, isDate := p.Dates[f.Feature]
		return isDate && f.Check == "identifier" // dates may all differ
	})
	remarks = append(equalRecords(p.Manifest), remarks...)
	f.Findings, f.Remarks = viewFindings(p.Manifest, p.Findings), viewFindings(p.Manifest, remarks)
	for _, list := range [][]findingRow{f.Findings.Rows, f.Remarks.Rows} {
		for i := range list {
			if list[i].key != "" {
				f.of[list[i].key]++
			}
		}
	}
	f.addWarnings(p.Manifest)
	return f
}

// Count returns the number of findings of all kinds that are shown.
func (f *found) Count() int {
	return len(f.Findings.Rows) + len(f.Remarks.Rows) + len(f.Warnings)
}

// addWarnings adds the warnings of the manifest. One source among several is named.
func (f *found) addWarnings(m *dataset.Manifest) {
	for i := range m.Warnings[:min(len(m.Warnings), maxWarnings)] {
		w, at := &m.Warnings[i], ""
		if w.Source != nil && len(m.Sources) > 1 {
			at = viewSource(m.Sources[*w.Source]).Name
		}
		f.Warnings = append(f.Warnings, clean(w.Line(at), maxPhrase))
	}
	if n := len(m.Warnings) - maxWarnings; n > 0 {
		f.MoreWarnings = "and " + Grouped(int64(n)) + " more, which the manifest has"
	}
}

// equalRecords returns observations about records that are equal to others, and about those in two splits.
func equalRecords(m *dataset.Manifest) (list []checks.Finding) {
	if m.Equal == nil {
		return nil
	}
	equal, shared := m.Equal.Texts(m)
	list = append(list, checks.Finding{Check: "equal", Found: equal, Limit: "none", Text: equal})
	if shared != "" {
		list = append(list, checks.Finding{Check: "shared", Found: shared, Limit: "none", Text: shared})
	}
	return list
}

// viewFindings groups findings by check, feature, and limit.
func viewFindings(m *dataset.Manifest, list []checks.Finding) (table findingTable) {
	columns := findingColumns(m, list)
	for _, i := range columns {
		table.Splits = append(table.Splits, splitView{Name: clean(m.Splits[i].Name, maxName), Color: color(i)})
	}
	type subject struct{ check, feature, limit string }
	rows := map[subject]int{}
	for i := range list[:min(len(list), maxFindings)] {
		f := &list[i]
		about := subject{f.Check, f.Feature, f.Limit}
		if f.Split == "" { // it applies to the complete dataset
			about.check += "\x00" + strconv.Itoa(i)
		}
		at, ok := rows[about]
		if !ok {
			at = len(table.Rows)
			rows[about] = at
			table.Rows = append(table.Rows, newFindingRow(f, table.Splits))
		}
		table.Rows[at].add(f, m, columns)
	}
	table.groupChecks()
	if n := len(list) - maxFindings; n > 0 {
		table.More = "and " + Grouped(int64(n)) + " more, which the manifest has"
	}
	return table
}

// groupChecks puts the rows of a check together.
func (t *findingTable) groupChecks() {
	first := map[string]int{}
	for i, row := range t.Rows {
		if _, ok := first[row.Check]; !ok {
			first[row.Check] = i
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b findingRow) int { return cmp.Compare(first[a.Check], first[b.Check]) })
	for i, at := 0, 0; i < len(t.Rows); i++ {
		if t.Rows[i].Check != t.Rows[at].Check {
			at = i
		}
		t.Rows[at].Rows++
	}
}

// findingColumns are the first splits that findings are about, by their numbers.
func findingColumns(m *dataset.Manifest, list []checks.Finding) (columns []int) {
	for i := range m.Splits {
		name := m.Splits[i].Name
		if len(columns) < maxSplits && slices.ContainsFunc(list, func(f checks.Finding) bool {
			return f.Split == name
		}) {
			columns = append(columns, i)
		}
	}
	return columns
}

func newFindingRow(f *checks.Finding, splits []splitView) findingRow {
	row := findingRow{
		Check: clean(f.Check, maxName), Feature: clean(f.Feature, maxName), Limit: clean(f.Limit, maxName),
		Advice: checks.Advice(f.Check), key: f.Feature,
	}
	for _, s := range splits {
		row.Cells = append(row.Cells, findingCell{Split: s.Name})
	}
	return row
}

// add adds a finding to its row.
func (r *findingRow) add(f *checks.Finding, m *dataset.Manifest, columns []int) {
	shown, brief := clean(f.Found, maxName), clean(f.Brief(), maxPhrase)
	if f.Feature == "" {
		brief = clean(f.Text, maxPhrase)
	}
	if brief = strings.TrimSuffix(strings.TrimPrefix(brief, shown+" "), ", "+shown); brief == shown {
		brief = ""
	}
	if strings.Contains(brief, shown) {
		shown, brief = brief, ""
	}
	if f.Split == "" {
		r.Found, r.Text = shown, brief
		return
	}
	at := slices.IndexFunc(columns, func(i int) bool { return m.Splits[i].Name == f.Split })
	if at < 0 { // one that has no column
		r.Text = strings.TrimPrefix(r.Text+"; "+clean(f.Split, maxName)+": "+shown, "; ")
		return
	}
	r.Cells[at].Found, r.Cells[at].Text = shown, brief
}

// link has findings point to the features that are shown, by their numbers: a key
// may be anything, and is not a name of a place.
func (f *found) link(numbers map[string]int) {
	for _, list := range [][]findingRow{f.Findings.Rows, f.Remarks.Rows} {
		for i := range list {
			if at, ok := numbers[list[i].key]; ok && list[i].Feature != "" {
				list[i].Link = "#f" + strconv.Itoa(at)
			}
		}
	}
}
