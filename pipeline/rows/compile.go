package rows

import (
	"slices"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// completeConfig returns the config with the types and shapes that the columns of arrays give its
// features. Call it before anything is compiled from the config.
func completeConfig(cfg *config.Config, list []*Source) (*config.Config, error) {
	if err := checkUntyped(cfg, list); err != nil {
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

// checkUntyped returns an error for each missing column of a feature without a type: such a
// feature gets its type from the column.
func checkUntyped(cfg *config.Config, list []*Source) error {
	var fits input.Mismatches
	for _, f := range cfg.AllFeatures() {
		if f.Type != "" {
			continue
		}
		for _, name := range f.From.Columns {
			for _, src := range list {
				if _, found := src.Columns().Find(name); !found {
					fit := src.MissingColumnError(name, f.Key)
					fit.Config = config.ColumnsPositionOf(cfg, f)
					_ = fits.Add(fit) // the result repeats the error; fits has it
				}
			}
		}
	}
	return fits.Err()
}

// SetClasses sets the collected class names by feature, and compiles the schemas again. With nil,
// no names are known: they must be collected again.
func (s *Set) SetClasses(names map[string][]string) error {
	for _, f := range s.Classes.Auto() {
		before := len(s.classesBefore(f.Key))
		if before > 0 && len(names[f.Key]) > before && s.Sources[0].hasPlaces(f) {
			return s.Config.Problem(f.At+".classes", "auto: the base does not have the name %q, which makes all "+
				"vectors longer; without append, a build makes all records again", names[f.Key][before])
		}
		s.Classes.set(f.Key, names[f.Key])
	}
	for _, src := range s.Sources {
		if err := src.compile(); err != nil {
			return err
		}
	}
	return nil
}

// compile compiles the schema of a source's rows.
func (src *Source) compile() error {
	record := src.set.Config.Compile(src.recordFeature)
	var err error
	if src.Schema, err = schema.Compile(record); err != nil {
		return src.set.Config.SchemaProblems(err)
	}
	if src.set.Groups() {
		src.record, err = src.newRecordLayout()
	}
	return err
}

// feature returns the compiled feature of the config for a source's rows.
func (src *Source) feature(f *config.Feature) schema.Feature {
	classes := src.set.Classes
	compiled := f.Compile(src.nullsOf(f), classes.Of(f.Key))
	if c := compiled.ClassNames(); c != nil {
		compiled.SetClassNames(classes.index(f.Key, c))
	}
	if f.Classes != nil && classes.Of(f.Key) == nil {
		// The names of `auto` are known only when all rows were read. Until then every string gets
		// the first number, so that the estimated record size is about right.
		compiled.SetClassNames(&schema.Classes{Names: []string{""}, First: f.Classes.First, Unknown: &f.Classes.First})
	}
	if f.HasOpenShape() && (!f.EachRow || f.IsSequence) && len(f.From.Columns) == 1 && src.IsList(f.From.Columns[0]) {
		compiled.Shape = []int{-1}
	}
	return compiled
}

// hasPlaces reports whether records have an element for each class of a feature.
func (src *Source) hasPlaces(f *config.Feature) bool {
	compiled := src.feature(f)
	return compiled.Stored(src.set.Config.Message(), f.IsSequence).Places != nil
}

// recordFeature is feature for the records of a source. In a record of several rows, the value of each row
// has no strings that mean missing: rows of sources with other such strings may be in the record.
func (src *Source) recordFeature(f *config.Feature) schema.Feature {
	compiled := src.feature(f)
	if f.ReadsOtherRows() && f.Separator == "" {
		compiled.NullValues = nil
	}
	return compiled
}

// checkNulls returns an error if strings in cells that hold lists mean missing in some sources only, and
// rows of several sources may be in one record.
func (s *Set) checkNulls() error {
	if !s.Groups() {
		return nil
	}
	for _, f := range s.Config.AllFeatures() {
		if !f.ReadsOtherRows() || f.Separator == "" {
			continue
		}
		first := f.Compile(s.Sources[0].nullsOf(f), nil)
		for _, src := range s.Sources[1:] {
			of := f.Compile(src.nullsOf(f), nil)
			if !slices.Equal(of.NullValues, first.NullValues) {
				problem := s.Config.Problem(f.At,
					"found sources with different null_values; cells with a separator need the same ones in all rows "+
						"of a group")
				problem.List[0].Hint = "null_values: [NA]"
				return problem
			}
		}
	}
	return nil
}

// nullsOf returns the strings that mean a missing value in the first column of a feature. They
// apply if the feature has no list of its own.
func (src *Source) nullsOf(f *config.Feature) []string {
	if len(f.From.Columns) == 0 {
		return nil
	}
	return src.Nulls(f.From.Columns[0])
}
