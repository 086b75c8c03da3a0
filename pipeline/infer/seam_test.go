package infer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/sources"
)

// everyday has the names of source types that are also everyday words. Only a string literal with
// nothing else counts as the name of the type.
var everyday = []string{"arrays", "folder", "images", "json", "text"}

// word matches the words of texts and of identifiers.
var word = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// TestNoSourceTypeIsNamed checks that the package names no source type and imports the package of
// none: a new one needs no change here.
func TestNoSourceTypeIsNamed(t *testing.T) {
	var names, packages []string
	for _, k := range sources.Kinds {
		names = append(names, k.Name)
		packages = append(packages, reflect.TypeOf(k.New()).Elem().PkgPath())
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		report := func(n ast.Node, what string) { t.Errorf("%s: %s", set.Position(n.Pos()), what) }
		checkWords := func(n ast.Node, text string) {
			for _, w := range word.FindAllString(text, -1) {
				if w = strings.ToLower(w); slices.Contains(names, w) && !slices.Contains(everyday, w) {
					report(n, "names the source type "+w)
				}
			}
		}
		for _, group := range parsed.Comments {
			checkWords(group, group.Text())
		}
		for _, imported := range parsed.Imports {
			if path, _ := strconv.Unquote(imported.Path.Value); slices.Contains(packages, path) {
				report(imported, "imports "+path)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Ident:
				checkWords(n, n.Name)
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind != token.STRING || err != nil {
					return true
				}
				checkWords(n, text)
				name, _, _ := strings.Cut(strings.TrimLeft(text, " -{"), ":")
				if slices.Contains(names, name) {
					report(n, "has the name of a source type: "+text)
				}
			}
			return true
		})
	}
}
