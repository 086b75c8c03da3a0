package floors

import (
	"go/ast"
	"go/parser"
	"path"
	"strconv"
	"strings"
	"testing"
)

// public are the packages for other modules, with the package of testdata/othermodule.
var public = strings.Fields("tfrecord arrayrecord schema schema/date message dataset dataset/diff dataset/page dataset/search dataset/survey dataset/tfx dataset/croissant pixels/jpeg")

// TestPublicPackagesExportNothingInternal makes sure that another module can name each type of an
// exported declaration. A package may give a type of an internal package a name of its own.
func TestPublicPackagesExportNothingInternal(t *testing.T) {
	seen := map[string]bool{}
	goFiles(t, parser.SkipObjectResolution, func(file string, parsed *ast.File) {
		dir := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") || !strings.Contains(" "+strings.Join(public, " ")+" ", " "+dir+" ") {
			return
		}
		seen[dir] = true
		internal := map[string]bool{}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(imported, module+"internal/") {
				internal[path.Base(imported)] = true
			}
		}
		for _, decl := range parsed.Decls {
			for _, node := range exportedTypes(decl) {
				ast.Inspect(node, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok {
						if pkg, ok := s.X.(*ast.Ident); ok && internal[pkg.Name] {
							t.Errorf("%s exports a declaration with %s.%s", file, pkg.Name, s.Sel.Name)
						}
					}
					return true
				})
			}
		}
	})
	if len(seen) != len(public) {
		t.Errorf("found %d packages of %d", len(seen), len(public))
	}
}

// exportedTypes returns the types in a declaration that other packages see.
func exportedTypes(decl ast.Decl) (nodes []ast.Node) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || isExportedType(d.Recv.List[0].Type)) {
			nodes = append(nodes, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && !s.Assign.IsValid() {
					nodes = append(nodes, exportedParts(s.Type)...)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && s.Type != nil {
					nodes = append(nodes, s.Type)
				}
			}
		}
	}
	return nodes
}

// exportedParts returns the exported fields of a struct, or any other type.
func exportedParts(of ast.Expr) (nodes []ast.Node) {
	s, ok := of.(*ast.StructType)
	if !ok {
		return []ast.Node{of}
	}
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 && isExportedType(field.Type) || len(field.Names) > 0 && field.Names[0].IsExported() {
			nodes = append(nodes, field.Type)
		}
	}
	return nodes
}

// isExportedType reports whether a type has an exported name.
func isExportedType(of ast.Expr) bool {
	switch t := of.(type) {
	case *ast.StarExpr:
		return isExportedType(t.X)
	case *ast.IndexExpr:
		return isExportedType(t.X)
	case *ast.Ident:
		return t.IsExported()
	case *ast.SelectorExpr:
		return t.Sel.IsExported()
	}
	return false
}
