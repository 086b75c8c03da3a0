package rows

import (
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/column"
)

// A recordLayout says how the columns of a record come from the columns of its rows, for a source.
type recordLayout struct {
	reads   []schema.Column // of a row
	columns []recordColumn  // by column of the schema
	same    []rowFeature    // features that must be equal in all rows of a group
	taken   []rowFeature    // features of the first or last row, which each row must be able to give
	alone   *schema.Schema  // of a record of any number of rows
}

// A recordColumn is a column of a record.
type recordColumn struct {
	part   schema.Part
	slots  []int         // in reads
	nulls  []string      // with EachRow and LastRow: the strings that mean missing
	nested bool          // the value of a row is a list of the values of several columns
	pad    *schema.Value // fills short windows; nil for none
	isID   bool
}

// A rowFeature is a feature of a record, made from one row.
type rowFeature struct {
	feature *config.Feature
	slots   []int // in reads, of the columns of schema
	schema  *schema.Schema
}

// newRecordLayout returns the layout of the records of a source, whose schema is compiled.
func (src *Source) newRecordLayout() (*recordLayout, error) {
	cfg, l := src.set.Config, &recordLayout{}
	var reads column.Slots[schema.Column]
	byKey := map[string]*config.Feature{}
	for _, f := range cfg.AllFeatures() {
		byKey[f.Key] = f
	}
	for _, c := range src.Schema.Columns() {
		of := recordColumn{part: c.Part}
		switch f := byKey[c.Feature]; {
		case c.Part == schema.EachRow:
			compiled := src.feature(f)
			for _, name := range f.From.Columns {
				of.slots = append(of.slots, reads.Of(compiled.RowColumn(name)))
			}
			of.nested, of.nulls = len(of.slots) > 1, compiled.NullValues
			if cfg.Group.Pads() {
				of.pad = f.RowPad()
			}
		case c.Name == "@id":
			of.isID = true
		case c.Part == schema.LastRow:
			compiled := src.feature(f)
			of.slots, of.nulls = []int{reads.Of(compiled.RowColumn(c.Name))}, compiled.NullValues
		default:
			of.slots = []int{reads.Of(c.OfRow())}
		}
		l.columns = append(l.columns, of)
	}
	once := cfg.Group.RecordColumns()
	for _, f := range cfg.AllFeatures() {
		if f.EachRow || f.Value != nil || f.IsOfRecord(once) {
			continue
		}
		of, err := src.newRowFeature(f, &reads)
		if err != nil {
			return nil, err
		}
		if f.Take != "" {
			l.taken = append(l.taken, of)
		} else {
			l.same = append(l.same, of)
		}
	}
	l.reads = reads.Columns()
	var err error
	l.alone, err = schema.Compile(cfg.Compile(func(f *config.Feature) schema.Feature {
		compiled := src.recordFeature(f)
		if f.EachRow && !f.IsSequence {
			compiled.Shape = append([]int{-1}, compiled.Shape[1:]...)
		}
		return compiled
	}))
	return l, err
}

// newRowFeature compiles a feature of one row, as a record of its own.
func (src *Source) newRowFeature(f *config.Feature, reads *column.Slots[schema.Column]) (rowFeature, error) {
	compiled := src.feature(f)
	compiled.Part = schema.FirstRow
	one, err := schema.Compile(schema.Record{Message: schema.DefaultMessage, Features: []schema.Feature{compiled}})
	if err != nil {
		return rowFeature{}, src.set.Config.SchemaProblems(err)
	}
	of := rowFeature{feature: f, schema: one}
	for _, c := range one.Columns() {
		of.slots = append(of.slots, reads.Of(c))
	}
	return of, nil
}
