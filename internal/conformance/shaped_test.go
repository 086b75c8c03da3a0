package conformance

import (
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/pipeline"
)

// shapedForms are datasets that lack rows by rule, and have columns that expressions make.
var shapedForms = []form{
	{"csv, shaped", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: {count: {train: 3, validation: " +
		"2, test: 1}}\n" + someFractions + shaping + "limit: {train: 2500, test: 100}\n" + shapedFeatures, csvFiles},
	{"csv, shaped, compressed input",
		"source: {csv: {files: 'in/*', null_values: [NA]}}\nsplit: {column: zone}\norder_key: per_mile\nshards: " +
			"{size: 50KB}\n" + shaping + shapedFeatures, gzipFiles},
	{"jsonl, shaped", "source: {jsonl: {files: 'in/*.jsonl'}, rename: {trip.distance: distance, trip.tip: " +
		"tip}}\norder: source\nshards: 2\n" + shaping + "limit: {train: 3000}\n" + shapedFeatures, jsonFiles},
}

const shaping = `
derive:
  per_mile: {expr: 'missing(tip) || distance <= 0 ? 0.0 : tip / distance', type: float}
  generous: {expr: 'per_mile > 0.5', type: bool}
where: '(generous || size(note) % 2 == 0) && vendor != "DDS"'
sample: 80%
`

const shapedFeatures = `
features:
  id: int64
  vendor: {classes: auto}
  per_mile: {}
  generous: {}
  note: string
`

// TestShapedFormsLeaveRowsOut makes sure that each rule does, and that rows are left.
func TestShapedFormsLeaveRowsOut(t *testing.T) {
	for i := range shapedForms {
		f := &shapedForms[i]
		t.Run(f.name, func(t *testing.T) {
			dir := t.TempDir()
			result := build(t, f.lay(t, dir, max(8_000, manyRows())), filepath.Join(dir, "out"), pipeline.Run{})
			left := result.Manifest.Skipped()
			rules := []string{dataset.SkippedByWhere, dataset.SkippedBySample}
			if strings.Contains(f.config, "limit:") {
				rules = append(rules, dataset.SkippedByLimit)
			}
			for _, rule := range rules {
				if left[rule] < 100 {
					t.Errorf("%s skips %d rows", rule, left[rule])
				}
			}
			for _, s := range result.Manifest.Sources {
				if s.Written < 100 {
					t.Errorf("%d rows are written", s.Written)
				}
			}
		})
	}
}
