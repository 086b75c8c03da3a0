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

// DatasetRecord says what the records of a finished dataset are, out of two of its
// files: its canonical config and its reader, which lists the names of classes
// that the config leaves to the rows.
//
// A feature whose shape the config leaves to a side table may have any number
// of values here: what it turned out to be stands in neither file for sure.
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

// DatasetShows says what the config of a finished dataset says of the page about it.
func DatasetShows(canonical []byte) (report.Shown, error) {
	c, err := datasetConfig(canonical)
	if err != nil {
		return report.Shown{}, err
	}
	return describe.ShownOf(c, nil), nil
}

// datasetConfig reads the config of a finished dataset.
func datasetConfig(canonical []byte) (*config.Config, error) {
	text := append(slices.Clip(canonical), "output: .\n"...) // which a dataset does not know
	return config.Parse(dataset.ConfigName, text, func(string) (string, bool) { return "", false })
}
