package pipeline

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline/config"
)

// stopAt builds, and stops before write n to a file whose name begins with name, or before it gets that name. It
// reports whether there was one, and whether the build wrote its duplicates to a file before.
func stopAt(t *testing.T, cfg *config.Config, run Run, n int, name string) (stopped, compared bool) {
	t.Helper()
	run.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		base := filepath.Base(op.Name)
		if strings.HasPrefix(op.Kind, "write") && strings.HasPrefix(base, name) ||
			op.Kind == "rename" && strings.HasPrefix(filepath.Base(op.To), name) {
			n--
		}
		if stopped = stopped || n < 0; stopped {
			return vfstest.ErrStopped
		}
		compared = compared || op.Kind == "rename" && strings.HasPrefix(filepath.Base(op.To), "match-0-")
		return nil
	}))
	if _, err := Build(t.Context(), cfg, run); stopped && !errors.Is(err, vfstest.ErrStopped) ||
		!stopped && err != nil {
		t.Fatal(err)
	}
	return stopped, compared
}

// TestResumedBuildComparesOnce stops builds before each line of the journal, and while the list of
// duplicates is written. The next build has the same dataset and list. It compares rows again only
// if the first one had not recorded the duplicates.
func TestResumedBuildComparesOnce(t *testing.T) {
	table := rowsCSV(testenv.Times(200, 2000, 2000))
	dir := testenv.Directory(t, map[string]string{"a.csv": table, "a.csv.gz": filetest.Gzip(table)})
	for _, file := range []string{"a.csv", "a.csv.gz"} {
		for _, by := range testenv.Some(0, 2, map[string]string{"some": "[user, part]", "none": "[id]"}) {
			cfg := load(
				t, dir, "name: d\noutput: out\n"+
					"source: {csv: {files: "+file+"}}\nshards: 3\ndedupe: {by: "+by+", duplicates: "+
					"d.jsonl}\nfeatures: {id: int64, user: string}\n")
			want := tree(t, mustBuild(t, cfg, ways[0]))
			list, _ := os.ReadFile(filepath.Join(dir, "d.jsonl"))
			for _, name := range []string{"journal", "match-0", ".d.jsonl"} {
				for n := testenv.First(0, 4); ; n += testenv.Times(4, 1, 1) {
					how := fmt.Sprintf("%s by %s, stopped before write %d to %s", file, by, n, name)
					os.Remove(filepath.Join(dir, "d.jsonl"))
					run := Run{Workers: 2, Memory: MinMemory, Output: filepath.Join(t.TempDir(), "out"), Sync: true}
					stopped, _ := stopAt(t, cfg, run, n, name)
					if !stopped {
						if n == 0 && list != nil || n < 2 && name == "journal" { // a short list is one write
							t.Errorf("%s: it was not stopped", how)
						}
						break
					}
					_, notFound := os.Stat(filepath.Join(filepath.Dir(run.Output), ".out.tfr", "spill",
						"done", "match-0"))
					_, compared := stopAt(t, cfg, run, math.MaxInt, "")
					if known := notFound == nil; known == compared {
						t.Errorf("%s: duplicates known: %t, rows compared again: %t", how, known, compared)
					}
					if got := tree(t, run.Output); got != want {
						t.Errorf("%s: got\n%s\nwant\n%s", how, got, want)
					}
					if got, _ := os.ReadFile(filepath.Join(dir, "d.jsonl")); string(got) != string(list) {
						t.Errorf("%s: the list is\n%s\nexpected\n%s", how, got, list)
					}
				}
			}
		}
	}
}

// TestDamagedDuplicates damages the duplicates of a stopped build. The next one compares rows again.
func TestDamagedDuplicates(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(200)})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\ndedupe: {by: [user, part]}\nfeatures: "+
		"{id: int64}\n")
	want := tree(t, mustBuild(t, cfg, ways[0]))
	for name, damage := range map[string]func(text []byte) []byte{
		"none":                       func(text []byte) []byte { return text },
		"a bit of a skipped row":     func(text []byte) []byte { text[len(text)/2/16*16] ^= 1; return text },
		"a bit of the row it equals": func(text []byte) []byte { text[len(text)/2/16*16+8] ^= 1; return text },
		"cut":                        func(text []byte) []byte { return text[:len(text)-16] },
		"none, with more after it":   func(text []byte) []byte { return append(text, 0) },
	} {
		run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true}
		stopAt(t, cfg, run, 0, "plan")
		file := spillFileOf(t, filepath.Dir(run.Output), "match")
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, damage(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, compared := stopAt(t, cfg, run, math.MaxInt, ""); compared == strings.HasPrefix(name, "none") {
			t.Errorf("%s: compared again: %t", name, compared)
		}
		if got := tree(t, run.Output); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}
