package rows

import (
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// completed is a config with what its arrays tell of features, before anything is
// made of it.
func completed(cfg *config.Config, list []*Source) (*config.Config, error) {
	if err := typed(cfg, list); err != nil {
		return nil, err
	}
	return cfg.Complete(func(name string) []column.Column {
		found := make([]column.Column, len(list))
		for i, src := range list {
			found[i], _ = src.Columns().Find(name)
		}
		return found
	})
}

// typed finds the columns of features without a type that a source lacks: nothing tells
// their types.
func typed(cfg *config.Config, list []*Source) error {
	var fits input.Fits
	for _, f := range cfg.AllFeatures() {
		if f.Type != "" {
			continue
		}
		for _, name := range f.From.Columns {
			for _, src := range list {
				if _, found := src.Columns().Find(name); !found {
					fit := src.Lacks(name, f.Key)
					fit.Config = config.PlaceOfColumns(cfg, f)
					_ = fits.Add(fit) // which is a fault
				}
			}
		}
	}
	return fits.Err()
}

// SetClasses sets the names that were collected, and compiles the features anew.
// Without names they are to be collected again.
func (s *Set) SetClasses(names map[string][]string) error {
	for _, f := range s.Classes.Auto() {
		s.Classes.set(f.Key, names[f.Key])
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
	record := s.Config.Compile(func(f *config.Feature) schema.Feature { return src.feature(s.Classes, f) })
	var err error
	if src.Schema, err = schema.Compile(record); err != nil {
		return s.Config.Problem(s.Config.Root(), "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// feature is a feature of the config, for a source's rows.
func (src *Source) feature(classes *Classes, f *config.Feature) schema.Feature {
	compiled := f.Compile(src.nullsOf(f), classes.Of(f.Key))
	compiled.Classes = classes.index(f.Key, compiled.Classes)
	if f.Classes != nil && classes.Of(f.Key) == nil {
		// `auto` knows its names when all rows were read. Until then every text
		// has the first number, which is as large as most.
		compiled.Classes = &schema.Classes{Names: []string{""}, First: f.Classes.First, Unknown: &f.Classes.First}
	}
	if !f.Shape.Known && len(f.From.Columns) == 1 && src.IsList(f.From.Columns[0]) {
		compiled.Shape = []int{-1}
	}
	return compiled
}

// nullsOf are the texts that mean missing in a feature's column, where the
// feature names none.
func (src *Source) nullsOf(f *config.Feature) []string {
	if len(f.From.Columns) == 0 {
		return nil
	}
	return src.Nulls(f.From.Columns[0])
}
