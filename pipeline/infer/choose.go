package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// A feature is a line of the block `features`, or a comment in its place.
type feature struct {
	key     string
	spec    string // the text after the key
	note    string // the reason for the spec
	skipped bool   // the line is a comment
	ofGroup bool   // with a series: it has one value per group

	fallback fallback // why it is skipped, if it could be used
	column   string   // its column, if that has a number in every row; otherwise empty
	number   string   // type of those numbers: int64 or float
}

// A fallback is a skipped feature that is used if no other feature remains.
type fallback uint8

const (
	notFallback fallback = iota
	uniqueName
	constantColumn
)

// A spec is the keys of a feature, in order.
type spec struct{ keys []string }

func (s *spec) add(key, value string) { s.keys = append(s.keys, key+": "+value) }

func (s *spec) has(key string) bool {
	return slices.ContainsFunc(s.keys, func(k string) bool { return strings.HasPrefix(k, key+": ") })
}

// String returns the spec in one line. If the type is the only key, it is the type alone.
func (s *spec) String() string {
	if only, is := strings.CutPrefix(s.keys[0], "type: "); is && len(s.keys) == 1 {
		return only
	}
	return "{" + strings.Join(s.keys, ", ") + "}"
}

// Limits for columns whose strings are classes.
const (
	mostClasses  = 100 // distinct strings
	leastPerName = 10  // rows per class
	mostListed   = 20  // names that the config lists; for more it says auto
)

// A chooser makes the features of columns.
type chooser struct {
	*summary
	nulls []string // words that mean missing in the source, for null_values
	by    string   // column whose equal values stay in one split; empty for none
	split string   // column with the names of splits; empty for none
}

// newChooser finds the settings for all columns: the words that mean missing, and the columns that
// decide the split.
func newChooser(s *summary) *chooser {
	c := &chooser{summary: s}
	c.nulls = s.findNullWords()
	for _, col := range s.columns {
		if col.skipReason == "" && c.split == "" && s.namesSplits(col) {
			c.split = col.name
		}
	}
	if s.typ.NullWords && c.split == "" {
		c.by = s.groupColumn()
	}
	return c
}

// columnFeatures returns the features of a column. own is true if the source lists the words that
// mean missing; otherwise each feature lists its own.
func (c *chooser) columnFeatures(col *columnSummary, own bool) []feature {
	switch {
	case col.skipReason != "":
		return []feature{feature{key: col.name}.asComment("bytes", col.skipReason)}
	case col.name == c.split:
		return []feature{feature{key: col.name}.asComment("string", "it names the split of a row")}
	case col.value != nil:
		n := &nestedChooser{c: c}
		n.addValue(col.value, location{path: col.name, of: c.rows - c.invalid})
		return n.list
	case col.list != nil:
		return []feature{c.listFeature(col)}
	case col.image != nil:
		return c.imageFeatures(col)
	case col.content != "":
		return []feature{c.contentFeature(col)}
	case col.typed != nil:
		return []feature{c.typedFeature(col)}
	case col.array != "":
		return []feature{c.arrayFeature(col)}
	}
	return []feature{c.stringFeature(col, own)}
}

// profileOf returns the profile of a column.
func (c *chooser) profileOf(name string) *profile {
	return c.columns[slices.IndexFunc(c.columns, func(col *columnSummary) bool { return col.name == name })].profile
}

// nullNote says which columns have words that mean missing.
func (c *chooser) nullNote() string {
	var some []string
	for _, col := range c.columns {
		if col.profile != nil && len(col.profile.missed) > 0 {
			some = append(some, col.name)
		}
	}
	if len(some) == 1 {
		return "in " + shown(some[0])
	}
	return "in " + plural.Of(len(some), "column")
}

// stringFeature returns the feature of a column of strings without a type.
func (c *chooser) stringFeature(col *columnSummary, own bool) feature {
	p := col.profile
	f := feature{key: col.name}
	switch {
	case p.texts == 0:
		return f.asComment("{type: string, missing: omit}", "no value in any row")
	}
	var s spec
	note := c.addType(&s, p)
	key := col.name
	if strings.HasPrefix(key, "@") {
		f.key = "column_" + key[1:]
		s.keys = slices.Insert(s.keys, 0, "from: "+scalar(key))
	}
	if n := p.lacking(); n > 0 {
		how := "omit"
		if s.has("separator") {
			how = "empty_list" // an empty cell is an empty list, too
		}
		s.add("missing", how)
		note = note + "; " + c.missingNote(p)
	}
	if !own && len(p.missed) > 0 {
		s.add("null_values", list(slices.Sorted(maps.Keys(p.missed))))
	}
	f.spec, f.note = s.String(), note
	if p.lacking() == 0 && p.floats == p.texts && p.zeros == 0 {
		f.column, f.number = col.name, map[bool]string{true: "int64", false: "float"}[p.ints == p.texts]
	}
	switch {
	case col.name == c.by:
		return f.asComment(f.spec, "it keeps rows together: see split")
	case len(p.counter.order) == 1 && !p.counter.overflowed && p.lacking() == 0 && p.rows > 1:
		f.fallback = constantColumn
		return f.asComment(f.spec, "one value in every row: "+shown(p.counter.first()))
	case strings.HasPrefix(key, "@") && p.counter.repeats == 0 && p.rows > 1:
		return f.asComment(f.spec, "all different, and without a name: "+shown(p.counter.first()))
	case p.isName():
		f.fallback = uniqueName
		return f.asComment(f.spec, "all different, as names are: "+shown(p.counter.first()))
	}
	return f
}

// asComment returns the feature as a comment, with the reason.
func (f feature) asComment(spec, why string) feature {
	f.spec, f.note, f.skipped = spec, "skipped: "+why, true
	return f
}

// missingNote says how many rows have no value, and which words they have instead.
func (c *chooser) missingNote(p *profile) string {
	text := share(p.lacking(), p.rows, "row") + " missing"
	var words []string
	for _, w := range c.nulls {
		if p.missed[w] > 0 {
			words = append(words, shown(w))
		}
	}
	if p.missing > 0 && len(words) > 0 {
		words = append(words, "empty")
	}
	if len(words) > 0 {
		text += " (" + strings.Join(words, ", ") + ")"
	}
	return text
}

// addType adds the type of the values to s. It returns a note with the reason.
func (c *chooser) addType(s *spec, p *profile) (note string) {
	span := numbers(p.low, p.high)
	switch {
	case p.ints == p.texts:
		s.add("type", "int64")
		return span
	case p.ints+p.zeros == p.texts && p.zeros > 0:
		if p.isClasses() {
			return c.addClasses(s, &p.counter, p.texts) + ", some with leading zeros"
		}
		s.add("type", "string")
		return plural.Of(p.zeros, "number") + " with leading zeros, so these are names"
	case p.floats == p.texts:
		s.add("type", "float")
		return span
	case p.floats+p.outOfRange == p.texts && p.floats > 0:
		s.add("type", "float")
		s.add("nonfinite", "allow")
		return span + ", and " + plural.Of(p.outOfRange, "value") + " such as nan or inf"
	case p.bools == p.texts:
		s.add("type", "bool")
		return "true and false"
	case p.base64 == p.texts:
		s.add("type", "bytes")
		s.add("encoding", "base64")
		return "images in base64"
	}
	if note := c.addDate(s, &p.dates, p.texts); note != "" {
		return note
	}
	if note := c.addListOfJSON(s, p); note != "" {
		return note
	}
	if note := p.addMarks(s); note != "" {
		return note
	}
	if note := p.numberNotation(); note != "" {
		s.add("type", "string")
		return note
	}
	if note := c.addList(s, p); note != "" {
		return note
	}
	if yes, no, ok := p.answers(); ok {
		s.add("type", "bool")
		s.add("map", fmt.Sprintf("{%s: true, %s: false}", quoted(yes), quoted(no)))
		return fmt.Sprintf("%d and %d", p.counter.counts[yes], p.counter.counts[no])
	}
	if p.isClasses() {
		return c.addClasses(s, &p.counter, p.texts)
	}
	s.add("type", "string")
	return p.describe()
}

// describe returns a note about the strings.
func (p *profile) describe() string {
	different := plural.Of(len(p.counter.order), "different string")
	if p.counter.overflowed {
		different = "more than " + different
	}
	note := fmt.Sprintf("%s, the longest has %s", different, plural.Of(p.longest, "byte"))
	if _, unsure := p.dates.format(p.texts); unsure {
		note += "; dates, it seems, and none says whether the month or the day comes first"
	}
	return note
}
