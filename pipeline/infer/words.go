package infer

import (
	"regexp"
	"slices"
	"strings"
)

// settleWords says which words mean missing in all columns: those that stand beside
// numbers somewhere, and those that are rare wherever they stand.
func (s *seen) settleWords() (nulls []string) {
	beside, often := map[string]bool{}, map[string]bool{}
	var all []string
	for _, col := range s.columns {
		if col.profile == nil {
			continue
		}
		p := col.profile
		numbers := p.texts > 0 && p.floats == p.texts || p.isDated() || p.unread() != ""
		for word, n := range p.missed {
			const rare = 20
			all = append(all, word)
			beside[word] = beside[word] || numbers
			often[word] = often[word] || !numbers && n*rare > p.rows
		}
	}
	slices.Sort(all)
	means := func(word string) bool { return s.kind == "csv" && (word == "" || beside[word] || !often[word]) }
	for _, word := range slices.Compact(all) {
		if means(word) {
			nulls = append(nulls, word)
		}
	}
	for _, col := range s.columns {
		if col.profile != nil {
			col.profile.settle(means)
		}
	}
	return nulls
}

// splitWords are names that splits go by.
var splitWords = []string{"train", "training", "val", "valid", "validation", "test", "testing", "dev"}

func isSplitWord(s string) bool { return slices.Contains(splitWords, strings.ToLower(s)) }

// namesSplits reports whether each row has the name of a split in a column.
func (s *seen) namesSplits(col *columnSeen) bool {
	var p *profile
	switch {
	case col.profile != nil:
		p = col.profile
	case col.value != nil && col.value.strings == s.rows-s.bad:
		p = col.value.profile
	case col.kept != nil && col.kept.texts == s.rows-s.bad:
		p = col.kept.words
	}
	if p == nil || p.tally.over || len(p.tally.order) < 2 || p.lacking() > 0 {
		return false
	}
	return !slices.ContainsFunc(p.tally.order, func(s string) bool { return !isSplitWord(s) })
}

// groupWords end the names of columns that say whose row it is.
var groupWords = regexp.MustCompile(`(?i:(^|[^a-z])(id|ids|user|patient|subject|speaker|author|customer|client|session|individual|group|household|person|participant|family|device|video|document|article)$)|[a-z]I[dD]$`)

// group is the column that rows are to be kept together by: the name of somebody or
// something that several rows are of. It is the one with the most values.
func (s *seen) group() (name string) {
	best := 0
	for _, col := range s.columns {
		p := col.profile
		if p == nil || !groupWords.MatchString(strings.TrimSpace(col.name)) || p.lacking() > 0 {
			continue
		}
		const few, repeats = 10, 5 // one row in five repeats a value
		n := len(p.tally.order)
		if n >= few && p.tally.again*repeats >= p.rows && p.spaced*2 < p.rows && p.longest <= longestName && n > best {
			name, best = col.name, n
		}
	}
	return name
}
