package sources

import (
	"context"
	"slices"
	"testing"
)

func TestAlikeClasses(t *testing.T) {
	const composed, apart = "caf\u00e9", "cafe\u0301"
	dir := files(t, map[string]string{
		composed + "/1.bin": "", composed + "/2.bin": "", apart + "/1.bin": "", "cafe/1.bin": "", "Cafe/1.bin": "",
		"\xe9/1.bin": "", "deep/" + composed + "/1.bin": "",
	})
	s, err := Open(context.Background(), folderSpec(dir), 2)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.AlikeClasses(), [][2]string{{apart, composed}}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
