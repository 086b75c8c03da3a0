package pipeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// A history is a dataset that gets files, and the versions of it in a directory.
type history struct {
	dir, text string
	local     string // the directory of the versions
}

// newHistory builds versions of a config locally. version i has the number 1.i.0.
func newHistory(t *testing.T, of appendable, versions int) *history {
	t.Helper()
	g := &history{dir: t.TempDir(), text: of.config, local: t.TempDir()}
	r := rand.New(rand.NewPCG(7, 54))
	testenv.Put(t, filepath.Join(g.dir, "side.csv"), sideTable())
	for n := range versions {
		for range 2 {
			for file, text := range of.add(t, r, n) {
				testenv.Put(t, filepath.Join(g.dir, fmt.Sprint(n), file), text)
			}
		}
		g.have(t, n)
		if _, err := Build(t.Context(), g.config(t, n), g.run(filepath.Join(g.local, "{version}"))); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// have gives the dataset the files of version n, and no others.
func (g *history) have(t *testing.T, n int) {
	t.Helper()
	for _, sub := range []string{"a", "b", "i", "j", "p", "pics", "r", "t", "w", "x", "z"} {
		if err := os.RemoveAll(filepath.Join(g.dir, sub)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n + 1 {
		if err := os.CopyFS(g.dir, os.DirFS(filepath.Join(g.dir, fmt.Sprint(i)))); err != nil {
			t.Fatal(err)
		}
	}
}

// config returns the config of version n, which appends to the version before it.
func (g *history) config(t *testing.T, n int) *config.Config {
	t.Helper()
	return load(t, g.dir, fmt.Sprintf("name: d\nversion: 1.%d.0\noutput: out/{version}\nappend: 1.%d.0\n", n,
		max(0, n-1))+g.text)
}

func (g *history) run(output string) Run {
	return Run{Workers: 3, Memory: plenty, Output: output}
}

// TestAppendInBuckets appends in stores that copy themselves, and in those that do not: in one process, by tasks, and
// with a run that the store stops at any request. The versions have the files of the local ones.
func TestAppendInBuckets(t *testing.T) {
	versions := testenv.Times(2, 3, 3)
	cannot := buckettest.Answer(http.StatusNotImplemented, "NotImplemented")
	for name, of := range testenv.Some(0, 9, appendables) {
		t.Run(name, func(t *testing.T) {
			g := newHistory(t, of, versions)
			for kind, fault := range map[string]buckettest.Fault{"copies": nil, "cannot copy": cannot} {
				gate := buckettest.Start(t)
				gate.Bucket(t, "data")
				p := gate.Proxy(t)
				buckettest.Env(t, p.URL)
				for n := range versions {
					g.have(t, n)
					cfg := g.config(t, n)
					want := tree(t, filepath.Join(g.local, cfg.Version))
					for _, way := range []string{"one", "stopped", "tasks"} {
						run := g.run("s3://data/" + way + "/{version}")
						run.Scratch = t.TempDir()
						var notes []string
						run.Inform = func(text string) { notes = append(notes, text) }
						p.Reset()
						if fault != nil {
							p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, fault)
						}
						var err error
						switch way {
						case "stopped":
							var left atomic.Int64
							left.Store(int64(n*17+3) % 40)
							p.Add(buckettest.Rule{}, func(w http.ResponseWriter, r *http.Request,
								pass func() *http.Response) {
								if left.Add(-1) < 0 {
									buckettest.Answer(http.StatusForbidden, "AccessDenied")(w, r, pass)
									return
								}
								handOn(w, pass())
							})
							if _, err := Build(t.Context(), cfg, run); err == nil {
								t.Fatal("a build that the store stops has succeeded")
							}
							p.Reset()
							_, err = Build(t.Context(), cfg, run)
						case "tasks":
							err = buildByTasks(t, cfg, run)
						default:
							_, err = Build(t.Context(), cfg, run)
						}
						if err != nil {
							t.Fatalf("%s, %s: %v", way, kind, err)
						}
						if got := tree(t, filepath.Join(gate.Dir, "data", way, cfg.Version)); got != want {
							t.Fatalf("%s, %s:\n%s\nwant\n%s", way, kind, got, want)
						}
						note := slices.ContainsFunc(notes, func(s string) bool {
							return strings.Contains(s, "the bucket cannot copy")
						})
						if way == "one" && n > 0 && note != (fault != nil) {
							t.Errorf("%s: %q", kind, notes)
						}
						if way == "one" && fault == nil {
							base := fmt.Sprintf("one/1.%d.0/train-", n-1)
							if read := p.Count("GET", base); read > 0 {
								t.Errorf("%d requests read shards of the base", read)
							}
						}
					}
				}
			}
		})
	}
}

// TestAppendStoppedInABucket stops a run that appends at each operation of a store that does not copy. Nothing is
// published before the last, and the next run makes the version.
func TestAppendStoppedInABucket(t *testing.T) {
	g := newHistory(t, appendables["folds"], 2)
	cfg, want := g.config(t, 1), tree(t, filepath.Join(g.local, "1.1.0"))
	step := testenv.Times(40, 5, 1)
	for n := testenv.First(11, step); ; n += step {
		memory, stopped := new(storetest.Memory), errors.New("stopped")
		run := g.run("s3://data/out/{version}")
		run.Scratch = t.TempDir()
		run.Storage = store.OS().With("s3", memory)
		g.have(t, 0)
		if _, err := Build(t.Context(), g.config(t, 0), run); err != nil {
			t.Fatal(err)
		}
		base := memory.Objects()
		g.have(t, 1)
		failing := storetest.NewFailing(memory, func(i int, op storetest.Op) error {
			if i >= n && op.Kind != "close" {
				return stopped
			}
			return nil
		})
		run.Storage = store.OS().With("s3", failing)
		_, err := Build(t.Context(), cfg, run)
		_, exists := memory.Objects()["s3://data/out/1.1.0/"+dataset.SuccessName]
		if err == nil && !exists {
			t.Fatalf("stopped at operation %d: no dataset exists", n)
		}
		run.Storage = store.OS().With("s3", memory)
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatalf("after a run that stopped at operation %d: %v", n, err)
		}
		objects := memory.Objects()
		for name, content := range base {
			if objects[name] != content {
				t.Fatalf("stopped at operation %d: %s of the base was changed", n, name)
			}
		}
		out := t.TempDir()
		for name, content := range objects {
			if rest, ok := strings.CutPrefix(name, "s3://data/out/1.1.0"); ok {
				testenv.Put(t, filepath.Join(out, "1.1.0"+rest), content)
			}
		}
		if got := tree(t, filepath.Join(out, "1.1.0")); got != want {
			t.Fatalf("stopped at operation %d:\n%s\nwant\n%s", n, got, want)
		}
		if len(failing.Ops()) <= n {
			return
		}
	}
}

// TestAppendToAnotherBase changes a base in a bucket after it was opened, and before its shards are copied: a shard is
// replaced by other bytes of the same size, cut, or removed. The build fails, and names it; nothing is published. With
// the base as it was, the next run makes the version.
func TestAppendToAnotherBase(t *testing.T) {
	g := newHistory(t, appendables["fractions"], 2)
	cfg, want := g.config(t, 1), tree(t, filepath.Join(g.local, "1.1.0"))
	gate := buckettest.Start(t)
	gate.Bucket(t, "data")
	p := gate.Proxy(t)
	buckettest.Env(t, p.URL)
	cannot := buckettest.Answer(http.StatusNotImplemented, "NotImplemented")
	for name, fault := range map[string]buckettest.Fault{"copies": nil, "cannot": cannot} {
		for change, of := range map[string]func(data []byte) []byte{
			"replaced": func(data []byte) []byte { data[20] ^= 1; return data },
			"cut":      func(data []byte) []byte { return data[:len(data)-1] },
			"removed":  func([]byte) []byte { return nil },
		} {
			p.Reset()
			run := g.run("s3://data/" + name + change + "/{version}")
			run.Scratch = t.TempDir()
			g.have(t, 0)
			if _, err := Build(t.Context(), g.config(t, 0), run); err != nil {
				t.Fatal(err)
			}
			g.have(t, 1)
			shard := filepath.Join(gate.Dir, "data", name+change, "1.0.0/train-00000-of-00002")
			sound, err := os.ReadFile(shard)
			if err != nil {
				t.Fatal(err)
			}
			put := func(data []byte) {
				t.Helper()
				dir := t.TempDir()
				testenv.Put(t, filepath.Join(dir, filepath.Base(shard)), string(data))
				upload(t, dir, "s3://data/"+name+change+"/1.0.0")
			}
			p.Add(buckettest.Rule{Key: "1.1.0/train-", Times: 1},
				func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
					data := of(slices.Clone(sound))
					if data != nil {
						put(data)
					} else if err := os.Remove(shard); err != nil {
						t.Error(err)
					}
					handOn(w, pass())
				})
			if fault != nil {
				p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, fault)
			}
			_, err = Build(t.Context(), cfg, run)
			_, published := os.Stat(filepath.Join(gate.Dir, "data", name+change, "1.1.0", dataset.SuccessName))
			if err == nil || published == nil || !strings.Contains(err.Error(), "1.0.0/train-00000-of-00002: ") {
				t.Errorf("%s, %s: %v, %v", name, change, err, published)
			}
			p.Reset()
			put(sound)
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatalf("%s, %s: %v", name, change, err)
			}
			if got := tree(t, filepath.Join(gate.Dir, "data", name+change, "1.1.0")); got != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", name, change, got, want)
			}
		}
	}
}
