package badinput

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var code = regexp.MustCompile(`^(?:[A-Z0-9]+(?:_[A-Z0-9]+)+|MISSING|SHAPE|TYPE|BASE64|HEX|ENCODING|DAMAGE)$`)

// notCodes are strings that look like codes: the variables of file name templates and of
// Python, codes of invented reports, and a verdict of package csv that sources turns into
// a warning.
var notCodes = map[string]bool{
	"NUM_SHARDS": true, "SHARD_INDEX": true, "SHARD_X_OF_Y": true, "CSV_EMPTY": true, "CSV_COLUMNS": true, "VALUE_TYPE": true,
	"CONTEXT_CASTS": true, "CONTEXT_DECODED": true, "SEQUENCE_CASTS": true, "SEQUENCE_DECODED": true,
}

// variables are those of the environment: of engines, stores, terminals, and tests.
var variables = regexp.MustCompile(`^(?:AWS_|BATCH_TASK_|GS_|JOB_|NO_COLOR$|SLURM_ARRAY_|TFR_)`)

// TestCodesAreDocumented compares the codes in the code with docs/errors.md.
func TestCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, dir := range []string{"arrayrecord", "checks", "cmd", "dataset", "expr", "internal", "jpeg", "message", "order", "pipeline", "report", "schema", "sink", "sources", "statistics", "tfrecord"} {
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
		if !strings.Contains(string(doc), "`"+c+"`") {
			t.Errorf("%s is not in docs/errors.md", c)
		}
	}
	for _, m := range regexp.MustCompile("`([A-Z0-9_]+)`").FindAllStringSubmatch(string(doc), -1) {
		if !used[m[1]] {
			t.Errorf("docs/errors.md has %s, which nothing reports", m[1])
		}
	}
}

// TestCodesAreListedOnce finds a code that a table of docs/errors.md has in two rows.
func TestCodesAreListedOnce(t *testing.T) {
	doc, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	tables, rows := 0, 0
	for section := range strings.SplitSeq(string(doc), "\n## ") {
		title, _, _ := strings.Cut(section, "\n")
		listed := map[string]bool{}
		for line := range strings.Lines(section) {
			if !strings.HasPrefix(line, "| `") {
				continue
			}
			rows++
			codes, _, _ := strings.Cut(line[1:], "|")
			for _, m := range regexp.MustCompile("`([A-Z0-9_]+)`").FindAllStringSubmatch(codes, -1) {
				if listed[m[1]] {
					t.Errorf("%q lists %s twice", title, m[1])
				}
				listed[m[1]] = true
			}
		}
		if len(listed) > 0 {
			tables++
		}
	}
	if tables < 5 || rows < 80 {
		t.Errorf("%d rows in %d tables", rows, tables)
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
			if s, err := strconv.Unquote(lit.Value); err == nil && code.MatchString(s) && !notCodes[s] && !variables.MatchString(s) {
				used[s] = true
			}
		}
		return true
	})
	return nil
}
