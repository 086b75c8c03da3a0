package describe

import (
	"strings"

	"tfr-build/dataset"
	"tfr-build/pipeline/rows"
)

// Joins returns the entries of the manifest for the joins.
func (b *Accounting) Joins() (list []dataset.Join) {
	for _, j := range b.set.Joins(&b.observed) {
		join := dataset.Join{
			Source: j.Source.Number, Join: j.Index, At: j.At, Table: j.Table, Elements: j.Elements,
			NotJoined: b.sources[j.Source.Number].Found - j.Read,
			Rows:      j.Rows, Unmatched: j.Unmatched, TableRows: j.TableRows, TableSkipped: j.Skipped,
			Unused: j.Unused,
		}
		if b.set.Config.Statistics.Values {
			join.UnmatchedExample, join.UnusedExample = j.Example, j.UnusedExample
		}
		list = append(list, join)
	}
	return list
}

// JoinNotes says how many rows of joins have no match. Rows of a table are mentioned only if all rows of the sources
// are joined: a row of the table may belong to one that is skipped or invalid.
func (b *Accounting) JoinNotes() (list []string) {
	joins := b.Joins()
	all := len(b.Skipped()) == 0 && dataset.AllJoined(joins)
	for i := range joins {
		if text := JoinText(b.set, &joins[i], all); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// JoinText is the text of a join. It names the source of a join that several sources share.
func JoinText(set *rows.Set, j *dataset.Join, all bool) string {
	text := j.Text(all)
	if at := set.Sources[j.Source].Config.At; text != "" && len(set.Sources) > 1 && !strings.HasPrefix(j.At, at) {
		return at + ", " + text
	}
	return text
}

// UnmatchedJoins returns the joins in which no row has a match, though the config expects one.
func (b *Accounting) UnmatchedJoins() []rows.Unmatched { return b.set.UnmatchedJoins(&b.observed) }
