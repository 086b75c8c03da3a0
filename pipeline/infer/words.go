package infer

import (
	"regexp"
	"slices"
	"strings"
)

// findNullWords returns the words that mean missing in all columns. These are the words that occur
// in a column of numbers, and those that are rare in all columns.
func (s *summary) findNullWords() (nulls []string) {
	besideNumbers, often := map[string]bool{}, map[string]bool{}
	var all []string
	for _, col := range s.columns {
		if col.profile == nil {
			continue
		}
		p := col.profile
		numbers := p.texts > 0 && p.floats == p.texts || p.isDated() || p.numberNotation() != ""
		for word, n := range p.missed {
			const rare = 20
			all = append(all, word)
			besideNumbers[word] = besideNumbers[word] || numbers
			often[word] = often[word] || !numbers && n*rare > p.rows
		}
	}
	slices.Sort(all)
	means := func(word string) bool { return s.typ.NullWords && (word == "" || besideNumbers[word] || !often[word]) }
	for _, word := range slices.Compact(all) {
		if means(word) {
			nulls = append(nulls, word)
		}
	}
	for _, col := range s.columns {
		if col.profile != nil {
			col.profile.restoreWords(means)
		}
	}
	return nulls
}

// splitWords are names of splits.
var splitWords = []string{"train", "training", "val", "valid", "validation", "test", "testing", "dev"}

func isSplitWord(s string) bool { return slices.Contains(splitWords, strings.ToLower(s)) }

// namesSplits reports whether a column has the name of a split in each row.
func (s *summary) namesSplits(col *columnSummary) bool {
	var p *profile
	switch {
	case col.profile != nil:
		p = col.profile
	case col.value != nil && col.value.strings == s.rows-s.invalid:
		p = col.value.profile
	case col.typed != nil && col.typed.texts == s.rows-s.invalid:
		p = col.typed.words
	}
	if p == nil || p.counter.overflowed || len(p.counter.order) < 2 || p.lacking() > 0 {
		return false
	}
	return !slices.ContainsFunc(p.counter.order, func(s string) bool { return !isSplitWord(s) })
}

// groupWords matches column names that say who or what a row belongs to.
var groupWords = regexp.MustCompile(`(?i:(^|[^a-z])(id|ids|user|patient|subject|speaker|author|customer|client|session|individual|group|household|person|participant|family|device|video|document|article)$)|[a-z]I[dD]$`)

// groupColumn returns the column whose equal values should stay in one split: it names a person or
// thing with several rows. It is the column with most values.
func (s *summary) groupColumn() (name string) {
	best := 0
	for _, col := range s.columns {
		p := col.profile
		if p == nil || !groupWords.MatchString(strings.TrimSpace(col.name)) || p.lacking() > 0 {
			continue
		}
		const few, repeats = 10, 5 // one row in five repeats a value
		n := len(p.counter.order)
		if n >= few && p.counter.repeats*repeats >= p.rows && p.spaced*2 < p.rows && p.longest <= longestName && n > best {
			name, best = col.name, n
		}
	}
	return name
}
