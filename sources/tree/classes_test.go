package tree

import (
	"slices"
	"testing"

	"tfr-build/internal/testenv"
)

func TestSimilarClasses(t *testing.T) {
	const composed, apart = "caf\u00e9", "cafe\u0301"
	dir := testenv.Directory(t, map[string]string{
		composed + "/1.bin": "", composed + "/2.bin": "", apart + "/1.bin": "", "cafe/1.bin": "", "Cafe/1.bin": "",
		"\xe9/1.bin": "", "deep/" + composed + "/1.bin": "",
	})
	f := mustOpen(t, anything(dir), 2)
	if got, want := f.similarClasses(), [][2]string{{apart, composed}}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := f.Remarks(0); len(got) != 1 || got[0].Code != "CLASS_AMBIGUOUS" ||
		got[0].Text != `the classes "cafe\u0301" and "caf\u00e9" look the same` {
		t.Errorf("remarks: %+v", got)
	}
}
