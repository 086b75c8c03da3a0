package decide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		// which advises to use dedupe
		if strings.HasSuffix(name, "_test.go") || name == filepath.Join("..", "publish.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		ast.Inspect(f, func(n ast.Node) bool {
			for _, rule := range Names() {
				if namesRule(n, rule) {
					t.Errorf("%s names the rule %s", fset.Position(n.Pos()), rule)
				}
			}
			return true
		})
	}
	if checked < 100 {
		t.Errorf("only %d files were checked", checked)
	}
}

// namesRule reports whether a node names a rule: its key of the config, its name in a string, or an identifier of
// several words with the name. A usual word may name a rule, and alone something else: every, Count.Every.
func namesRule(n ast.Node, rule string) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		of, isName := n.X.(*ast.Ident)
		if field, isField := n.X.(*ast.SelectorExpr); isField {
			of, isName = field.Sel, true
		}
		return isName && (of.Name == "cfg" || of.Name == "Config") && strings.ToLower(n.Sel.Name) == rule
	case *ast.Ident:
		words := strings.Fields(beforeWord.ReplaceAllString(n.Name, " $0"))
		return len(words) > 1 && slices.ContainsFunc(words, func(word string) bool {
			return strings.ToLower(word) == rule
		})
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return err == nil && (text == rule || strings.Contains(text, "`"+rule+"`") || strings.Contains(text, rule+":"))
	}
	return false
}

var beforeWord = regexp.MustCompile(`\B\p{Lu}`)

func TestNamesRule(t *testing.T) {
	for text, want := range map[string]bool{
		`cfg.Every`: true, `j.set.Config.Every`: true, `SkippedByEvery`: true, `"every"`: true, `everyRow`: true,
		"\"the key `every`\"": true, `"every: 2"`: true, `Count.Every`: false, `every`: false, `"every row"`: false,
		`everything`: false, `1`: false,
	} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if namesRule(e, "every") != want {
			t.Errorf("%s names the rule: %t", text, !want)
		}
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
