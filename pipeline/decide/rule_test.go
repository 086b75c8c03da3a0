package decide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
)

// TestNoOtherPackageKnowsARule checks that the packages that read, compare, spill, and write rows name no rule of this
// package, in code or in a string. So a new rule changes none of them.
func TestNoOtherPackageKnowsARule(t *testing.T) {
	var names []string
	for _, of := range []string{
		"find", "spill", "rows", "task", "plan", "work", "describe", "rejects", "strata",
		".", // with the tasks, check, and try
	} {
		list, err := filepath.Glob(filepath.Join("..", of, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	checked := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == filepath.Join("..", "publish.go") { // which advises to use dedupe
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		ast.Inspect(f, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.Ident:
				text = n.Name
			case *ast.BasicLit:
				text = n.Value
			}
			for _, rule := range Names() {
				if strings.Contains(strings.ToLower(text), rule) {
					t.Errorf("%s names the rule %s: %s", fset.Position(n.Pos()), rule, text)
				}
			}
			return true
		})
	}
	if checked < 100 {
		t.Errorf("only %d files were checked", checked)
	}
}

// TestNames checks that the rules are in the order of dataset.SkipRules, which has all of them.
func TestNames(t *testing.T) {
	at := -1
	for _, name := range Names() {
		next := slices.Index(dataset.SkipRules, name)
		if next <= at {
			t.Errorf("%s is in the place %d of dataset.SkipRules, after %d", name, next, at)
		}
		at = next
	}
}
