package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// typeFiles are the files that name a value type other than the common ones, each with the reason. For a new type,
// change the files of schema that store or convert it, and the source types whose files have it.
var typeFiles = map[string]string{
	"schema/type.go":              "has the table of types, and their limits",
	"schema/storage.go":           "has how messages store a type",
	"schema/array.go":             "reads arrays of a type",
	"schema/array_int.go":         "reads arrays of integers",
	"schema/tensor.go":            "has the numbers of types in tensors",
	"schema/features_single.go":   "has the fast path of a single value",
	"schema/convert.go":           "converts to a float type",
	"schema/conversion_errors.go": "has the range of a type",
	"schema/half.go":              "converts to the float types of two bytes",
	"sources/arrays/dtype.go":     "has the types of NumPy and IDX",
	"sources/parquet/types.go":    "has the types of Parquet",
	"webdataset/array.go":         "knows which types NumPy has",
	"message/tensor.go":           "has the types of tensors by their numbers",
	"dataset/torch.go":            "says what PyTorch gets for a type",
	"dataset/reader_example.go":   "reads the types that TensorFlow's decode_raw does not know",
	"pipeline/infer/types.go":     "stores types that a list cannot hold as tensors",
}

// TestWhereTypesAreNamed finds the files that name Uint16, Float16, Bfloat16, or a function of these, or that have the
// name of a rare type in a string: they stand for all types that only some files know.
func TestWhereTypesAreNamed(t *testing.T) {
	var found []string
	goFiles(t, parser.SkipObjectResolution, func(file string, parsed *ast.File) {
		dir, named := path.Dir(file), false
		isType := func(name string) bool {
			return name == "Uint16" || strings.Contains(strings.ToLower(name), "float16")
		}
		inString := regexp.MustCompile(`\buint(16|32)\b|float16\b`)
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				of, ok := n.X.(*ast.Ident)
				named = named || ok && of.Name == "schema" && isType(n.Sel.Name)
				ast.Inspect(n.X, visit)
				return false // its name is not one of this package
			case *ast.Ident:
				named = named || dir == "schema" && isType(n.Name)
			case *ast.BasicLit:
				named = named || n.Kind == token.STRING && inString.MatchString(n.Value)
			}
			return true
		}
		if !strings.HasSuffix(file, "_test.go") {
			ast.Inspect(parsed, visit)
		}
		if named {
			found = append(found, file)
		}
	})
	slices.Sort(found)
	if want := slices.Sorted(maps.Keys(typeFiles)); !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
