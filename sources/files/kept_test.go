package files

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tfr-build/internal/testenv"
)

// TestKeepTree walks directories after one of them was listed. The same files are selected, without another listing.
func TestKeepTree(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a/1.jpg": "", "a/2.png": "22", "a/b/3.jpg": "", "a-/4.jpg": "", "ab.jpg": "", ".hidden/5.jpg": "",
		"other/6.txt": "",
	})
	if err := os.Symlink("other", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	list := func(sys *System, w Walk) *Tree {
		t.Helper()
		tree, err := sys.Walk(t.Context(), &w)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	kept, jpg := new(System), map[string]bool{"jpg": true}
	kept.KeepTree(dir, list(kept, Walk{Dir: dir}))
	walks := []Walk{{Dir: dir}, {Dir: dir, Extensions: jpg}, {Dir: dir + "/a", Extensions: jpg}, {Dir: dir + "/a/b"},
		{Dir: dir, Include: []string{"a/*"}}, {Dir: dir, Exclude: []string{"a/**", "*.jpg"}}, {Dir: dir + "/.hidden"},
		{Dir: dir + "/link"}, {Dir: dir, FollowLinks: true}, {Dir: filepath.Dir(dir), Extensions: jpg}}
	for _, w := range walks {
		if got, want := list(kept, w).Files, list(nil, w).Files; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v:\n got %v\nwant %v", w, got, want)
		}
	}
	testenv.Put(t, filepath.Join(dir, "a/new.jpg"), "")
	if n := len(list(kept, Walk{Dir: dir + "/a"}).Files); n != 3 {
		t.Errorf("%d files are listed again", n)
	}
}
