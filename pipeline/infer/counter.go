package infer

import (
	"slices"
	"strings"
)

// A tally counts texts, as long as there are not too many different ones.
type tally struct {
	counts map[string]int
	order  []string // as they were met
	most   int      // different ones that are kept
	again  int      // rows whose text was there before
	over   bool     // there are more different ones than are kept
}

// add counts a text n times.
func (t *tally) add(text []byte, n int) {
	if was, ok := t.counts[string(text)]; ok {
		t.counts[string(text)] = was + n
		t.again += n
		return
	}
	if len(t.counts) >= t.most {
		t.over = true
		return
	}
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	key := string(text)
	t.counts[key] = n
	t.order = append(t.order, key)
	t.again += n - 1
}

// texts are the different ones, sorted.
func (t *tally) texts() []string { return slices.Sorted(slices.Values(t.order)) }

// first is the text that was met first.
func (t *tally) first() string {
	if len(t.order) == 0 {
		return ""
	}
	if s := t.order[0]; !strings.HasPrefix(s, "\x00") {
		return s
	}
	return "…"
}
