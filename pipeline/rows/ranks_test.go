package rows

import (
	"strings"
	"testing"

	"tfr-build/internal/nameset"
)

// TestRanks looks classes up that are listed, and others.
func TestRanks(t *testing.T) {
	listed, unlisted := &Ranks{feature: "label"}, &Ranks{feature: "label", unlisted: true}
	for _, r := range []*Ranks{listed, unlisted} {
		r.Set([]string{"dog", "cat"})
		if n, err := r.rank([]byte("cat")); n != 1 || err != nil || r.ByName() ||
			!strings.Contains(r.Note(), `the feature "label"`) {
			t.Errorf("%d, %v, %s", n, err, r.Note())
		}
	}
	if n, err := unlisted.rank([]byte("cow")); n != 2 || err != nil {
		t.Errorf("a class after all others: %d, %v", n, err)
	}
	if _, err := listed.rank([]byte("cow")); codeOf(err) != "LABEL_UNKNOWN" {
		t.Errorf("a class that is not listed: %v", err)
	}
	byName := &Ranks{names: new(nameset.Set), unlisted: true}
	if !byName.ByName() || !strings.Contains(byName.Note(), "by their names") {
		t.Errorf("without a list: %s", byName.Note())
	}
	if none := (*Ranks)(nil); none.ByName() || none.Note() != "" {
		t.Error("other orders have ranks")
	}
}
