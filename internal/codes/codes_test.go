package codes

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/reference/errors.md")

const document = "../../docs/reference/errors.md"

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

// docs/reference/errors.md has a table per exit code, with the entries of All.
func TestDocument(t *testing.T) {
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?m)^(## .*\(exit code (\d+)\)\n(?:(?:\n[^|#\n].*)*\n)+)(?:\|.*\n)+`)
	exits, anchored := map[string]bool{}, map[string]bool{}
	want := table.ReplaceAllStringFunc(string(data), func(found string) string {
		m := table.FindStringSubmatch(found)
		exits[m[2]] = true
		return m[1] + markdown(m[2], anchored)
	})
	for _, c := range All {
		if !exits[fmt.Sprint(c.Exit)] {
			t.Fatalf("no table for exit code %d", c.Exit)
		}
	}
	switch {
	case want == string(data):
	case *update:
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s differs from the table; -update writes it", document)
	}
}

// markdown returns the table of an exit code. The first row of a code has an anchor.
func markdown(exit string, anchored map[string]bool) string {
	var b strings.Builder
	b.WriteString("| code | cause | fix |\n|---|---|---|\n")
	for _, c := range All {
		if fmt.Sprint(c.Exit) == exit {
			anchor := ""
			if !anchored[c.Code] {
				anchor = fmt.Sprintf(`<a id="%s"></a>`, strings.ToLower(c.Code))
			}
			anchored[c.Code] = true
			fmt.Fprintf(&b, "| %s`%s` | %s | %s |\n", anchor, c.Code, cell(c.Cause), cell(c.Fix))
		}
	}
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
