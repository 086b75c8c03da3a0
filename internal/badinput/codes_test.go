package badinput

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/codes"
)

var code = regexp.MustCompile(`^(?:[A-Z0-9]+(?:_[A-Z0-9]+)+|MISSING|SHAPE|TYPE|BASE64|HEX|ENCODING|DAMAGE|INTERNAL)$`)

// notCodes are strings that look like codes: the variables of file name templates and of
// Python, codes of invented reports, and a verdict of package csv that sources turns into
// a warning.
var notCodes = map[string]bool{
	"NUM_SHARDS": true, "SHARD_INDEX": true, "SHARD_X_OF_Y": true, "CSV_EMPTY": true, "CSV_COLUMNS": true,
	"VALUE_TYPE":    true,
	"CONTEXT_CASTS": true, "CONTEXT_DECODED": true, "SEQUENCE_CASTS": true, "SEQUENCE_DECODED": true,
}

// variables are those of the environment: of engines, stores, terminals, and tests.
var variables = regexp.MustCompile(`^(?:AWS_|BATCH_TASK_|GS_|JOB_|NO_COLOR$|SLURM_ARRAY_|TFR_)`)

// TestCodesAreExplained compares the codes in the code with the table that explains them.
func TestCodesAreExplained(t *testing.T) {
	used := map[string]bool{}
	for _, dir := range []string{"arrayrecord", "checks", "cmd", "dataset", "expr", "internal", "message", "pipeline",
		"pixels", "report", "schema", "sink", "sources", "statistics", "tfrecord"} {
		err := filepath.WalkDir("../../"+dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				err = collect(path, used)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for c := range used {
		if len(codes.Named(c)) == 0 {
			t.Errorf("internal/codes does not explain %s", c)
		}
	}
	for _, c := range codes.Names() {
		if !used[c] {
			t.Errorf("internal/codes explains %s, which nothing reports", c)
		}
	}
}

// collect notes the strings of a file that are codes.
func collect(path string, used map[string]bool) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && code.MatchString(s) && !notCodes[s] &&
				!variables.MatchString(s) {
				used[s] = true
			}
		}
		return true
	})
	return nil
}
