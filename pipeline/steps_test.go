package pipeline

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/work"
)

// stepNames returns the phases of the table of steps.
func stepNames() (names []work.Phase) {
	for i := range steps {
		names = append(names, steps[i].phase)
	}
	return names
}

// TestBuildAndTasksDoTheSameSteps records the steps of a build in one process, and of one by tasks
// of one process: both do each step of the table, in its order, and write the same dataset.
func TestBuildAndTasksDoTheSameSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.csv": rowsCSV(300) + "1,train,u,x,c\n", "in/cat/1.txt": "1", "in/dog/2.txt": "2",
	})
	for name, test := range map[string]struct {
		text  string
		limit int64
	}{
		"found in place": {"name: d\noutput: out\nsource: {csv: {files: a.csv}}\nshards: 2\non_error: " +
			"quarantine\nmax_errors: 50%\n" + tableFeatures, 0},
		"spilled": {"name: d\noutput: out\nsource: {csv: {files: a.csv}}\nshards: 2\non_error: " +
			"quarantine\nmax_errors: 50%\n" + tableFeatures, 30_000},
		"deduped": {"name: d\noutput: out\nsource: {csv: {files: a.csv}}\ndedupe: {by: [user]}\non_error: " +
			"quarantine\nmax_errors: 50%\n" + tableFeatures, 0},
		"grouped": {"name: d\noutput: out\nsource: {csv: {files: a.csv}}\ngroup: {by: user, sort: id}\non_error: " +
			"quarantine\nmax_errors: 50%\nfeatures: {x: {type: float}, user: {classes: auto}}\n", 0},
		"deduped tree": {"name: d\noutput: out\nsource: {folder: {dir: in}}\ndedupe: {}\nfeatures: {content: bytes, " +
			"path: bytes}\n", 0},
		"a tree": {"name: d\noutput: out\nsource: {folder: {dir: in}}\nfeatures: {content: bytes, path: bytes}\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var did []work.Phase
			run := Run{Workers: 1, Memory: plenty, runLimit: test.limit, Output: filepath.Join(t.TempDir(), "one")}
			run.didStep = func(phase work.Phase) { did = append(did, phase) }
			if test.limit > 0 {
				run.Memory = 1
			}
			if _, err := Build(t.Context(), load(t, dir, test.text), run); err != nil {
				t.Fatal(err)
			}
			if want := stepNames(); !slices.Equal(did, want) {
				t.Errorf("Build did %v, expected %v", did, want)
			}
			one := run.Output

			did, run.Output = nil, filepath.Join(t.TempDir(), "one")
			p, err := PlanTasks(t.Context(), load(t, dir, test.text), run, "")
			if err != nil {
				t.Fatal(err)
			}
			tasks, err := OpenTasks(t.Context(), run, p.Work)
			if err != nil {
				t.Fatal(err)
			}
			defer tasks.Close()
			doAll(t, tasks, Phases()...)
			want := stepNames()
			if p.Count(work.Scan) == 0 {
				want = slices.DeleteFunc(want, func(phase work.Phase) bool { return phase == work.Scan })
			}
			if !strings.Contains(test.text, "dedupe") {
				want = slices.DeleteFunc(want, func(phase work.Phase) bool {
					return phase == work.Compare || phase == work.Match
				})
			}
			if name != "grouped" {
				want = slices.DeleteFunc(want, func(phase work.Phase) bool { return phase == work.Group })
			}
			if did = slices.Compact(did); !slices.Equal(did, want) {
				t.Errorf("the tasks did %v, expected %v", did, want)
			}
			if got, want := tree(t, run.Output), tree(t, one); got != want ||
				strings.Contains(got, "rejects") != strings.Contains(test.text, "quarantine") {
				t.Errorf("tasks of one process wrote\n%s\nBuild wrote\n%s", got, want)
			}
		})
	}
}

// TestOnlyTheTableNamesWhatAStepDoes checks that each function of the table of steps is called
// through the table alone, and that what a step does is called in doStep alone. So neither Build nor
// the tasks can have a step of their own, or do a step in another way.
func TestOnlyTheTableNamesWhatAStepDoes(t *testing.T) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	inTable, elsewhere, doing := map[string]int{}, map[string]token.Position{}, []string{}
	for _, f := range parsed {
		for _, decl := range f.Decls {
			isTable := declares(decl, "steps")
			ast.Inspect(decl, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				switch {
				case !ok:
				case isTable:
					if _, method := sel.X.(*ast.ParenExpr); method {
						inTable[sel.Sel.Name]++
					}
				case sel.Sel.Name == "do":
					doing = append(doing, decl.(*ast.FuncDecl).Name.Name)
				default:
					elsewhere[sel.Sel.Name] = fset.Position(sel.Pos())
				}
				return true
			})
		}
	}
	if len(inTable) < 2*len(steps) {
		t.Fatalf("found only %d functions in the table: %v", len(inTable), slices.Sorted(maps.Keys(inTable)))
	}
	for name, n := range inTable {
		switch at, used := elsewhere[name]; {
		case n > 1:
			t.Errorf("%s is in the table %d times", name, n)
		case used && name != "readMerged": // it also counts the tasks
			t.Errorf("%s: %s is called outside of the table of steps", at, name)
		}
	}
	if !slices.Equal(doing, []string{"doStep"}) {
		t.Errorf("steps are done in %v, expected in doStep alone", doing)
	}
}

// declares reports whether a declaration declares a variable.
func declares(decl ast.Decl, name string) bool {
	d, ok := decl.(*ast.GenDecl)
	return ok && slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		v, ok := s.(*ast.ValueSpec)
		return ok && v.Names[0].Name == name
	})
}

// TestMergeNamesTheInvalidRow merges rows of which none has a class, because all are invalid: the
// error of the merge is the same as from Build, and names the first row.
func TestMergeNamesTheInvalidRow(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "c,x\n,no\n,none\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures:\n  c: {classes: auto, "+
		"missing: omit}\n  x: int64\n")
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
	_, want := Build(t.Context(), cfg, run)
	bad, ok := errors.AsType[*RowsError](want)
	if !ok || bad.Line != 2 {
		t.Fatalf("Build: %v", want)
	}
	p, err := PlanTasks(t.Context(), cfg, run, "")
	if err == nil {
		err = oneTask(t, p.Work, work.Scan)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := oneTask(t, p.Work, work.Merge); err == nil || err.Error() != want.Error() {
		t.Errorf("the merge: %v\nBuild: %v", err, want)
	}
}
