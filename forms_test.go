package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rowFields are the fields of a feature that say where its values are in a row. They are no forms of values.
var rowFields = strings.Fields("Columns Constant Default NullValues Part Repeat Separator")

// TestWhereFormsAreNamed finds what asks outside of schema and pipeline/config for a form of values: a field of
// a feature that schema.Stored does not have. schema.Stored has to say what others must know of it.
func TestWhereFormsAreNamed(t *testing.T) {
	output, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{.Imports}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{"schema", "pipeline/config"}
	for line := range strings.Lines(string(output)) {
		name, imports, _ := strings.Cut(strings.TrimPrefix(line, module), " ")
		sees := slices.ContainsFunc(strings.Fields(strings.Trim(imports, "[]\n")), func(path string) bool {
			return path == module+"schema" || path == module+"dataset" || path == module+"pipeline/config"
		})
		if sees && !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	load := importCompiled(t, packages)
	schema, err := load.Import(module + "schema")
	if err != nil {
		t.Fatal(err)
	}
	isForm, stored := map[string]bool{}, fieldsOf(schema, "Stored")
	for _, name := range fieldsOf(schema, "Feature") {
		isForm[name] = !slices.Contains(stored, name) && !slices.Contains(rowFields, name)
	}
	if !isForm["MultiHot"] || !isForm["Pad"] || isForm["Classes"] {
		t.Errorf("found the forms %v", isForm)
	}
	features := []string{module + "schema.Feature", module + "pipeline/config.Feature"}
	for _, name := range packages[2:] {
		eachSelection(t, load, name, func(at token.Position, selection *types.Selection) {
			of := strings.TrimPrefix(selection.Recv().String(), "*")
			if field := selection.Obj().Name(); isForm[field] && slices.Contains(features, of) {
				t.Errorf("%v: %s.%s is a form of values; ask schema.Stored", at, of, field)
			}
		})
	}
}

// fieldsOf returns the names of the fields of a struct.
func fieldsOf(pkg *types.Package, name string) (names []string) {
	for f := range pkg.Scope().Lookup(name).Type().Underlying().(*types.Struct).Fields() {
		names = append(names, f.Name())
	}
	return names
}

// eachSelection calls visit for each field and method that the files of a package select.
func eachSelection(t *testing.T, load types.Importer, pkg string, visit func(token.Position, *types.Selection)) {
	paths, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	positions := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
	// Files for other systems declare a name twice, which does not matter here.
	check := types.Config{Importer: load, Error: func(error) {}}
	_, _ = check.Check(module+pkg, positions, files, &info)
	for at, selection := range info.Selections {
		visit(positions.Position(at.Pos()), selection)
	}
}
