package config

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
)

// feature checks a feature, and fills in what follows from its other keys.
func (p *parser) feature(c *Config, f *Feature) {
	at := func(key string) string { return f.At + "." + key }
	if f.Value != nil && len(f.From.Columns) > 0 {
		p.bad(at("value"), "from and value exclude each other")
		return
	}
	if f.Value == nil && f.From.Columns == nil && p.fine(at("from"), at("value")) {
		f.From.Columns = []string{f.Key}
	}
	before := len(p.problems.List)
	p.featureType(f, at)
	p.constants(f, at)
	p.featureShape(f, at)
	p.exclusions(c, f, at)
	if len(p.problems.List) == before && p.fineInside(f.At) && f.Type != "" {
		p.compiles(f, at)
	}
}

// featureType settles the type, from what fixes it if the config says none.
func (p *parser) featureType(f *Feature, at func(string) string) {
	if !p.fine(f.At, at("type"), at("from"), at("value"), at("classes")) {
		return
	}
	fixed := p.fixedType(f)
	switch {
	case f.Classes != nil && f.Type != "" && f.Type != "int64":
		p.bad(at("type"), "found %s; classes are stored as int64", quoteValue(f.Type))
	case f.Classes != nil:
		f.Type = "int64"
	case f.Value != nil && f.Type == "":
		f.Type = p.constantType(at("value"), f.Value)
	case f.Type == "" && fixed == "" && p.unsure:
		return
	case f.Type == "" && fixed == "":
		p.bad(f.At, "the type is missing; want %s", oneOf(schema.TypeNames()))
	case f.Type == "":
		f.Type = fixed
	}
	f.IsImage = len(f.From.Columns) > 0
	for i, name := range f.From.Columns {
		what := p.each(name)
		f.IsImage = f.IsImage && what.image
		if what.content {
			p.contentOnly(f, at, i)
		}
	}
}

// fixedType is the type that the columns of f have in every source.
func (p *parser) fixedType(f *Feature) string {
	fixed := ""
	for i, name := range f.From.Columns {
		what := p.each(name)
		if i > 0 && what.fixed != fixed {
			return ""
		}
		fixed = what.fixed
	}
	return fixed
}

// contentOnly refuses what the content of a file cannot be.
func (p *parser) contentOnly(f *Feature, at func(string) string, i int) {
	name := quoteValue(f.From.Columns[i])
	if f.Type != "bytes" && f.Classes == nil {
		p.bad(at("type"), "found %s; the column %s is the content of a file, bytes", quoteValue(f.Type), name)
	}
	for _, key := range f.given("classes", "separator", "encoding", "null_values") {
		p.bad(at(key), "the column %s is the content of a file, which has no %s", name, key)
	}
}

// given are those of keys that say more than their defaults.
func (f *Feature) given(keys ...string) []string {
	said := map[string]bool{
		"classes": f.Classes != nil, "separator": f.Separator != "", "encoding": f.Encoding != "",
		"null_values": f.NullValues != nil, "missing": f.Missing.Form != "error" && f.Missing.Form != "",
		"int_from_float": f.IntFromFloat, "nonfinite": f.Nonfinite == "allow", "repeat": f.Repeat != "",
	}
	return slices.DeleteFunc(keys, func(key string) bool { return !said[key] })
}

// featureShape fills in the shape that follows from the other keys.
func (p *parser) featureShape(f *Feature, at func(string) string) {
	if !p.fine(f.At, at("from"), at("separator"), at("repeat")) || !p.fineInside(at("shape")) {
		return
	}
	columns := f.From.Columns
	one := len(columns) == 1 && f.Separator == "" && f.Repeat == ""
	if f.Shape.Known {
		if len(f.Shape.Dims) > 0 && one && !slices.Equal(f.Shape.Dims, []int{1}) && !p.mayList(columns[0]) && !p.unsure {
			p.hinted(at("shape"), `separator: " "`, "the column %s holds single values; a list needs separator", quoteValue(columns[0]))
		}
		return
	}
	switch {
	case f.From.IsList:
		f.Shape = Shape{Dims: []int{len(columns)}, Known: true}
	case !one && f.Value == nil || f.Repeat != "" || one && (p.isStarred(columns[0]) || p.each(columns[0]).list):
		f.Shape = Shape{Dims: []int{-1}, Known: true}
	case !one || !p.mayBeMany(columns[0]):
		f.Shape.Known = true
	}
}

// mayBeMany reports whether a column may be one of a side table with many
// matches, whose columns only its files name.
func (p *parser) mayBeMany(name string) bool {
	return slices.ContainsFunc(p.sets, func(set *columnSet) bool {
		_, known := set.known[name]
		return !known && set.many
	})
}

// exclusions checks keys that go with some features only.
func (p *parser) exclusions(c *Config, f *Feature, at func(string) string) {
	if f.Value != nil {
		for _, key := range f.given("missing", "null_values", "separator") {
			p.bad(at(key), "value and %s exclude each other: a constant is one value, never missing", key)
		}
		if f.Classes != nil && f.Classes.Auto {
			p.bad(at("classes"), "auto takes the classes from a column, not from value")
		}
	}
	if f.NullValues != nil && !hasCSV(c.Sources) && !p.unsure {
		p.bad(at("null_values"), "null_values are for the cells of CSV; there is no CSV")
	}
	switch {
	case len(f.From.Columns) > 1 && f.Separator != "":
		p.bad(at("separator"), "separator splits the cell of one column; from has %d", len(f.From.Columns))
	case f.Repeat != "" && f.Separator != "":
		p.bad(at("separator"), "repeat and separator exclude each other")
	case len(f.From.Columns) > 1 && f.Repeat != "":
		p.bad(at("repeat"), "repeat takes one column; from has %d", len(f.From.Columns))
	case f.Separator != "" && f.Value == nil && f.Shape.Known && len(f.Shape.Dims) == 0 && p.fine(at("shape")):
		p.bad(at("shape"), "separator makes a list; want a shape such as [-1]")
	}
	if f.Type == "" || !p.fine(at("type")) {
		return
	}
	t, _ := schema.ParseType(f.Type)
	only := func(key, what string, fits bool) {
		if !fits && len(f.given(key)) > 0 {
			p.bad(at(key), "%s is for %s; the type is %s", key, what, f.Type)
		}
	}
	only("encoding", "bytes", t == schema.BytesType)
	only("int_from_float", "integers that are no classes", t.IsInteger() && f.Classes == nil)
	only("nonfinite", "floats", t == schema.Float)
	if f.Missing.Form == "empty_list" && f.Shape.Known && !slices.Equal(f.Shape.Dims, []int{-1}) {
		p.bad(at("missing"), "empty_list is for shape [-1]")
	}
}

func hasCSV(sources []Source) bool {
	return slices.ContainsFunc(sources, func(s Source) bool {
		return s.CSV != nil || slices.ContainsFunc(s.Join, func(j Join) bool { return j.CSV != nil })
	})
}

// compiles asks the schema itself for what is left.
func (p *parser) compiles(f *Feature, at func(string) string) {
	compiled := f.Compile(nil, nil)
	if !f.Shape.Known && f.Missing.Form == "empty_list" {
		compiled.Shape = []int{-1}
	}
	err := compiled.Check()
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, text, found := strings.Cut(line, ": ")
		if quoted, _ := strconv.QuotedPrefix(strings.TrimPrefix(line, "feature ")); found && quoted != "" {
			text = strings.TrimPrefix(line, "feature "+quoted+": ")
		}
		path := f.At
		if rest, ok := strings.CutPrefix(text, "default: "); ok {
			path, text = at("missing.default"), rest
		} else if rest, ok := strings.CutPrefix(text, "constant: "); ok {
			path, text = at("value"), rest
		}
		p.bad(path, "%s", text)
	}
}
