package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/testenv"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A growing is input of any size. It writes files to dir and returns how to read them.
type growing struct {
	name string
	n    int // of the smaller one
	make func(t *testing.T, dir string, n int) (spec *Spec, columns []string)
}

// numbered returns n names.
func numbered(n int, prefix string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return list
}

// wideJSON returns a line with a key for each of names, and an id.
func wideJSON(names []string) string {
	return `{"id": "1", "` + strings.Join(names, `": 1, "`) + "\": 1}\n"
}

// longJSON has so many empty lines that not all are read to find the columns.
func longJSON() string { return strings.Repeat("{}\n", sampleRows) }

// withJoin returns a source of t.csv with a lookup table.
func withJoin(kind string, options input.Options, many bool) *Spec {
	spec := csvSpec("t.csv")
	spec.Join = []Join{{Kind: Chosen{kind, options}, On: On{{"id", "id"}}, Many: Many{Allowed: many}, Prefix: "p."}}
	return spec
}

var growings = []growing{
	{"files of a directory", 100, func(t *testing.T, dir string, n int) (*Spec, []string) {
		for i := range n {
			testenv.Put(t, filepath.Join(dir, fmt.Sprintf("%d/%d/x-y_z.bin", i%10, i)), "x")
		}
		return &Spec{Kind: Chosen{"folder", directoryOptions()}, FromPath: "{a}/**/{b}-{c}_*.bin"}, []string{"content",
			"path", "class", "a", "b", "c", "@file"}
	}},
	{"links that are followed", 50, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "real/x.bin"), "x")
		for i := range n {
			if err := os.Symlink("real", filepath.Join(dir, fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
		o := directoryOptions()
		o.FollowLinks = true
		return &Spec{Kind: Chosen{"folder", o}}, []string{"content", "path"}
	}},
	{"CSV files", 50, func(t *testing.T, dir string, n int) (*Spec, []string) {
		for i := range n {
			testenv.Put(t, filepath.Join(dir, fmt.Sprintf("%d.csv", i)), "id,b\n1,2\n")
		}
		return csvSpec("*.csv"), []string{"id", "b", "@file"}
	}},
	{"columns", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		names := numbered(n, "c")
		testenv.Put(t, filepath.Join(dir, "t.csv"), strings.Join(names, ",")+"\n"+strings.Repeat("1,", n-1)+"1\n")
		return csvSpec("t.csv"), names
	}},
	{"columns of JSONL", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		names := numbered(n, "c")
		testenv.Put(t, filepath.Join(dir, "t.jsonl"), wideJSON(names))
		return jsonlSpec("t.jsonl"), names
	}},
	{"renamed columns", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), strings.Join(numbered(n, "c"), ",")+"\n")
		spec := csvSpec("t.csv")
		for _, name := range numbered(n, "c") {
			spec.Rename = append(spec.Rename, column.Pair{Key: name, Value: "r." + name})
			spec.Set = append(spec.Set, column.Pair{Key: "s." + name, Value: name})
		}
		return spec, append(numbered(n, "r.c"), numbered(n, "s.c")...)
	}},
	{"columns of a lookup table", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n1\n")
		testenv.Put(t, filepath.Join(dir, "s.csv"),
			"id,"+strings.Join(numbered(n, "c"), ",")+"\n1"+strings.Repeat(",1", n)+"\n")
		return withJoin("csv", csvOptions("s.csv"), false), numbered(n, "p.c")
	}},
	{"columns of a long lookup table of JSONL", 200, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n1\n")
		testenv.Put(t, filepath.Join(dir, "s.jsonl"), wideJSON(numbered(n, "c"))+longJSON())
		return withJoin("jsonl", jsonlOptions("s.jsonl"), true), numbered(n, "p.c")
	}},
	{"columns of JSONL next to a long lookup table", 200, func(t *testing.T, dir string, n int) (*Spec, []string) {
		names := numbered(n, "c")
		testenv.Put(t, filepath.Join(dir, "t.jsonl"), wideJSON(names))
		testenv.Put(t, filepath.Join(dir, "s.jsonl"), wideJSON(numbered(n, "d"))+longJSON())
		spec := jsonlSpec("t.jsonl")
		spec.Join = []Join{{Kind: Chosen{"jsonl", jsonlOptions("s.jsonl")}, On: On{{"id", "id"}}}}
		return spec, append(names, numbered(n, "d")...)
	}},
	{"joins", 10, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n1\n")
		testenv.Put(t, filepath.Join(dir, "s.csv"), "id,a,b\n1,2,3\n")
		spec := csvSpec("t.csv")
		for i := range n {
			spec.Join = append(spec.Join, Join{Kind: Chosen{"csv", csvOptions("s.csv")}, On: On{{"id", "id"}},
				Prefix: fmt.Sprintf("%d.", i)})
		}
		columns := numbered(n, "")
		for i := range columns {
			columns[i] += ".a"
		}
		return spec, columns
	}},
	{"keys of a lookup table", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n"+strings.Join(numbered(n, "k"), "\n")+"\n")
		testenv.Put(t, filepath.Join(dir, "s.csv"), "id,a\n"+strings.Join(numbered(n, "k"), ",x\n")+",x\n")
		return withJoin("csv", csvOptions("s.csv"), false), []string{"p.a"}
	}},
	{"matches of a key", 1500, func(t *testing.T, dir string, n int) (*Spec, []string) {
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\n1\n")
		testenv.Put(t, filepath.Join(dir, "s.csv"), "id,a\n"+strings.Repeat("1,x\n", n))
		return withJoin("csv", csvOptions("s.csv"), true), []string{"p.a"}
	}},
	{"pieces of a feature", 1000, func(t *testing.T, dir string, n int) (*Spec, []string) {
		piece := nested(2, nested(3, "\x08\x05"))
		payload := nested(1, nested(1, nested(1, "k")+strings.Repeat(piece, n)))
		testenv.Put(t, filepath.Join(dir, "t.tfrecord"), framed(tfrecord.TFRecord, payload))
		return &Spec{Kind: Chosen{"tfrecord", recordsOptions("t.tfrecord", "tfrecord")}}, []string{"k"}
	}},
}

// TestGrowth compares the time for small and large inputs, for everything whose number is not
// limited. A sample has every fifth case.
func TestGrowth(t *testing.T) {
	for i, g := range growings {
		if i%testenv.Times(5, 1, 1) != 0 {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			read := func(n int) func() {
				dir := t.TempDir()
				spec, columns := g.make(t, dir, n)
				env := below(dir)
				env.Limits.Columns, env.Limits.Record = 1_000_000, 64<<20
				return func() {
					s, l := mustBind(t, env, spec, columns...)
					defer s.Release()
					readAll(t, s, l)
				}
			}
			n := testenv.Times(g.n, 5*g.n, 5*g.n)
			few, many := read(n), read(16*n)
			many()
			runtime.GC() // or few would pay for what is left of many
			// 16 times as much and 8 times as often: linear time has a growth of 2, or
			// of 4 where a cache is too small for it, and quadratic time one of 32.
			cost.Linear(t, func() {
				for range 8 {
					few()
				}
			}, many)
		})
	}
}

// TestGrowthOfNames matches short and long names that are not files. Listing deep directories
// takes quadratic time in the kernel, which resolves each path from the root.
func TestGrowthOfNames(t *testing.T) {
	const include, fromPath = "**/a/**/a/**/a/**/b", "**/{x}/**/a/**/{y}/**/b"
	p, err := ParsePathPattern(fromPath)
	if err != nil {
		t.Fatal(err)
	}
	match := func(levels int) func() {
		name := strings.Repeat("a/", levels) + "a"
		return func() {
			if files.Match(include, name) || p.Match(name, make([]string, len(p.Columns()))) {
				t.Errorf("a name without b fits %q or %q", include, fromPath)
			}
		}
	}
	const levels = 100
	cost.Linear(t, match(levels), match(4*levels))
}

// readAll reads all rows.
func readAll(t *testing.T, s *Source, l *Layout) {
	r := l.NewReader()
	defer r.Close()
	for file := range s.Listing().Files {
		err := input.EachRow(t.Context(), s, file, func(rec *input.Record) error {
			_, err := r.Read(file, rec.Offset, rec.Raw)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
