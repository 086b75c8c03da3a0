package config

import (
	"bytes"
	"fmt"
	"os"
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

// TestMistakesAreErrors checks that no table of mistakes has a word of the language: it
// would never apply, or refuse what is fine.
func TestMistakesAreErrors(t *testing.T) {
	for _, row := range wrongKeys {
		all := fieldsOf(row.in)
		for _, f := range all {
			if hasWord(row.keys, f.key) {
				t.Errorf("%v has the key %s", row.in, f.key)
			}
		}
	}
	known := map[string]bool{}
	for key := range ownersOfKeys(newDecoder(newCollector())) {
		known[key] = true
	}
	for _, row := range synonyms {
		for _, meant := range strings.Fields(row.meant) {
			if !known[meant] {
				t.Errorf("%s: no mapping has the key %s", row.keys, meant)
			}
		}
	}
	for _, row := range wrongWords {
		for _, key := range strings.Fields(row.keys) {
			if key = strings.TrimSuffix(key, "[]"); key != "bool" && !known[key] {
				t.Errorf("%s: no mapping has the key %s", row.help, key)
			}
		}
	}
}
