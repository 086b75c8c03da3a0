package pipeline

import (
	"fmt"
	"slices"

	"tfr-build/dataset"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// DatasetRecord says what the records of a finished dataset are, out of two of its
// files: its canonical config and its reader, which lists the names of classes
// that the config leaves to the rows.
//
// A feature whose shape the config leaves to a side table may have any number
// of values here: what it turned out to be stands in neither file for sure.
func DatasetRecord(canonical, reader []byte) (r schema.Record, err error) {
	text := append(slices.Clip(canonical), "output: .\n"...) // which a dataset does not know
	c, err := config.Parse(dataset.ConfigName, text, func(string) (string, bool) { return "", false })
	if err != nil {
		return r, err
	}
	classes, _ := dataset.ReaderClasses(reader)
	features := make([]schema.Feature, len(c.Features))
	for i := range c.Features {
		f := &c.Features[i]
		var names []string
		if f.Classes != nil && f.Classes.Names == nil {
			if names = classes[f.Key]; names == nil {
				return r, fmt.Errorf("%s does not list the classes of the feature %q", dataset.ReaderName, f.Key)
			}
		}
		features[i] = f.Compile(nil, names)
		if !f.Shape.Known {
			features[i].Shape = []int{-1}
		}
	}
	return schema.Record{Features: features}, nil
}
