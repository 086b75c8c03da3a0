package conformance

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// configs are the configs whose data comes with the project, by the counts of
// their splits.
var configs = map[string]map[string]int64{
	"penguins": {"train": 278, "validation": 38, "test": 28},
	"gsm8k":    {"test": 1319},
	"photos":   {"train": 18},
	"tutorial": {"train": 100},
	"mnist":    {"train": 1300, "validation": 200, "test": 297},
	"reshard":  {"train": 344},
	"nyc-taxi": {"train": 545, "test": 42},
}

func configFile(name string) string { return filepath.Join(project, "configs", name+".yaml") }

// TestConfigs builds each of the project's configs.
func TestConfigs(t *testing.T) {
	for name, counts := range configs {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			build(t, configFile(name), dir, pipeline.Run{})
			m := manifest(t, dir)
			if len(m.Splits) != len(counts) {
				t.Errorf("%d splits, want %d", len(m.Splits), len(counts))
			}
			for _, s := range m.Splits {
				if s.Records != counts[s.Name] || s.Found != counts[s.Name] {
					t.Errorf("split %s has %d records of %d rows, want %d", s.Name, s.Records, s.Found, counts[s.Name])
				}
			}
		})
	}
}

// elsewhere are configs with a test of their own, for their data is not ours to give.
var elsewhere = []string{"imagenet", "imagenet-inception", "imagenet-224", "cifar10", "webdataset", "coco", "coco-640",
	"object-detection-api", "voc", "yolo"}

// TestConfigsAreAllTested finds configs that no test builds, or that are missing in the table of configs.
func TestConfigsAreAllTested(t *testing.T) {
	const table = "docs/how-to/index.md"
	page := pageText(t, table)
	files, err := filepath.Glob(configFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file[:len(file)-len(".yaml")])
		if configs[name] == nil && !slices.Contains(elsewhere, name) {
			t.Errorf("%s is built by no test", file)
		}
		if !strings.Contains(page, "\n| ["+name+".yaml](../../configs/"+name+".yaml) | ") {
			t.Errorf("%s is not in the table of %s", file, table)
		}
	}
}

// TestConfigsStartCheckAndPlan makes sure that check and plan accept what
// build does.
func TestConfigsStartCheckAndPlan(t *testing.T) {
	for name, counts := range configs {
		cfg, err := config.Load(configFile(name))
		if err != nil {
			t.Fatal(err)
		}
		run := pipeline.Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), name)}
		if err := pipeline.Check(t.Context(), cfg, run); err != nil {
			t.Errorf("checking %s: %v", name, err)
		}
		plan, err := pipeline.MakePlan(t.Context(), cfg, run)
		if err != nil {
			t.Errorf("planning %s: %v", name, err)
			continue
		}
		for split, rows := range counts {
			if !slices.ContainsFunc(plan.Splits, func(s pipeline.PlannedSplit) bool {
				return s.Name == split &&
					s.Rows == rows
			}) {
				t.Errorf("the plan of %s is %+v, want %d rows in %s", name, plan.Splits, rows, split)
			}
		}
	}
}

// TestUpToDate builds a config twice: the second time nothing is done.
func TestUpToDate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "penguins")
	first := build(t, configFile("penguins"), dir, pipeline.Run{})
	again := build(t, configFile("penguins"), dir, pipeline.Run{Workers: 1})
	if first.UpToDate || !again.UpToDate || again.Summary != first.Summary {
		t.Errorf("first %+v, then %+v", first, again)
	}
}
