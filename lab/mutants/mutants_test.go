package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMutantsCompile finds mutants of code that has changed since, and those that do not compile:
// they would be noticed only after the tests before them have run.
func TestMutantsCompile(t *testing.T) {
	packages := packagesOf(t, mutants)
	copied := specimen{dir: t.TempDir()}
	for dir, p := range packages {
		if err := os.MkdirAll(filepath.Join(copied.dir, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range p.files {
			if err := copyFile(filepath.Join("../..", dir, name), filepath.Join(copied.dir, dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, m := range mutants {
		restore, err := copied.apply(m.edits)
		for _, e := range m.edits {
			if err == nil {
				err = packages[e.packageDir()].compile(filepath.Join(copied.dir, e.packageDir()))
			}
		}
		restore()
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// TestMutantsHaveTests finds mutants whose tests have other names now.
func TestMutantsHaveTests(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, m := range mutants {
		for _, of := range m.tests {
			files, err := filepath.Glob(filepath.Join("../..", of.dir, "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range declared.FindAllSubmatch(text, -1) {
					names = append(names, string(found[1]))
				}
			}
			for pattern := range strings.SplitSeq(of.run, "|") {
				top, _, _ := strings.Cut(pattern, "/")
				if !slices.ContainsFunc(names, regexp.MustCompile(top).MatchString) {
					t.Errorf("%s: %s has no %s", m.name, of.dir, pattern)
				}
			}
		}
	}
}

// A goPackage is a package of the project with the compiled packages that it imports.
type goPackage struct {
	path    string
	files   []string
	imports types.Importer
	set     *token.FileSet
}

// packagesOf returns the packages that mutants change, by directory.
func packagesOf(t *testing.T, list []mutant) map[string]*goPackage {
	t.Helper()
	packages := map[string]*goPackage{}
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}} {{join .GoFiles \",\"}}"}
	for _, m := range list {
		for _, e := range m.edits {
			if dir := e.packageDir(); packages[dir] == nil {
				packages[dir] = &goPackage{path: "tfr-build/" + dir}
				args = append(args, "./"+dir)
			}
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled, set := map[string]string{}, token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(compiled[path])
	})
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), " ")
		if compiled[f[0]] = f[1]; len(f) == 3 {
			if p := packages[strings.TrimPrefix(f[0], "tfr-build/")]; p != nil {
				p.files, p.imports, p.set = strings.Split(f[2], ","), imports, set
			}
		}
	}
	return packages
}

// compile checks the types of a copy of the package, as the compiler does.
func (p *goPackage) compile(dir string) error {
	var files []*ast.File
	for _, name := range p.files {
		f, err := parser.ParseFile(p.set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	_, err := (&types.Config{Importer: p.imports}).Check(p.path, p.set, files, nil)
	return err
}

func TestLocate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("in/sink", 0o777); err != nil {
		t.Fatal(err)
	}
	code := "package sink\n\nconst most = 7\n\nfunc (d *disk[T]) sync() { // first\n\treturn d.f( 1, // one\n\t\t2) " +
		"+ d.f(3)\n}\n\nfunc sync() { d.f(1, 2) }\n"
	if err := os.WriteFile("in/sink/disk.go", []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, old, want string }{
		{"in/sink.most", "7", "7"},
		{"in/sink.disk.sync", "d.f(1,2)", "d.f( 1, // one\n\t\t2)"},
		{"in/sink.sync", "d.f(1, 2)", "d.f(1, 2)"},
		{"in/sink.disk.sync", "d.f", "in/sink.disk.sync has 2 times what is to be changed: d.f"},
		{"in/sink.disk.sync", "d.f(4)", "in/sink.disk.sync has 0 times what is to be changed: d.f(4)"},
		{"in/sink.disk.drop", "d.f", "in/sink.disk.drop is not declared"},
	} {
		at, err := locate(".", edit{in: c.in, old: c.old})
		got := fmt.Sprint(err)
		if err == nil {
			got = code[at.from:at.to]
		}
		if got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.in, c.old, got, c.want)
		}
	}
}
