package config

import (
	"slices"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/column"
)

// Group says which rows are in one record.
type Group struct {
	By      []string `yaml:"by" is:"column" unique:"column" one:"ok" required:"yes" doc:"Columns: rows with equal values in all of them are a group." example:"[station, day]"`
	Sort    *Sort    `yaml:"sort" doc:"Column by which the rows of a group are sorted. Default: source order." example:"time"`
	Windows *Windows `yaml:"windows" doc:"Cuts each group into windows, with a record for each. Default: one record per group." example:"{length: 100, stride: 50}"`
	Dataset string   `yaml:"dataset" is:"name" doc:"Prefix of features, without its /: TFDS reads them as a nested dataset with an element for each row, as in RLDS." example:"steps"`
}

// Sort is the column by which the rows of a group are sorted.
type Sort struct {
	Column string `yaml:"column" is:"column" required:"yes" doc:"Column by which the rows of a group are sorted." example:"time"`
	Type   string `yaml:"type" enum:"int64 uint64 float64" doc:"Type of the numbers in a column of strings. Default: numbers by value if they have a type, strings by bytes."`
}

// Windows cut a group into ranges of rows.
type Windows struct {
	Length int    `yaml:"length" range:"1 16777216" required:"yes" doc:"Number of rows of a window." example:"100"`
	Stride int    `yaml:"stride" range:"1 16777216" doc:"Number of rows from the start of a window to the start of the next. Default: length." example:"50"`
	Last   string `yaml:"last" default:"drop" canonical:"set" enum:"drop keep pad" doc:"Window of the rows after the last full one: drop it, keep it shorter, or pad it. Default: drop."`
}

// Count returns the number of windows of a group of n rows.
func (w *Windows) Count(n int) int {
	if w == nil {
		return 1
	}
	full := 0
	if n >= w.Length {
		full = (n-w.Length)/w.Stride + 1
	}
	// The next window is kept if a row at or after its start is in no window yet.
	next := full * w.Stride
	covered := 0
	if full > 0 {
		covered = (full-1)*w.Stride + w.Length
	}
	if w.Last != "drop" && next < n && covered < n {
		full++
	}
	return full
}

// Rows returns the rows of a window of a group of n rows: those from from to to-1.
func (w *Windows) Rows(window, n int) (from, to int) {
	if w == nil {
		return 0, n
	}
	from = window * w.Stride
	return from, min(from+w.Length, n)
}

// Columns returns the columns by which rows are grouped and sorted.
func (g *Group) Columns() []string {
	if g == nil {
		return nil
	}
	list := slices.Clone(g.By)
	if g.Sort != nil {
		list = append(list, g.Sort.Column)
	}
	return list
}

// RecordColumns returns the columns that a record has once: the columns of group.by, and of the record itself.
func (g *Group) RecordColumns() map[string]bool {
	return column.SetOf(slices.Concat(g.By, recordColumns))
}

// IsOfRecord reports whether a record has all columns of the feature once.
func (f *Feature) IsOfRecord(once map[string]bool) bool {
	return f.Repeat == "" && !slices.ContainsFunc(f.From.Columns, func(name string) bool { return !once[name] })
}

// Steps returns the number of values of a list with a value for each row: -1 for any number.
func (g *Group) Steps() int {
	if g.Windows == nil || g.Windows.Last == "keep" {
		return -1
	}
	return g.Windows.Length
}

// Pads reports whether short windows are filled.
func (g *Group) Pads() bool { return g.Windows != nil && g.Windows.Last == "pad" }

// recordColumns are the columns of a record itself.
var recordColumns = []string{"@id", "@split", column.StepsName}

// readsRecordColumn reports whether the feature reads a column of the record.
func (f *Feature) readsRecordColumn() bool {
	return slices.ContainsFunc(f.From.Columns, func(name string) bool { return slices.Contains(recordColumns, name) })
}

// ReadsOtherRows reports whether the feature has values of other rows of its record than the first.
func (f *Feature) ReadsOtherRows() bool { return f.EachRow || f.Take == "last" }

// markEachRow sets EachRow of the features that have a value for each row of a group.
func (c *Config) markEachRow() {
	if c.Group == nil {
		return
	}
	for i := range c.Sequence {
		c.Sequence[i].EachRow = true
	}
	once := c.Group.RecordColumns()
	for i := range c.Features {
		f := &c.Features[i]
		columns := f.From.Columns
		if columns == nil {
			columns = []string{f.Key}
		}
		isKey := !slices.ContainsFunc(columns, func(name string) bool { return !once[name] })
		f.EachRow = f.Value == nil && f.Take == "" && !isKey
		if f.EachRow {
			f.steps = c.Group.Steps()
			f.inDataset = c.Group.hasInDataset(f.Key)
		}
	}
}

// checkGroup checks the keys of group, and the keys that it excludes.
func (c *checker) checkGroup(cfg *Config) {
	g := cfg.Group
	if g == nil {
		for _, f := range cfg.AllFeatures() {
			if f.Take != "" {
				c.reportWithHint(subPath(f.At, "take"), "group: {by: [COLUMN]}",
					"take chooses a row of a group; the config has no group")
			}
			for _, name := range f.From.Columns {
				if text := groupColumnText(name); text != "" {
					c.reportWithHint(f.At, "group: {by: [COLUMN]}", "%s; the config has no group", text)
				}
			}
		}
		c.checkNoGroupColumns(cfg)
		return
	}
	if !c.isValidInside("group") {
		return
	}
	names := slices.Clone(g.By)
	if g.Sort != nil {
		names = append(names, g.Sort.Column)
	}
	for i, name := range names {
		at := "group.by"
		if i == len(g.By) {
			at = "group.sort"
		}
		c.checkNotLate(at, name, c.sets...)
	}
	if w := g.Windows; w != nil && w.Stride == 0 {
		w.Stride = w.Length
	}
	c.checkGrouped(cfg)
	c.checkDataset(cfg)
	c.checkWindowSize(cfg)
}

// checkWindowSize checks that groups may have the rows of a window, and that padding cannot make each
// worker fill gigabytes.
func (c *checker) checkWindowSize(cfg *Config) {
	const at = "group.windows.length"
	w := cfg.Group.Windows
	if w == nil || !c.isValid(at, "limits.group", "limits.record") {
		return
	}
	values := int64(0)
	for _, f := range cfg.AllFeatures() {
		if !f.EachRow {
			continue
		}
		size := int64(1)
		for _, n := range f.Shape.Dims {
			size *= int64(max(n, 1))
		}
		values += size
	}
	switch {
	case w.Length > cfg.Limits.Group:
		c.reportWithHint(at, "limits: {group: "+strconv.Itoa(w.Length)+"}",
			"found %d; limits.group allows groups of %d rows", w.Length, cfg.Limits.Group)
	case cfg.Group.Pads() && values > cfg.Limits.Record/int64(w.Length):
		c.report(at, "found %d; pad fills up to %d values of a record, and limits.record allows %d", w.Length,
			values*int64(w.Length), cfg.Limits.Record)
	}
}

// checkGrouped checks the other keys of a config with group.
func (c *checker) checkGrouped(cfg *Config) {
	if form := cfg.Record.Form; c.isValidInside("record") && form != "sequence" && form != "example" ||
		cfg.Message().IsImplied() {
		c.reportWithHint("group", "record: sequence", "group makes SequenceExamples or Examples; the record is %s",
			cfg.Message().Word())
	}
	if _, ok := cfg.Inception(); ok && c.isValid("order") {
		c.report("group", "group is for the orders shuffled and source, but order is %s", cfg.Order)
	}
	if cfg.Lengths == "free" && c.isValid("lengths") {
		c.report("lengths", "with group, all lists of a record have a step for each row; found free")
	}
	once := cfg.Group.RecordColumns()
	for _, f := range cfg.AllFeatures() {
		c.checkGroupedFeature(cfg, f, once)
	}
}

// groupColumnText returns what a column is if only rows of a group have it; empty for other columns.
func groupColumnText(name string) string {
	switch name {
	case column.StepName:
		return "the column " + name + " is the position of a row in its record of a group"
	case column.StepsName:
		return "the column " + name + " is the number of rows of a group"
	}
	return ""
}

// checkNoGroupColumns reports expressions that use @step or @steps in a config without group.
func (c *checker) checkNoGroupColumns(cfg *Config) {
	for i := range cfg.Sources {
		for j := range cfg.Sources[i].Derive {
			d := &cfg.Sources[i].Derive[j]
			for _, name := range column.Named(string(d.Expr)) {
				if text := groupColumnText(name); text != "" && c.isValid(d.At) {
					c.reportWithHint(d.At, "group: {by: [COLUMN]}", "%s; the config has no group", text)
				}
			}
		}
	}
}

// checkGroupColumns checks a feature that reads @step, or a column that is computed from @step or @steps: its value
// is known only when rows are in their record.
func (c *checker) checkGroupColumns(f *Feature, once map[string]bool) {
	for _, name := range f.From.Columns {
		isOfRow := func(set *column.Set) bool {
			known, _ := set.Known(name)
			return known.InGroup && !once[name]
		}
		switch {
		case !slices.ContainsFunc(c.sets, isOfRow):
		case !f.EachRow && f.Take == "":
			hint := "take: first"
			if f.isMemberKey {
				hint = `key: "{@id}"`
			}
			c.reportWithHint(f.At, hint,
				"the column %s has a value for each row of a record; a record has one value of the feature",
				quoteValue(name))
		case f.Classes != nil && f.Classes.Auto:
			c.reportWithHint(subPath(f.At, "classes"), "classes: [NAME, …]",
				"auto reads rows before they are in a record, which the column %s needs", quoteValue(name))
		}
	}
}

// padHint returns a key pad to paste.
func (f *Feature) padHint() string {
	switch {
	case f.Classes != nil && len(f.Classes.Names) > 0:
		return "pad: " + f.Classes.Names[0] + ", or another class"
	case f.Classes != nil:
		return "pad: CLASS"
	case f.Map != nil && len(f.Map.Values) > 0:
		return "pad: " + quoteValue(f.Map.Values[0].Text) + ", or another string of the map"
	case f.Date != "":
		return "pad: a date of the form " + f.Date
	}
	t, _ := schema.ParseType(f.Type)
	return "pad: " + t.Example()
}

// checkGroupedFeature checks the keys of a feature of a group.
func (c *checker) checkGroupedFeature(cfg *Config, f *Feature, once map[string]bool) {
	at := func(key string) string { return subPath(f.At, key) }
	switch {
	case f.Take != "" && f.IsSequence:
		c.report(at("take"), "take is for a value that a record has once; sequence has a step for each row")
	case f.Take != "" && f.Value != nil:
		c.report(at("take"), "take is for a column; a constant is the same in all rows")
	case f.IsSequence && f.Value != nil:
		c.report(at("value"), "a feature of sequence has a step for each row; a constant belongs to context")
	case f.IsSequence && slices.Contains(f.From.Columns, column.StepsName):
		c.report(at("from"), "the column %s is a value of the record; it belongs to context", column.StepsName)
	case f.readsRecordColumn() && len(f.From.Columns) > 1 && !f.IsSequence:
		c.report(at("from"), "the columns of a record cannot be in a list with others")
	}
	c.checkGroupColumns(f, once)
	if !f.EachRow {
		return
	}
	if f.Repeat != "" {
		c.report(at("repeat"), "with group, repeat is not for a feature with a value for each row")
	}
	compiled := f.Compile(nil, nil)
	if f.Missing.Form == "omit" && c.isValid(at("missing")) {
		c.reportWithHint(at("missing"), compiled.ExampleDefault(), "with group, each row needs a step; found omit")
	}
	if cfg.Group.Pads() && f.Pad == nil && c.isValid(at("pad")) {
		c.reportWithHint(f.At, f.padHint(), "windows: {last: pad} fills short windows, and the feature has no pad")
	}
	if f.IsSequence {
		if isList := slices.Equal(f.Shape.Dims, []int{-1}) || f.MultiHot; f.Missing.Form == "empty_list" && !isList &&
			c.isValid(at("missing")) {
			c.reportWithHint(at("missing"), compiled.ExampleDefault(),
				"a step of each row is never empty; empty_list needs shape: [-1]")
		}
		return
	}
	for _, key := range []string{"separator", "multi_hot", "tensor", "raw", "truncate"} {
		if compiled.Has(key) {
			c.reportWithHint(at(key), "record: sequence",
				"with group and record: example, %s is not for a feature with a value for each row", key)
		}
	}
	if f.Missing.Form == "empty_list" && c.isValid(at("missing")) {
		c.reportWithHint(at("missing"), compiled.ExampleDefault(), "with group, each row needs a value; found "+
			"empty_list")
	}
	for _, n := range f.Shape.Dims {
		if n < 0 && c.isValidInside(at("shape")) {
			c.reportWithHint(at("shape"), "shape: [7] for 7 values of each row; lists of any length need record: "+
				"sequence",
				"with group and record: example, each row needs the same number of values; found %d, any number", n)
		}
	}
}
