package config

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNaturalMistakes parses configs with the mistakes that people make who know other
// tools, and compares the problems with those in testdata/mistakes.golden.
//
// The file has a mistake per block: lines of a config, then the problems of it, each after
// "> ". Missing keys are added to a block. The first line of a block is line 3.
func TestNaturalMistakes(t *testing.T) {
	const file = "testdata/mistakes.golden"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	mistakes, helped := 0, 0
	for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		mistake, _, _ := strings.Cut(block+"\n", "\n> ")
		mistake = strings.TrimSuffix(mistake, "\n") + "\n"
		problems := parseInvalid(t, "c.yaml", []byte(completed(mistake)))
		checkProblems(t, problems)
		mistakes++
		if strings.Contains(problems.Error(), "\n  help: ") {
			helped++
		}
		got.WriteString(mistake)
		for line := range strings.SplitSeq(problems.Error(), "\n") {
			fmt.Fprintf(&got, "> %s\n", strings.TrimPrefix(line, "c.yaml:"))
		}
		got.WriteByte('\n')
	}
	if mistakes < 150 || 10*helped < 9*mistakes {
		t.Errorf("%d mistakes, %d of them with a hint; want at least 150, and hints for 9 in 10", mistakes, helped)
	}
	compareGolden(t, file, bytes.TrimSuffix(got.Bytes(), []byte("\n")))
}

// completed adds the required keys to a part of a config.
func completed(part string) string {
	text := "name: d\noutput: out\n" + part
	if !strings.Contains(text, "\nsource") {
		text += "source: {csv: a.csv}\n"
	}
	if !strings.Contains(text, "\nfeatures") && !strings.Contains(text, "\nrecord: sequence") {
		text += "features: {x: int64}\n"
	}
	return text
}

// TestHintsAreShown checks that each line of hints.txt has a block in testdata/mistakes.golden: a config with one of
// its words, and its hint.
func TestHintsAreShown(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.golden")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "\n\n")
	for heading, rows := range hints() {
		for _, row := range rows {
			shown := row.shownIn(heading)
			if !slices.ContainsFunc(blocks, shown) {
				t.Errorf("%s: no block of mistakes.golden has %s > %s", heading, row.words, row.help)
			}
		}
	}
}

// shownIn returns a function that reports whether a block has the hint.
func (h hint) shownIn(heading string) func(block string) bool {
	help := strings.ReplaceAll(regexp.QuoteMeta(h.help), "VALUE", ".*")
	if !strings.Contains(h.help, " ") { // the right keys, or the right value
		if help = `\w+: ` + help; strings.HasPrefix(heading, "in ") {
			help = "did you mean (" + h.help + `)\?|` + regexp.QuoteMeta(h.help)
		}
	}
	isShown := regexp.MustCompile(`(?m)^>   help: (` + help + `)$`)
	var words []string
	for _, word := range strings.Fields(h.words) {
		if word == strings.ToUpper(word) && word != strings.ToLower(word) { // a form, such as LIST
			word = ""
		}
		words = append(words, word)
	}
	return func(block string) bool {
		mistake, _, _ := strings.Cut(strings.ToLower(block), "\n> ")
		return isShown.MatchString(block) && slices.ContainsFunc(words, func(word string) bool {
			return strings.Contains(mistake, word)
		})
	}
}

// TestHintsAreOfMistakes checks that hints.txt has no heading of a mapping or key that does not exist, and no word of
// the language below its heading: such a hint would never apply, or refuse what is fine.
func TestHintsAreOfMistakes(t *testing.T) {
	d := newDecoder(newCollector())
	known := map[string]bool{"bool": true}
	for key := range ownersOfKeys(d) {
		known[key] = true
	}
	mappings := map[string][]string{"in any": nil} // to their keys
	seen := map[reflect.Type]bool{}
	keyOwners{}.add(d, reflect.TypeFor[document](), "", seen)
	for in := range seen {
		mappings[headingOf(in)] = d.keysOf(in)
	}
	for heading, rows := range hints() {
		keys, isMapping := mappings[heading]
		key, isValue := strings.CutPrefix(heading, "of ")
		if !isMapping && !known[strings.TrimSuffix(key, "[]")] {
			t.Errorf("%s: no such mapping or key", heading)
		}
		for _, row := range rows {
			for _, word := range strings.Fields(row.words) {
				if slices.Contains(keys, word) {
					t.Errorf("%s: %s is a key of it", heading, word)
				}
			}
			for meant := range strings.SplitSeq(row.help, "|") {
				if !isValue && !strings.Contains(row.help, " ") && !known[meant] {
					t.Errorf("%s: no mapping has the key %s", heading, meant)
				}
			}
		}
	}
	if len(hints()) < 80 {
		t.Errorf("%d headings; want at least 80", len(hints()))
	}
}
