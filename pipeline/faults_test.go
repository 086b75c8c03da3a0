package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// TestTheFirstInvalidRowIsReported puts invalid rows of every kind into tables of several sources.
// Each way of building reports the same row, and publishes nothing.
func TestTheFirstInvalidRowIsReported(t *testing.T) {
	good := rowsCSV(testenv.Times(3100, 5000, 5000))
	damage := func(after int, bad ...string) string {
		lines := strings.SplitAfterN(good, "\n", after+1)
		return strings.Join(lines[:after], "") + strings.Join(bad, "") + lines[after]
	}
	for name, tt := range map[string]struct{ a, b, config, want string }{
		"in the second file": {good, damage(3000, "x,train,u1,1,t\n", "1,train\n"), "", `b.csv:`},
		"of many kinds": {damage(40, "1,train,u1,nope,t\n", "1,train\n", "1,a\"b,u,1,t\n", "9,train,\"u\"x,1,t\n"),
			damage(1, "x\n"), "", `"nope" is not a float [FLOAT_SYNTAX]`},
		"without a split": {damage(60, "1,,u1,1,t\n", "x,train,u1,1,t\n"), good, "split: {column: part}",
			`column "part": no value, but it decides the row's position [MISSING]`},
		"before one without": {damage(60, "x,train,u1,1,t\n", "1,,u1,1,t\n"), good, "split: {column: part}",
			`"x" is not an int64 [INT_SYNTAX]`},
		"of a key": {damage(60, "1,train,,1,t\n"), good, "order_key: user", `column "user": no value`},
		"that runs on": {damage(60, "1,train,\"u,1,t\n"), good, "order: source",
			`a.csv:65:32: text after a closing quote`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": tt.a, "b.csv": tt.b})
			features := strings.Replace(tableFeatures, "user: {classes: auto}", "user: bytes", 1)
			cfg := load(t, dir, "name: d\noutput: out\nsource:\n  csv: {files: \"*.csv\"}\n"+
				"shards: 3\n"+tt.config+features)
			first := ""
			for _, w := range everyWay(t) {
				output, err := buildTo(t, cfg, w)
				var rows *RowsError
				if !errors.As(err, &rows) {
					t.Fatalf("%+v: %v", w, err)
				}
				if first == "" {
					first = err.Error()
				}
				if err.Error() != first || !strings.Contains(first, tt.want) {
					t.Errorf("%+v:\n got %s\nand %s\nwant %s", w, err, first, tt.want)
				}
				nothingIn(t, filepath.Dir(output))
			}
		})
	}
}

func TestUpToDate(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(50), "side.csv": "user,age\nu1,7\n",
		"names.txt": "u1\nu2\n"})
	text := "name: d\noutput: out\nsource:\n  csv: {files: a.csv}\njoin:\n- {csv: {files: side.csv}, on: " +
		"user}\nfeatures:\n  id: int64\n  age: {type: int64, missing: omit}\n" +
		"  user: {classes: {file: names.txt, unknown: -1}}\n"
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(dir, "out")}
	again := func(t *testing.T, text string, want bool) {
		t.Helper()
		r, err := Build(t.Context(), load(t, dir, text), run)
		if err != nil {
			t.Fatal(err)
		}
		if r.UpToDate != want {
			t.Errorf("up to date: %t, want %t", r.UpToDate, want)
		}
	}
	again(t, text, false)
	before := tree(t, run.Output)
	again(t, text, true)
	again(t, "# a remark\n"+text, true)
	if tree(t, run.Output) != before {
		t.Error("an up-to-date dataset was touched")
	}
	run.Overwrite = true
	later := time.Now().Add(time.Hour)
	for name, change := range map[string]func(){
		"a table's time":      func() { os.Chtimes(filepath.Join(dir, "a.csv"), later, later) },
		"a lookup table":      func() { testenv.Put(t, filepath.Join(dir, "side.csv"), "user,age\nu1,8\n") },
		"class names":         func() { testenv.Put(t, filepath.Join(dir, "names.txt"), "u1\nu3\n") },
		"a shard that is cut": func() { os.Truncate(filepath.Join(run.Output, "train-00000-of-00001"), 10) },
		"a file that is gone": func() { os.Remove(filepath.Join(run.Output, "_SUCCESS")) },
		"the manifest": func() {
			m := filepath.Join(run.Output, "_tfr/manifest.json")
			data, _ := os.ReadFile(m)
			testenv.Put(t, m, string(data)+"\n")
		},
		"the state": func() { os.Remove(filepath.Join(dir, ".out.tfr/state.json")) },
	} {
		change()
		t.Run(name, func(t *testing.T) { again(t, text, false) })
		t.Run(name+", again", func(t *testing.T) { again(t, text, true) })
	}
	again(t, text+"seed: 5\n", false)
	run.Overwrite = false
	if _, err := Build(t.Context(), load(t, dir, text), run); err == nil ||
		!strings.Contains(err.Error(), "holds a dataset already") {
		t.Errorf("another dataset in the way: %v", err)
	}
}

// TestStoppedBuilds cancels builds at many moments: nothing is visible, no goroutine remains, and
// the next build is complete.
func TestStoppedBuilds(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(testenv.Times(5_000, 20_000, 20_000))})
	cfg := load(t, dir, "name: d\noutput: out\nsource:\n  csv: {files: a.csv}\nshards: 8"+tableFeatures)
	for _, memory := range []int64{plenty, 0} {
		for i := 0; i < 15; i += testenv.Times(7, 1, 1) {
			output := filepath.Join(t.TempDir(), "out")
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*3*time.Millisecond)
			_, err := Build(ctx, cfg, Run{Workers: 3, Memory: memory, Output: output})
			cancel()
			if err == nil {
				continue // it was faster
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("stopped after %d ms: %v", 3*i, err)
			}
			nothingIn(t, filepath.Dir(output))
			if _, err := Build(t.Context(), cfg, Run{Workers: 3, Memory: memory, Output: output}); err != nil {
				t.Errorf("after a stopped build: %v", err)
			}
		}
	}
}

// prepared is a job that has listed its input and read none of it.
func prepared(t *testing.T, dir, text string) *job {
	t.Helper()
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(dir, "out"), Storage: store.OS()}
	j, err := prepare(t.Context(), load(t, dir, text), &run)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

const tinyCSV = "name: d\noutput: out\nsource:\n  csv: {files: a.csv}\nfeatures:\n  id: int64\n"

func TestInputsThatChange(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"grows":       func(p string) error { testenv.Put(t, p, rowsCSV(200)); return nil },
		"is gone":     os.Remove,
		"is cut":      func(p string) error { return os.Truncate(p, 100) },
		"is replaced": func(p string) error { testenv.Put(t, p+"2", rowsCSV(100)); return os.Rename(p+"2", p) },
		"is touched":  func(p string) error { then := time.Now().Add(time.Hour); return os.Chtimes(p, then, then) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(100)})
			j := prepared(t, dir, tinyCSV)
			defer j.set.Release()
			if err := change(filepath.Join(dir, "a.csv")); err != nil {
				t.Fatal(err)
			}
			_, err := newBuild(j).doAll(t.Context())
			var bad *input.Error
			if !errors.As(err, &bad) {
				t.Errorf("a file that %s: %v", name, err)
			}
			if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
				t.Error("a dataset is visible")
			}
		})
	}
}

func TestPlanSaysWhatBuildDoes(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(3000), "a.csv.gz": filetest.Gzip(rowsCSV(3000))})
	for _, file := range []string{"a.csv", "a.csv.gz"} {
		cfg := load(
			t, dir, "name: d\noutput: out\nsource:\n  csv: "+
				"{files: "+file+"}\nsplit: {column: part}\nshards: {size: 20KB}"+tableFeatures)
		run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
		plan, err := MakePlan(t.Context(), cfg, run)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Spills != (file == "a.csv.gz") {
			t.Errorf("%s: parts: %t", file, plan.Spills)
		}
		if _, err := os.Stat(filepath.Dir(run.Output) + "/.out.tfr"); err == nil {
			t.Error("a plan wrote something")
		}
		r, err := Build(t.Context(), cfg, run)
		if err != nil {
			t.Fatal(err)
		}
		shards := 0
		for _, s := range plan.Splits {
			if !strings.Contains(r.Summary, fmt.Sprintf("%s=%d ", s.Name, s.Rows)) {
				t.Errorf("plan has %+v, build says %s", s, r.Summary)
			}
			shards += s.Shards
			if _, err := os.Stat(filepath.Join(run.Output, s.First)); err != nil {
				t.Error(err)
			}
		}
		if !strings.Contains(r.Summary, fmt.Sprintf("shards=%d ", shards)) || shards < 4 {
			t.Errorf("plan has %d shards, build says %s", shards, r.Summary)
		}
	}
}

func TestTry(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"1.csv": "id,n\n1,a\n2,b\n", "2.csv": "id,n\n3,c\nx,d\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource:\n  csv: {files: \"*.csv\"}\nfeatures:\n  id: int64\n  n: "+
		"{classes: auto}\n")
	var places []string
	show := func(e Example) error { places = append(places, filepath.Base(e.Position)); return nil }
	for _, n := range []int{3, 4} { // the last row is looked at in either case
		places = nil
		err := Try(t.Context(), cfg, Run{Workers: 2, Memory: plenty}, n, show)
		if fmt.Sprint(places) != "[1.csv:2 1.csv:3 2.csv:2]" {
			t.Errorf("%v", places)
		}
		if err == nil || !strings.Contains(err.Error(), `2.csv:3:1: column "id" (feature "id"): "x" is not an int64`) {
			t.Errorf("%v", err)
		}
	}
}
