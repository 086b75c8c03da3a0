package config

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/column"
)

// TestRulesOfFeaturesAreInSchema fails if a check of the config says in the same words what a rule of the schema says,
// or takes an error's text apart. The schema returns problems as data, with the key that has each; the config adds
// positions.
func TestRulesOfFeaturesAreInSchema(t *testing.T) {
	known := map[string]string{} // runs of words in the schema, with the text that has each
	for _, tree := range filesOf(t, "../../schema") {
		for _, text := range textsOf(tree) {
			for _, run := range runsOfWords(text) {
				known[run] = text
			}
		}
	}
	if len(known) < 200 {
		t.Fatalf("the schema has %d runs of words; want at least 200", len(known))
	}
	for _, tree := range filesOf(t, ".") {
		for _, text := range textsOf(tree) {
			for _, run := range runsOfWords(text) {
				if of, both := known[run]; both {
					t.Errorf("%q repeats %q of the schema; call schema.Feature.Check instead", text, of)
				}
			}
		}
		usesSchema := slices.ContainsFunc(tree.Imports,
			func(i *ast.ImportSpec) bool { return i.Path.Value == `"tfr-build/schema"` })
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !usesSchema {
				return true
			}
			if of, _ := selected(call.Fun); of == "strings" && slices.ContainsFunc(call.Args, isErrorText) {
				t.Errorf("%s parses an error's text", tree.Name)
			}
			return true
		})
	}
}

// filesOf parses the product files of a package.
func filesOf(t *testing.T, dir string) (trees []*ast.File) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, parseErr := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if parseErr != nil {
			t.Fatal(parseErr)
		}
		trees = append(trees, tree)
	}
	if err != nil || len(trees) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(trees), err)
	}
	return trees
}

// textsOf returns the strings of a file.
func textsOf(tree *ast.File) (texts []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

// runsOfWords returns each run of six words in a text, without verbs and signs.
func runsOfWords(text string) (runs []string) {
	const size = 6
	words := strings.Fields(strings.NewReplacer("%s", "", "%d", "", ",", "", ";", "", ":", "").Replace(text))
	for i := 0; i+size <= len(words); i++ {
		runs = append(runs, strings.Join(words[i:i+size], " "))
	}
	return runs
}

// selected returns the parts of a selector such as strings.Cut.
func selected(e ast.Expr) (of, name string) {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := selector.X.(*ast.Ident); ok {
		of = x.Name
	}
	return of, selector.Sel.Name
}

// isErrorText reports whether an expression is a call of Error, or the Text of a problem.
func isErrorText(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		_, name := selected(call.Fun)
		return name == "Error"
	}
	of, name := selected(e)
	return of == "q" && name == "Text"
}

// TestSchemaProblemsHavePositions checks rules that only classes and files decide: they are reported at their keys,
// too.
func TestSchemaProblemsHavePositions(t *testing.T) {
	cfg := mustParse(t, "name: d\noutput: out\nsource: {csv: a.csv}\nfeatures:\n  x: {classes: names.txt, missing: "+
		"{default: cow}}\n")
	_, err := schema.Compile(cfg.Compile(func(f *Feature) schema.Feature {
		return f.Compile(nil,
			[]string{"cat", "dog"})
	}))
	if got, want := cfg.SchemaProblems(
		err).Error(), `c.yaml:5:46: features.x.missing.default: "cow" is not one of the 2 classes`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	cfg = mustParse(t, "name: d\noutput: out\nsource: {arrays: {columns: {x: x.npy}}}\nfeatures:\n  x: {pad: 0, raw: "+
		"true, missing: empty_list}\n")
	of := func(kind string, shape ...int) error {
		_, err := cfg.Complete(func(string) []column.Column {
			return []column.Column{{Array: true, Type: kind,
				Shape: shape}}
		})
		return err
	}
	want := `c.yaml:5:12: features.x.pad: pad makes lists of one length: expected a shape such as [8], found [2, 3]
  help: shape: [8]
c.yaml:5:35: features.x.missing: empty_list is for shape [-1]
  help: missing: {default: 0}, which fills the list, or missing: omit`
	if err := of("int32", 2, 3); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := of("bytes", 3); err == nil || !strings.HasPrefix(err.Error(),
		"c.yaml:5:20: features.x.raw: raw is for numbers; the type is bytes") {
		t.Errorf("got %v", err)
	}
}

// TestArrayInOneSource completes a feature of an array in one source and of single values in another.
func TestArrayInOneSource(t *testing.T) {
	for feature, want := range map[string]string{
		"int64": "", "{type: float, missing: omit}": "", "{}": `c.yaml:5:6: features.x: the column "x" is an array of`,
	} {
		cfg := mustParse(t, "name: d\noutput: out\nsources: [{parquet: a.parquet}, {csv: a.csv}]\nfeatures:\n  x: "+
			feature+"\n")
		whole, err := cfg.Complete(func(string) []column.Column {
			return []column.Column{{Array: true, Type: "int64"}, {}}
		})
		if want == "" && (err != nil || len(whole.Features[0].Shape.Dims) > 0 || !whole.Features[0].Shape.Known) ||
			want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", feature, err, want)
		}
	}
	cfg := mustParse(t, "name: d\noutput: out\nsource: {parquet: a.parquet}\nfeatures: {x: {from: '@id', type: "+
		"string}}\n")
	whole, err := cfg.Complete(func(string) []column.Column { return []column.Column{{}} })
	if err != nil || !whole.Features[0].Shape.Known {
		t.Errorf("@id, which no file has, is of an unknown shape: %v", err)
	}
	cfg = mustParse(t, "name: d\noutput: out\nsource: {csv: a.csv, join: {csv: b.csv, on: x, many: true}}\nfeatures: "+
		"{x: int64, y: int64}\n")
	whole, err = cfg.Complete(func(name string) []column.Column { return []column.Column{{List: name == "y"}} })
	if err != nil || !whole.Features[0].Shape.Known || whole.Features[1].Shape.Known {
		t.Errorf("next to the list of a join with many, a single value is of an unknown shape: %v", err)
	}
}

// TestRulesOfRows checks features with a value for each row of a group: rules of a list are about that of the record.
func TestRulesOfRows(t *testing.T) {
	const head = "name: d\noutput: out\nsource: {csv: a.csv}\nrecord: sequence\ngroup: {by: g, windows: {length: 3, " +
		"last: pad}}\nsequence:\n  x: "
	for _, feature := range []string{
		"{type: int64, from: [a, b], shape: [2], truncate: true, pad: 0}",
		"{type: int64, from: [a, b], pad: 0}",
		"{type: int64, separator: ';', pad: 0}",
	} {
		mustParse(t, head+feature+"\n")
	}
	for feature, want := range map[string]string{
		"{type: int64, from: [a, b], shape: [3], pad: 0}": "sequence.x.shape: found [3]; 2 columns do not fill it",
		"{type: int64, from: [a, b], separator: ';', pad: 0}": "sequence.x.separator: separator splits the cell of " +
			"one column; from has 2",
		"{type: int64, separator: ';', shape: [-1], pad: 0}": "sequence.x.pad: pad fills windows with steps of one " +
			"length; found shape [-1]",
		"{type: int64, shape: [1], missing: empty_list, pad: none}": "sequence.x.missing: a step of each row is " +
			"never empty",
	} {
		if err := parseInvalid(t, "c.yaml", []byte(head+feature+"\n")); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", feature, err)
		}
	}
}
