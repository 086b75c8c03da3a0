package infer

import (
	"slices"
	"strings"
	"unicode"

	"tfr-build/internal/plural"
)

// A counter counts strings, as long as the number of distinct strings is limited.
type counter struct {
	counts     map[string]int
	order      []string // in the order of their first occurrence
	most       int      // number of distinct strings that are kept
	repeats    int      // rows whose string occurred before
	overflowed bool     // not all distinct strings were kept
	isComplete bool     // the numbers may be owners, and are counted as strings are: all of them
}

// leastRepeats is the share of rows, one in so many, that repeat the value of an owner.
const leastRepeats = 5

// countsNumbers reports whether the numbers among so many rows are still counted. When there are too many to keep, only
// the numbers of owners are.
func (t *counter) countsNumbers(rows int) bool {
	return !t.overflowed || t.isComplete && leastRepeats*t.repeats >= rows
}

// add counts a string n times.
func (t *counter) add(text []byte, n int) {
	if was, ok := t.counts[string(text)]; ok {
		t.counts[string(text)] = was + n
		t.repeats += n
		return
	}
	if len(t.counts) >= t.most {
		t.overflowed = true
		return
	}
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	key := string(text)
	t.counts[key] = n
	t.order = append(t.order, key)
	t.repeats += n - 1
}

// repeatsOfOthers returns the repeats of the strings other than the most common one, which may mean missing.
func (t *counter) repeatsOfOthers() int {
	most := 1
	for _, n := range t.counts {
		most = max(most, n)
	}
	return t.repeats - most + 1
}

// inRows says how many strings are in so many rows.
func (t *counter) inRows(noun string, rows int) string {
	text := plural.Of(len(t.order), noun) + " in " + plural.Of(rows, "row")
	if t.overflowed {
		text = "more than " + text
	}
	return text
}

// sorted returns the distinct strings, sorted.
func (t *counter) sorted() []string { return slices.Sorted(slices.Values(t.order)) }

// first returns the string that occurred first; … if it was too long to keep.
func (t *counter) first() string {
	if len(t.order) == 0 {
		return ""
	}
	if s := t.order[0]; !strings.HasPrefix(s, "\x00") {
		return s
	}
	return "…"
}

// haveLetters reports whether a string has a letter, as names have.
func (t *counter) haveLetters() bool {
	return slices.ContainsFunc(t.order, func(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) })
}
