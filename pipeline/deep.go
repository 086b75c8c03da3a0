package pipeline

import (
	"fmt"
	"slices"

	"tfr-build/dataset"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/describe"
	"tfr-build/report"
	"tfr-build/schema"
)

// DatasetRecord returns the record schema of a finished dataset, from two of its files: the
// canonical config, and the reader, which lists class names that the config does not have.
//
// A feature whose shape depends on a lookup table may have any number of values here: neither file
// surely has its shape.
func DatasetRecord(canonical, reader []byte) (schema.Record, error) {
	c, err := datasetConfig(canonical)
	if err != nil {
		return schema.Record{}, err
	}
	classes := dataset.ReaderClasses(reader)
	record := c.Compile(func(f *config.Feature) schema.Feature {
		var names []string
		if f.Classes != nil && f.Classes.Names == nil {
			if names = classes[f.Key]; names == nil {
				err = fmt.Errorf("%s does not list the classes of the feature %q", dataset.ReaderName, f.Key)
			}
		}
		compiled := f.Compile(nil, names)
		if !f.Shape.Known && !f.IsSequence {
			compiled.Shape = []int{-1}
		}
		return compiled
	})
	return record, err
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
