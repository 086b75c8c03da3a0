package pipeline

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
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

// FuzzRules builds a random config of the keys about rows: in place, with spilled rows, by tasks, and by a run that
// is stopped and resumed. All have the same files, or the same error. Some append to a version of fewer files. With -v
// it prints a digest per config, to compare two versions of the program.
func FuzzRules(f *testing.F) {
	for seed := range testenv.Seeds(3, 400, 2000) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 50))
		tables := randomTables(r)
		dir := testenv.Directory(t, tables)
		text := randomRules(r)
		switch seed % 4 {
		case 1:
			text += "provenance: true\n"
		case 2:
			text = appendingRules(text)
		}
		cfg, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte(text), func(string) (string, bool) {
			return "", false
		})
		if err != nil {
			t.Skip(err)
		}
		outputs := t.TempDir()
		if cfg.Append != "" {
			delete(tables, "b.csv")
			fewer, _ := config.Parse(filepath.Join(testenv.Directory(t, tables), "c.yaml"),
				[]byte(strings.Replace(text, "version: 2.0.0", "version: 1.0.0", 1)),
				func(string) (string, bool) { return "", false })
			for _, name := range []string{"place", "spilled", "tasks", "resumed"} {
				_, err := Build(t.Context(), fewer, Run{Workers: 2, Memory: plenty,
					Output: filepath.Join(outputs, name, "{version}")})
				if err != nil {
					t.Skip(err)
				}
			}
		}
		result := func(name string, err error) string {
			if err != nil {
				return strings.NewReplacer(dir, "", outputs, "", name, "").Replace(err.Error())
			}
			return tree(t, filepath.Join(outputs, name, cfg.Version))
		}
		run := func(name string) Run {
			return Run{Workers: 2, Memory: plenty, Output: filepath.Join(outputs, name, "{version}")}
		}
		built, err := Build(t.Context(), cfg, run("place"))
		if err == nil && built.UpToDate {
			t.Skip("no source has a new file")
		}
		want := result("place", err)
		t.Logf("digest %d %x %v", seed, sha256.Sum256([]byte(want)), err == nil)
		spilled := run("spilled")
		spilled.Memory, spilled.Chunk, spilled.runLimit = 0, 777, 20_000
		_, err = Build(t.Context(), cfg, spilled)
		if got := result("spilled", err); got != want {
			t.Errorf("%s\nspilled: %s\nexpected %s", text, got, want)
		}
		if err == nil || !errors.As(err, new(*TooManyError)) { // tasks report as many as they read
			if got := result("tasks", buildByTasks(t, cfg, run("tasks"))); got != want && err == nil {
				t.Errorf("%s\nby tasks: %s\nexpected %s", text, got, want)
			}
		}
		resumed := []Run{run("resumed"), spilled}[r.IntN(2)]
		resumed.Output = run("resumed").Output
		_ = stopAfter(t, cfg, resumed, 20+r.IntN(120)) // an error of the config is the error of the next build, too
		_, err = Build(t.Context(), cfg, resumed)
		if got := result("resumed", err); got != want {
			t.Errorf("%s\nresumed: %s\nexpected %s", text, got, want)
		}
	})
}

// buildByTasks builds cfg by tasks that share only a directory.
func buildByTasks(t *testing.T, cfg *config.Config, run Run) error {
	w := filepath.Join(t.TempDir(), "w")
	run.Tasks = 3
	if _, err := PlanTasks(t.Context(), cfg, run, w); err != nil {
		return err
	}
	for _, phase := range Phases() {
		if err := oneTask(t, w, phase); err != nil {
			return err
		}
	}
	return nil
}

// stopAfter builds cfg until so many operations changed the file system.
func stopAfter(t *testing.T, cfg *config.Config, run Run, operations int) error {
	run.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if operations--; operations < 0 {
			return vfstest.ErrStopped
		}
		return nil
	}))
	_, err := Build(t.Context(), cfg, run)
	return err
}

// randomTables are tables with few values per column, some of which are missing or invalid.
func randomTables(r *rand.Rand) map[string]string {
	table := func(rows int) string {
		var b strings.Builder
		b.WriteString("id,part,user,k,x\n")
		for range rows {
			x := fmt.Sprint(r.IntN(100))
			switch r.IntN(60) {
			case 0:
				x = ""
			case 1:
				x = "bad"
			}
			user := r.IntN(15)
			name, k := fmt.Sprint("u", user), 'a'+user%4
			switch r.IntN(50) {
			case 0:
				k = 'a'
			case 1:
				name = ""
			}
			fmt.Fprintf(&b, "%d,%s,%s,%c,%s\n", r.IntN(200), []string{"train", "test", "dev"}[user%3], name, k, x)
		}
		return b.String()
	}
	return map[string]string{
		"a.csv": table(50 + r.IntN(400)), "b.csv": table(r.IntN(100)) + "1,train,u1,a,5\n",
		"c.csv.gz": filetest.Gzip(table(20 + r.IntN(200))),
	}
}

// appendingRules returns a config that appends to version 1.0.0, without keys that exclude that.
func appendingRules(text string) string {
	text = strings.Replace(text, "output: out\n", "version: 2.0.0\noutput: out/{version}\nappend: 1.0.0\n", 1)
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if key, _, _ := strings.Cut(line, ":"); key != "limit" && key != "dedupe" && line != "order: source\n" {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// randomRules returns a config of random keys about rows. Some are errors.
func randomRules(r *rand.Rand) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	split := func() string {
		return one(
			"{fractions: {train: 70%, test: 30%}}", "{fractions: {train: 80%, dev: 5%, test: 15%}, by: user}",
			"{fractions: {train: 60%, test: 40%}, stratify: k}",
			"{fractions: {train: 60%, test: 40%}, stratify: k, by: user}",
			"{folds: 3}", "{folds: 2, by: k}", "{folds: 3, stratify: user}", "{column: part}", "{column: part}",
			"train",
			"{column: k, map: {a: train, b: test, c: train, d: dev}}",
			"{column: k, map: {values: {a: train}, unknown: test}}",
		)
	}
	var b strings.Builder
	b.WriteString("name: d\noutput: out\nmax_errors: 100%\n")
	fmt.Fprintf(&b, "on_error: %s\n", one("skip", "quarantine", "skip", "quarantine", "skip", "fail"))
	if r.IntN(3) > 0 {
		fmt.Fprintf(&b, "source: {csv: {files: '%s'}}\nsplit: %s\n", one("a.csv", "*.csv", "*.csv*", "c.csv.gz"),
			split())
	} else {
		fmt.Fprintf(&b, "sources:\n- {csv: {files: a.csv}, split: %s}\n- {csv: {files: %s}, split: %s}\n", split(),
			one("b.csv", "c.csv.gz"), split())
	}
	b.WriteString(one("", "", "seed: 9\n"))
	b.WriteString(one("", "", "where: 'x > 20'\n", "where: 'k != \"b\" && !missing(user)'\n"))
	b.WriteString(one("", "", "dedupe: {}\n", "dedupe: {by: [k, x]}\n", "dedupe: {by: [user, k], prefer: [test, "+
		"train]}\n", "dedupe: {by: [id]}\n"))
	b.WriteString(one("", "", "sample: 60%\n"))
	b.WriteString(one("", "", "order: source\n", "order_key: user\n", "order_key: k\n"))
	b.WriteString(one("", "", "limit: {train: 30}\n", "limit: {train: {rows: 5, per: user}}\n",
		"limit: {train: {rows: 20, per: k}, test: 7}\n",
		"limit: {train: {rows: 9, per: k}, test: {rows: 2, per: user}}\n", "limit: {fold_0: {rows: 4, per: k}}\n", ""))
	b.WriteString(one("shards: 2\n", "shards: {rows: 20}\n", "shards: {size: 3KB}\n", "shards: 1\n"))
	b.WriteString(one("", "", "", "statistics: false\n"))
	values := "x: int64\n  k: {classes: auto}\n"
	if r.IntN(3) > 0 {
		b.WriteString("features:\n  id: int64\n  " + values +
			one("", "  '@split': string\n", "  user: {type: string, missing: ''}\n"))
		return b.String()
	}
	fmt.Fprintf(&b, "record: sequence\ngroup: {by: %s%s%s}\ncontext: {user: {type: string, missing: omit, take: "+
		"first}}\nsequence:\n  %s",
		one("user", "[user, k]", "k"), one("", ", sort: id", ", sort: {column: id, type: int64}"),
		one("", ", windows: {length: 3}", ", windows: {length: 4, stride: 2, last: drop}",
			", windows: {length: 2, stride: 5}"), values)
	return b.String()
}
