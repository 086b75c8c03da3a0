package codes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/docs/reference"
)

// Each entry has all texts, and no code has two entries with the same exit code.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All {
		key := fmt.Sprint(c.Code, " ", c.Exit)
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
		for _, text := range []string{c.Cause, c.Fix} {
			if !strings.HasSuffix(text, ".") || strings.Count(text, "`")%2 != 0 {
				t.Errorf("%s: %q is not a sentence, or has half of a pair of backticks", key, text)
			}
		}
		if c.Example == "" {
			t.Errorf("%s has no example", key)
		}
		if e, found := ExitNamed(fmt.Sprint(c.Exit)); !found || e.Fix == "" {
			t.Errorf("%s: no exit code %d", key, c.Exit)
		}
	}
}

func TestNamed(t *testing.T) {
	list := Named("ZIP_CORRUPT")
	if len(list) != 2 || list[0].Exit != 3 || list[1].Exit != 5 {
		t.Errorf("%+v", list)
	}
	if e, found := ExitNamed("130"); !found || !strings.Contains(e.Cause, "SIGINT") {
		t.Errorf("%+v, %v", e, found)
	}
	if _, found := ExitNamed("12"); found {
		t.Error("exit code 12 is explained")
	}
}

// TestPage checks that the page has no row that All does not have, a table per exit code, and an anchor of each code in
// its first row.
func TestPage(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (?:<a id="(\w+)"></a>)?` + "`" + `[A-Z0-9_]+` + "`" + ` `)
	rows := row.FindAllStringSubmatch(reference.Errors, -1)
	if len(rows) != len(All) {
		t.Fatalf("the page has %d rows of codes, of which %d are read", len(rows), len(All))
	}
	tables, anchored := map[int]int{}, map[string]bool{}
	for i, c := range All {
		if i == 0 || All[i-1].Exit != c.Exit {
			tables[c.Exit]++
		}
		want := ""
		if !anchored[c.Code] {
			want = strings.ToLower(c.Code)
		}
		if anchored[c.Code] = true; rows[i][1] != want {
			t.Errorf("%s of exit code %d has the anchor %q, want %q", c.Code, c.Exit, rows[i][1], want)
		}
	}
	for exit, n := range tables {
		if n > 1 {
			t.Errorf("the exit code %d has %d tables", exit, n)
		}
	}
}

func TestParse(t *testing.T) {
	const page = "## Other\n\n| to | see |\n|---|---|\n| `a` | b |\n\n## Rows (exit code 3)\n\n| code | cause | fix " +
		"| example |\n" +
		"|---|---|---|---|\n| <a id=\"a_b\"></a>`A_B` | It is `so`. | Use `a \\| b`. | `x,y` |\n" +
		"## Warnings (exit code 0)\n| `A_B` | So. | Do. | `x` with `y` |\n"
	want := []Code{{"A_B", 3, "It is `so`.", "Use `a | b`.", "x,y"}, {"A_B", 0, "So.", "Do.", "`x` with `y`"}}
	if got := parse(page); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
