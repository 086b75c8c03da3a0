package files

import (
	"fmt"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"testing"
)

// TestJoinByName joins the files of directories. A directory may be in another one, and its name
// may continue with a character that sorts before the slash.
func TestJoinByName(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	directories := []string{"", "a", "a/b", "a-", "a-/b", "a0", "ab", "a/b/c", "b", "é"}
	for range 300 {
		byDirectory := map[string][]File{}
		var want []File
		for range random.IntN(30) {
			directory := directories[random.IntN(len(directories))]
			f := File{Name: path.Join(directory, fmt.Sprintf("%c%d", "aAz-b"[random.IntN(5)], random.IntN(1_000_000)))}
			byDirectory[directory], want = append(byDirectory[directory], f), append(want, f)
		}
		var lists [][]File
		for _, list := range byDirectory {
			sortByName(list)
			lists = append(lists, list)
		}
		sortByName(want)
		if got := joinByName(lists); !slices.Equal(got, want) {
			t.Fatalf("lists %v\n got %v\nwant %v", lists, got, want)
		}
	}
	if got := joinByName(nil); !reflect.DeepEqual(got, []File(nil)) {
		t.Errorf("no list: %#v", got)
	}
}

// TestNilSystem checks that a System without stores asks none: a URL is a path without a file.
func TestNilSystem(t *testing.T) {
	for _, sys := range []*System{nil, {}} {
		for _, path := range []string{"https://example.com/a.png", "s3://bucket/a.png"} {
			if _, err := sys.Stat("a.png", path); err == nil {
				t.Errorf("%s is a file", path)
			}
		}
	}
}
