package framing_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/framing"
)

// namers are the files outside the table that name a framing, with the reason. They do not ask
// which framing a file has.
var namers = map[string]string{
	"pipeline/config/webdataset.go": "webdataset is a key there",
	"dataset/reader.go":             "ofrecord is the template of a message there",
	"schema/messages.go":            "ofrecord is a message there",
}

// TestOnlyTheTableNamesFramings finds files that name a framing: code that asks which framing a file
// has would have to change with each new row.
func TestOnlyTheTableNamesFramings(t *testing.T) {
	const root = ".."
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"framing", "tfrecord", "arrayrecord", "scripts", "lab", "beam"},
			name), d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		names, err := namesFraming(path)
		if names {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := slices.Sorted(maps.Keys(namers)); !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// namesFraming reports whether a file has a constant of a framing, or the name of a format as a
// string. The name tfrecord is not counted, because a source type has it, too.
func namesFraming(path string) (found bool, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return false, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			found = found || ok && x.Name == "tfrecord" && (n.Sel.Name == "TFRecord" || n.Sel.Name == "OFRecord")
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			_, isFormat := framing.ByName(text)
			found = found || n.Kind == token.STRING && err == nil && isFormat && text != framing.Default().Name
		}
		return true
	})
	return found, nil
}

func TestFormats(t *testing.T) {
	for _, f := range framing.All() {
		if got, ok := framing.ByName(f.Name); got != f || !ok {
			t.Errorf("%s is not found by its name", f.Name)
		}
		if got, ok := framing.ByStored(f.Stored()); got != f || !ok {
			t.Errorf("%s is not found by %q", f.Name, f.Stored())
		}
		if got := framing.Name(f.Name).Format(); got != f {
			t.Errorf("%s is the format %s", f.Name, got.Name)
		}
		for _, c := range f.Compressions {
			if batch, err := f.NewBatch(c, nil); err != nil || batch == nil {
				t.Errorf("%s, %s: no batch: %v", f.Name, c, err)
			}
			if got := f.FileCompression(c); f.CompressesFiles && got.String() != c || !f.CompressesFiles && got != 0 {
				t.Errorf("%s, %s: files have the compression %v", f.Name, c, got)
			}
		}
	}
	if framing.Default().Stored() != "" || framing.Name("biuld").Format() != framing.Default() {
		t.Error("the default is not tfrecord")
	}
	if _, ok := framing.ByName(framing.Bare().Name); ok {
		t.Error("a config can name bare files")
	}
}
