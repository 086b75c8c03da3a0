package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// A feature is a line of the block `features`, or of a comment in its place.
type feature struct {
	key  string
	spec string // what stands behind the key
	note string // what it goes by
	out  bool   // left out: the line is a comment

	spare  spare  // why it is left out, where it could be taken
	column string // of numbers that no row lacks; else empty
	kind   string // of these: int64 or float
}

// A spare feature is left out, and taken where nothing better is there.
type spare uint8

const (
	notSpare spare = iota
	aName
	aConstant
)

// A spec is the keys of a feature, in order.
type spec struct{ keys []string }

func (s *spec) add(key, value string) { s.keys = append(s.keys, key+": "+value) }

func (s *spec) has(key string) bool {
	return slices.ContainsFunc(s.keys, func(k string) bool { return strings.HasPrefix(k, key+": ") })
}

// String is the spec in one line: a type alone stands without its key.
func (s *spec) String() string {
	if only, is := strings.CutPrefix(s.keys[0], "type: "); is && len(s.keys) == 1 {
		return only
	}
	return "{" + strings.Join(s.keys, ", ") + "}"
}

// Limits of what is taken for classes.
const (
	mostClasses  = 100 // different texts
	leastPerName = 10  // rows for each
	mostListed   = 20  // names that the config lists; of more it says auto
)

// A chooser makes features of the columns of texts.
type chooser struct {
	*seen
	nulls []string // of the source, which the config says once
	by    string   // the column that keeps rows together; empty for none
	split string   // the column that names the splits; empty for none
}

// newChooser settles what is one for all columns: the words that mean missing, and
// the columns that decide the split.
func newChooser(s *seen) *chooser {
	c := &chooser{seen: s}
	c.nulls = s.settleWords()
	for _, col := range s.columns {
		if col.out == "" && c.split == "" && s.namesSplits(col) {
			c.split = col.name
		}
	}
	if s.kind == "csv" && c.split == "" {
		c.by = s.group()
	}
	return c
}

// column makes the features of a column. own says that the source has the words that
// mean missing.
func (c *chooser) column(col *columnSeen, own bool) []feature {
	switch {
	case col.out != "":
		return []feature{feature{key: col.name}.left("bytes", col.out)}
	case col.name == c.split:
		return []feature{feature{key: col.name}.left("string", "it names the split of a row")}
	case col.value != nil:
		n := &nest{c: c}
		n.value(col.value, place{path: col.name, of: c.rows - c.bad})
		return n.list
	case col.record != nil:
		return []feature{c.stored(col)}
	case col.image != nil:
		return c.pictures(col)
	case col.content != "":
		return []feature{c.content(col)}
	case col.kept != nil:
		return []feature{c.kept(col)}
	case col.array != "":
		return []feature{c.array(col)}
	}
	return []feature{c.texts(col, own)}
}

// profileOf is that of a column.
func (c *chooser) profileOf(name string) *profile {
	return c.columns[slices.IndexFunc(c.columns, func(col *columnSeen) bool { return col.name == name })].profile
}

// nullNote says where the words that mean missing are.
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

// texts makes the feature of a column of texts without a type.
func (c *chooser) texts(col *columnSeen, own bool) feature {
	p := col.profile
	f := feature{key: col.name}
	switch {
	case p.texts == 0:
		return f.left("{type: string, missing: omit}", "no value in any row")
	}
	var s spec
	note := c.typed(&s, p)
	key := col.name
	if strings.HasPrefix(key, "@") {
		f.key = "column_" + key[1:]
		s.keys = slices.Insert(s.keys, 0, "from: "+scalar(key))
	}
	if n := p.lacking(); n > 0 {
		how := "omit"
		if s.has("separator") {
			how = "empty_list" // as it is of an empty cell
		}
		s.add("missing", how)
		note = note + "; " + c.missing(p)
	}
	if !own && len(p.missed) > 0 {
		s.add("null_values", list(slices.Sorted(maps.Keys(p.missed))))
	}
	f.spec, f.note = s.String(), note
	if p.lacking() == 0 && p.floats == p.texts && p.zeros == 0 {
		f.column, f.kind = col.name, map[bool]string{true: "int64", false: "float"}[p.ints == p.texts]
	}
	switch {
	case col.name == c.by:
		return f.left(f.spec, "it keeps rows together: see split")
	case len(p.tally.order) == 1 && !p.tally.over && p.lacking() == 0 && p.rows > 1:
		f.spare = aConstant
		return f.left(f.spec, "one value in every row: "+shown(p.tally.first()))
	case strings.HasPrefix(key, "@") && p.tally.again == 0 && p.rows > 1:
		return f.left(f.spec, "all different, and without a name: "+shown(p.tally.first()))
	case p.isName():
		f.spare = aName
		return f.left(f.spec, "all different, as names are: "+shown(p.tally.first()))
	}
	return f
}

// left is the feature as a comment, with the reason.
func (f feature) left(spec, why string) feature {
	f.spec, f.note, f.out = spec, "left out: "+why, true
	return f
}

// missing says how many rows have no value, and how they say so.
func (c *chooser) missing(p *profile) string {
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

// typed adds the type that the values have to s, and says what it goes by.
func (c *chooser) typed(s *spec, p *profile) (note string) {
	span := numbers(p.low, p.high)
	switch {
	case p.ints == p.texts:
		s.add("type", "int64")
		return span
	case p.ints+p.zeros == p.texts && p.zeros > 0:
		if p.isClasses() {
			return c.classes(s, &p.tally, p.texts) + ", some with leading zeros"
		}
		s.add("type", "string")
		return plural.Of(p.zeros, "number") + " with leading zeros, so these are names"
	case p.floats == p.texts:
		s.add("type", "float")
		return span
	case p.floats+p.beyond == p.texts && p.floats > 0:
		s.add("type", "float")
		s.add("nonfinite", "allow")
		return span + ", and " + plural.Of(p.beyond, "value") + " such as nan or inf"
	case p.bools == p.texts:
		s.add("type", "bool")
		return "true and false"
	case p.base64 == p.texts:
		s.add("type", "bytes")
		s.add("encoding", "base64")
		return "images in base64"
	}
	if note := c.dates(s, &p.dates, p.texts); note != "" {
		return note
	}
	if note := c.jsonLists(s, p); note != "" {
		return note
	}
	if note := p.unread(); note != "" {
		s.add("type", "string")
		return note
	}
	if note := c.lists(s, p); note != "" {
		return note
	}
	if yes, no, ok := p.answers(); ok {
		s.add("type", "bool")
		s.add("map", fmt.Sprintf("{%s: true, %s: false}", quoted(yes), quoted(no)))
		return fmt.Sprintf("%d and %d", p.tally.counts[yes], p.tally.counts[no])
	}
	if p.isClasses() {
		return c.classes(s, &p.tally, p.texts)
	}
	s.add("type", "string")
	return p.described()
}

// described says what texts there are.
func (p *profile) described() string {
	different := plural.Of(len(p.tally.order), "different text")
	if p.tally.over {
		different = "more than " + different
	}
	note := fmt.Sprintf("%s, the longest has %s", different, plural.Of(p.longest, "byte"))
	if _, unsure := p.dates.found(p.texts); unsure {
		note += "; dates, it seems, and none says whether the month or the day comes first"
	}
	return note
}
