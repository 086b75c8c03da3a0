package rows

import (
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// SetClasses sets the names that were collected, and compiles the features anew.
// Without names they are to be collected again.
func (s *Set) SetClasses(names map[string][]string) error {
	for _, f := range s.Classes.Auto() {
		s.Classes.names[f.Key] = names[f.Key]
	}
	for _, src := range s.Sources {
		if err := s.compile(src); err != nil {
			return err
		}
	}
	return nil
}

// compile makes the schema of a source's rows.
func (s *Set) compile(src *Source) error {
	features := make([]schema.Feature, len(s.Config.Features))
	for i := range s.Config.Features {
		f := &s.Config.Features[i]
		features[i] = f.Compile(src.nullsOf(f), s.Classes.Of(f.Key))
		if f.Classes != nil && s.Classes.Of(f.Key) == nil {
			// `auto` knows its names when all rows were read. Until then every text
			// has the first number, which is as large as most.
			features[i].Classes = &schema.Classes{Names: []string{""}, First: f.Classes.First, Unknown: &f.Classes.First}
		}
		if !f.Shape.Known && len(f.From.Columns) == 1 && src.IsList(f.From.Columns[0]) {
			features[i].Shape = []int{-1}
		}
	}
	var err error
	if src.Schema, err = schema.Compile(features); err != nil {
		return s.Config.Problem("features", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// nullsOf are the texts that mean missing in a feature's column, where the
// feature names none.
func (src *Source) nullsOf(f *config.Feature) []string {
	if len(f.From.Columns) == 0 {
		return nil
	}
	return src.Nulls(f.From.Columns[0])
}
