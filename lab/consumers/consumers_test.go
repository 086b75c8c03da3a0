package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const project = "../.."

// TestTable compares the table of the page with the answers.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(project, tablePage))
	if err != nil {
		t.Fatal(err)
	}
	_, inside, _, err := cutTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	want, err := table(project)
	if err != nil {
		t.Fatal(err)
	}
	if inside != want {
		t.Errorf("the page has the table\n%s\nand the answers say\n%s\nrun make oracles", inside, want)
	}
}

// TestAnswers builds the datasets and compares their bytes, and the values that package dataset reads, with the
// answer of each consumer.
func TestAnswers(t *testing.T) {
	trial, err := newTrial(project, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range consumers {
		got, err := readAnswer(project, c)
		if err != nil {
			t.Errorf("%v; run make oracles", err)
			continue
		}
		want, err := trial.expect(c)
		if err != nil {
			t.Fatal(err)
		}
		if got.Oracle != c.name || got.Version == "" || got.Values == 0 {
			t.Errorf("%s: oracle %q, version %q, %d values; run make oracles", answerFile(project, c), got.Oracle,
				got.Version, got.Values)
		}
		for _, difference := range differences(got, want) {
			t.Errorf("%s: %s; run make oracles", c.name, difference)
		}
	}
}

// TestGuide checks that the guide shows each consumer in fewer than ten lines, and nothing else.
func TestGuide(t *testing.T) {
	blocks, err := readBlocks(filepath.Join(project, guide))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range consumers {
		if c.opens == "" {
			continue
		}
		lines := 0
		for line := range strings.Lines(blocks[c.name].code) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if lines == 0 || lines >= 10 {
			t.Errorf("%s shows %s in %d lines, want 1 to 9", guide, c.name, lines)
		}
		delete(blocks, c.name)
	}
	for heading := range blocks {
		t.Errorf("%s shows %q, which is not a consumer", guide, heading)
	}
}
