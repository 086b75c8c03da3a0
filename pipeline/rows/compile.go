package rows

import (
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
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
	cfg := s.Config
	record := schema.Record{
		Message: cfg.Message(), Free: cfg.Lengths == "free", Column: cfg.Record.Column(),
		Features: s.features(src, cfg.Features), Sequence: s.features(src, cfg.Sequence),
	}
	if record.Message == schema.SequenceMessage {
		record.Features = s.features(src, cfg.Context)
	}
	var err error
	if src.Schema, err = schema.CompileRecord(record); err != nil {
		return cfg.Problem(s.root(), "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// root is the key of the config that says what records are made of.
func (s *Set) root() string {
	switch {
	case s.Config.Record.Column() != "":
		return "record"
	case s.Config.Record.Form == "sequence":
		return "sequence"
	}
	return "features"
}

// features are those of a list of the config, for a source's rows.
func (s *Set) features(src *Source, list config.Features) []schema.Feature {
	features := make([]schema.Feature, len(list))
	for i := range list {
		f := &list[i]
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
	return features
}

// wanted are the columns of a schema as a source binds them.
func (s *Set) wanted(src *Source, columns []schema.Column) []sources.Wanted {
	list := make([]sources.Wanted, len(columns))
	for i, c := range columns {
		if list[i].Column = c; c.JSON {
			list[i].Nulls = s.jsonNulls(src, c.Name)
		}
	}
	return list
}

// jsonNulls are the texts that mean missing to the features that take the texts of
// a column for JSON.
func (s *Set) jsonNulls(src *Source, column string) (nulls []string) {
	for _, f := range s.Config.AllFeatures() {
		if f.Encoding != "json" || !f.Uses(column) {
			continue
		}
		if f.NullValues != nil {
			nulls = append(nulls, f.NullValues...)
		} else {
			nulls = append(nulls, src.Nulls(column)...)
		}
	}
	return nulls
}

// A wantedColumns lists columns, each once.
type wantedColumns struct {
	list  []schema.Column
	slots map[schema.Column]int
}

// slot is the place of a column, a new one for a new column.
func (w *wantedColumns) slot(c schema.Column) int {
	i, there := w.slots[c]
	if !there {
		if w.slots == nil {
			w.slots = map[schema.Column]int{}
		}
		i = len(w.list)
		w.slots[c], w.list = i, append(w.list, c)
	}
	return i
}

// nullsOf are the texts that mean missing in a feature's column, where the
// feature names none.
func (src *Source) nullsOf(f *config.Feature) []string {
	if len(f.From.Columns) == 0 {
		return nil
	}
	return src.Nulls(f.From.Columns[0])
}
