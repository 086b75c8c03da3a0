package pipeline

import (
	"slices"

	"tfr-build/dataset"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/describe"
	"tfr-build/report"
	"tfr-build/schema"
)

// DatasetRecord returns the record schema of a finished dataset, from its canonical config, and
// from its manifest, which lists class names that the config does not have. The manifest of an older
// version of tfr-build has no class names: a feature whose classes are unknown has numbers.
//
// A feature whose shape depends on a lookup table may have any number of values here: neither file
// surely has its shape.
func DatasetRecord(canonical []byte, m *dataset.Manifest) (schema.Record, error) {
	c, err := datasetConfig(canonical)
	if err != nil {
		return schema.Record{}, err
	}
	record := c.Compile(func(f *config.Feature) schema.Feature {
		classes, found := m.FindClasses(f.Key)
		compiled := f.Compile(nil, classes.Names)
		if f.Classes != nil && f.Classes.Names == nil && !found {
			compiled.SetClassNames(nil)
		}
		if f.HasOpenShape() && !f.IsSequence {
			compiled.Shape = []int{-1}
		}
		return compiled
	})
	return record, nil
}

// DatasetShows returns what the config of a finished dataset says about its report.
func DatasetShows(canonical []byte) (report.Shown, error) {
	c, err := datasetConfig(canonical)
	if err != nil {
		return report.Shown{}, err
	}
	return describe.ShownOf(c, nil), nil
}

// datasetConfig parses the config of a finished dataset.
func datasetConfig(canonical []byte) (*config.Config, error) {
	text := append(slices.Clip(canonical), "output: .\n"...) // which the config does not have
	return config.Parse(dataset.ConfigName, text, func(string) (string, bool) { return "", false })
}
