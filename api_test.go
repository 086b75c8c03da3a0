package policy

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// public are the packages for other modules, such as testdata/othermodule.
var public = strings.Fields("tfrecord arrayrecord framing schema schema/date message dataset dataset/diff " +
	"dataset/page dataset/provenance dataset/search dataset/survey dataset/tfx dataset/croissant pixels/jpeg")

// TestPublicPackagesExportNothingInternal makes sure that another module can name each type that it
// reaches from an exported declaration: the types of parameters, results, exported fields, promoted
// methods, and aliases.
func TestPublicPackagesExportNothingInternal(t *testing.T) {
	load := importCompiled(t, public)
	for _, name := range public {
		pkg, err := load.Import(module + name)
		if err != nil {
			t.Fatal(err)
		}
		w := typeWalk{t: t, seen: map[types.Type]bool{}}
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				w.visit(pkg.Path()+"."+name, o.Type())
			}
		}
	}
}

// importCompiled compiles packages, and returns an importer of what the compiler exports of them.
func importCompiled(t *testing.T, packages []string) types.Importer {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, name := range packages {
		args = append(args, "./"+name)
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.FieldsSeq(string(output)) {
		path, file, _ := strings.Cut(line, "=")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// A typeWalk visits the types that another module reaches from a declaration.
type typeWalk struct {
	t    *testing.T
	seen map[types.Type]bool
}

// visit reports a type of an internal package. from says how the type is reached.
func (w *typeWalk) visit(from string, of types.Type) {
	if w.seen[of] {
		return
	}
	w.seen[of] = true
	switch x := of.(type) {
	case *types.Alias:
		if w.check(from, x.Obj()) {
			w.visit(from, x.Rhs())
		}
	case *types.Named:
		w.visitNamed(from, x)
	case *types.Map:
		w.visit(from, x.Key())
		w.visit(from, x.Elem())
	case interface{ Elem() types.Type }: // a pointer, slice, array, or channel
		w.visit(from, x.Elem())
	case *types.Signature:
		w.visit(from, x.Params())
		w.visit(from, x.Results())
	case *types.Tuple:
		for v := range x.Variables() {
			w.visit(from, v.Type())
		}
	case *types.Struct:
		for f := range x.Fields() {
			if f.Exported() || f.Embedded() { // what it embeds may have exported fields
				w.visit(from+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			w.visit(from+"."+m.Name(), m.Type())
		}
	}
}

// visitNamed visits a type that has a name, and all its methods, promoted ones too.
func (w *typeWalk) visitNamed(from string, x *types.Named) {
	if !w.check(from, x.Obj()) {
		return
	}
	w.visit(from, x.Underlying())
	for arg := range x.TypeArgs().Types() {
		w.visit(from, arg)
	}
	for m := range types.NewMethodSet(types.NewPointer(x)).Methods() {
		if m.Obj().Exported() {
			w.visit(from+"."+m.Obj().Name(), m.Obj().Type())
		}
	}
}

// check reports whether a type is of this module and not internal. The test fails if it is internal.
func (w *typeWalk) check(from string, o *types.TypeName) bool {
	if o.Pkg() == nil || !strings.HasPrefix(o.Pkg().Path(), module) {
		return false
	}
	if strings.Contains(o.Pkg().Path(), "/internal/") {
		w.t.Errorf("%s exports %s.%s", from, o.Pkg().Path(), o.Name())
		return false
	}
	return true
}
