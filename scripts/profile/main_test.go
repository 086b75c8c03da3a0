package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

const root = "../.."

// kept reads the profile that the program is built with.
func kept(t *testing.T) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "cmd/tfr-build/tfr-build.pgo"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProfileIsOfThisCode has the profile made anew, by `make profile`, when a tenth of
// what it saw is no longer there.
func TestProfileIsOfThisCode(t *testing.T) {
	functions := functionsOf(t)
	here, seen := int64(0), int64(0)
	gone := map[string]bool{}
	for _, s := range kept(t).Sample {
		for _, at := range s.Location[:1] {
			name := withoutParts(at.Line[0].Function.Name)
			if !strings.HasPrefix(name, "tfr-build/") {
				continue
			}
			seen += s.Value[0]
			if functions[name] {
				here += s.Value[0]
			} else {
				gone[name] = true
			}
		}
	}
	if seen == 0 || here*10 < seen*9 {
		t.Errorf("of %d samples %d are of functions that are there; gone are %v", seen, here, gone)
	}
}

// TestProfileTellsNoPlace finds nothing of the machine where the profile was made.
func TestProfileTellsNoPlace(t *testing.T) {
	p := kept(t)
	for _, m := range p.Mapping {
		if m.File != "" {
			t.Errorf("the program was %s", m.File)
		}
	}
	for _, f := range p.Function {
		if f.Filename != "" {
			t.Fatalf("%s is in %s", f.Name, f.Filename)
		}
	}
	if p.TimeNanos != 0 || p.Comments != nil {
		t.Errorf("made at %d, %q", p.TimeNanos, p.Comments)
	}
}

var part = regexp.MustCompile(`\[.*?\]|\.(func|gowrap|deferwrap)\d.*$|-fm$|-range\d+$|\.abi0$`)

// withoutParts is the name of the function that holds a closure, or is generic.
func withoutParts(name string) string { return part.ReplaceAllString(name, "") }

// functionsOf are the names of all functions of the module, as a profile writes them.
func functionsOf(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "scripts" || d.Name() == "beam"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				names[path.Join("tfr-build/", filepath.ToSlash(rel))+"."+receiver(f)+f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// receiver is "(*T)." or "T." of a method, and nothing of a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of, pointer := f.Recv.List[0].Type, false
	if star, ok := of.(*ast.StarExpr); ok {
		of, pointer = star.X, true
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name := of.(*ast.Ident).Name
	if pointer {
		return "(*" + name + ")."
	}
	return name + "."
}
