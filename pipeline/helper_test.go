package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline/config"
)

// TestMain checks that no goroutine remains after all tests. A build makes megabytes of garbage in
// a millisecond and keeps little, so garbage is collected less often.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(testenv.InMemory(m))
}

// load parses a config of the directory dir.
func load(t testing.TB, dir, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte(text), func(string) (string, bool) {
		return "", false
	})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// plenty is more memory than the input of a test takes.
const plenty = 32 << 20

// A way is a way to build that must not change a byte.
type way struct {
	workers int
	memory  int64
	chunk   int
}

func (w way) run(output string) Run {
	return Run{Workers: w.workers, Memory: w.memory, Chunk: w.chunk, Output: output}
}

var ways = []way{{1, plenty, 0}, {2, plenty, 1000}, {3, plenty, 12_345}, {8, plenty, 0}, {1, 0, 0}, {3, 0, 777}}

// buildTo builds cfg in a new directory and returns the directory.
func buildTo(t testing.TB, cfg *config.Config, w way) (string, error) {
	t.Helper()
	output := filepath.Join(t.TempDir(), "out")
	_, err := Build(context.Background(), cfg, w.run(output))
	return output, err
}

func mustBuild(t testing.TB, cfg *config.Config, w way) string {
	t.Helper()
	output, err := buildTo(t, cfg, w)
	if err != nil {
		t.Fatalf("%+v: %v", w, err)
	}
	return output
}

// tree returns a digest of all files below dir, by name, and of the rejects next to it.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", strings.TrimPrefix(path, dir), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(dir + ".rejects.jsonl"); err == nil {
		fmt.Fprintf(&b, "rejects %x\n", sha256.Sum256(data))
	}
	return b.String()
}

// everyWay returns all ways. Without exhaustive tests it returns the first, and one of rows in
// place or spilled rows: half of the tests use one, half the other.
func everyWay(t testing.TB) []way {
	if testenv.Exhaustive() {
		return ways
	}
	return []way{ways[0], []way{ways[2], ways[5]}[len(t.Name())%2]}
}

// sameEveryWay builds cfg in every way and compares all files.
func sameEveryWay(t *testing.T, cfg *config.Config) string {
	t.Helper()
	first := ""
	var want string
	for i, w := range everyWay(t) {
		out := mustBuild(t, cfg, w)
		got := tree(t, out)
		if i == 0 {
			first, want = out, got
		} else if got != want {
			t.Errorf("%+v: other bytes:\n%s\nwant\n%s", w, got, want)
		}
	}
	return first
}

// nothingIn checks that dir has only hidden directories of tfr-build.
func nothingIn(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is visible", e.Name())
		}
	}
}

// treeIn is tree on another file system.
func treeIn(t testing.TB, fsys vfs.FS, dir string) string {
	t.Helper()
	var b strings.Builder
	var walk func(name string)
	walk = func(name string) {
		entries, err := fsys.ReadDir(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			at := name + "/" + e.Name()
			if e.IsDir() {
				walk(at)
				continue
			}
			data, err := vfstest.ReadFile(fsys, filepath.Join(dir, at))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %x\n", at, sha256.Sum256(data))
		}
	}
	walk("")
	return b.String()
}
