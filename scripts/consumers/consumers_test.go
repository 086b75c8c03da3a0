package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const project = "../.."

// TestTable compares the table of the page with results.json.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(project, tablePage))
	if err != nil {
		t.Fatal(err)
	}
	_, inside, _, err := cutTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	results, err := readResults(project)
	if err != nil {
		t.Fatal(err)
	}
	if want := table(results); inside != want {
		t.Errorf("the page has the table\n%s\nand results.json says\n%s", inside, want)
	}
	for _, c := range consumers {
		if results[c.name].Values == 0 {
			t.Errorf("results.json has nothing of %s", c.name)
		}
	}
	if len(results) != len(consumers) {
		t.Errorf("results.json has %d consumers, want %d", len(results), len(consumers))
	}
}

// TestGuide holds that each consumer is shown in fewer than ten lines, and nothing else is.
func TestGuide(t *testing.T) {
	blocks, err := readBlocks(filepath.Join(project, guide))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range consumers {
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
		t.Errorf("%s shows %q, which is no consumer", guide, heading)
	}
}

// TestTorchPython names the packages and the variable where a Python has no PyTorch.
func TestTorchPython(t *testing.T) {
	t.Setenv("TFR_TORCH", "/bin/false")
	_, err := torchPython()
	for _, want := range []string{"/bin/false has no PyTorch", "python3-torch", "TFR_TORCH=PYTHON"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v; want one with %q", err, want)
		}
	}
}
