package infer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
)

// TestNamesThatAreNotUTF8 checks the error of input that a config cannot name.
func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"tables/good.csv": "a,b\n1,2\n"})
	if err := os.CopyFS(filepath.Join(dir, "pets"), os.DirFS("testdata/in/pets/train/cat")); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"tables/good.csv": "tables/caf\xe9.csv", "pets/0.png": "pets/caf\xe9.png"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Skipf("the file system has no such names: %v", err)
		}
	}
	for _, path := range []string{"tables", "tables/caf\xe9.csv", "pets"} {
		_, err := infer.Inspect(t.Context(), []string{filepath.Join(dir, path)}, infer.Options{Dir: dir, Workers: 1})
		if want := "found byte 0xe9 in the name, expected UTF-8 [UTF8_INVALID]"; err == nil ||
			!strings.Contains(err.Error(), "/caf\xe9.") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
	odd := filepath.Join(dir, "caf\xe9")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(odd, "t.csv"), "a,b\n1,2\n") // whose name below the config is UTF-8
	works(t, odd, written(t, odd, filepath.Join(odd, "t.csv")))
}

// TestMembersWithHash names members of archives that hold a #.
func TestMembersWithHash(t *testing.T) {
	array := filetest.NPY("|u1", "(3,)", "\x01\x02\x03")
	dir := testenv.Directory(t, map[string]string{"data.npz": filetest.Zip(t, "#1.npy", array, "a#b.npy",
		array, "c#.npy", array, "d.npy", array)})
	c := written(t, dir, filepath.Join(dir, "data.npz"))
	for _, want := range []string{
		`"1": "data.npz##1"`, `a_b: "data.npz#a#b"`, `d: "data.npz#d"`,
		"# The member \"c#\" of data.npz is skipped: a config cannot name a member that ends with a #.\n",
	} {
		if !strings.Contains(string(c.Text), want) {
			t.Errorf("no %s in\n%s", want, c.Text)
		}
	}
	works(t, dir, c)
}

// TestRelativeOutputOfConfigs has the dataset where the user is, wherever the config is.
func TestRelativeOutputOfConfigs(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a,b\n1,2\n", "cfgs/deep/keep": ""})
	for config, want := range map[string]string{".": "out/t", "cfgs": "../out/t", "cfgs/deep": "../../out/t"} {
		c, err := infer.Inspect(t.Context(), []string{filepath.Join(dir, "t.csv")},
			infer.Options{Dir: filepath.Join(dir, config), Out: dir, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(c.Text), "\noutput: "+want+"\n") {
			t.Errorf("%s: want %s\n%s", config, want, c.Text)
		}
	}
}
