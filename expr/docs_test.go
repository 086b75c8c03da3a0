package expr

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
)

// documented are the columns in docs/reference/expressions.md.
var documented = map[string]schema.Value{"a": cell("07"), "gone": {}, "odd name": cell("3"),
	"xs": jsonValue(`[3, 1.5, -2]`), "ys": jsonValue(`[10, 20, 30]`), "tags": jsonValue(`["cat", "dog"]`)}

// TestDocs evaluates the examples of docs/reference/expressions.md, which has all functions.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := map[string]bool{}
	for _, name := range functionNames() {
		rest[name] = true
	}
	examples := regexp.MustCompile("[|] `([^`]+)` (?:is|[|]) `([^`]+)` [|]").FindAllStringSubmatch(string(page), -1)
	if len(examples) < 24 {
		t.Errorf("%d examples", len(examples))
	}
	for _, example := range examples {
		if got := evaluate(t, documented, example[1]); got != example[2] {
			t.Errorf("%s is %s, and %s in docs/reference/expressions.md", example[1], got, example[2])
		}
		for name := range rest {
			if strings.HasPrefix(example[1], name+"(") {
				delete(rest, name)
			}
		}
	}
	for name := range rest {
		if !strings.Contains(string(page), "| `"+name+"(") && !strings.Contains(string(page), "`, `"+name+"(") {
			t.Errorf("docs/reference/expressions.md lacks %s", name)
		}
	}
	message := evaluate(t, map[string]schema.Value{"fare": cell("1"), "tip": cell("n/a")}, "fare * tip")
	if _, message, _ = strings.Cut(message, "error: "); !strings.Contains(string(page), "\n"+message+"\n") {
		t.Errorf("docs/reference/expressions.md has not the message %s", message)
	}
}

// TestOperatorsAreDocumented compares the table of operators with their levels.
func TestOperatorsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(page), "&#124;", "|"), "\n")
	for _, o := range operators {
		documented := slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, "| "+strconv.Itoa(o.level+1)+" | ") &&
				strings.Contains(line, "a "+o.sign+" ")
		})
		if !documented {
			t.Errorf("docs/reference/expressions.md has no %s on level %d", o.sign, o.level+1)
		}
	}
}
