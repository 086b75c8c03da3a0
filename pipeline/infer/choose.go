package infer

import (
	"cmp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// A feature is a line of the block `features`, or a comment in its place.
type feature struct {
	key     string
	from    string // path of its column; empty if it cannot be a feature
	spec    spec
	note    string // the reason for the spec
	skipped bool   // the line is a comment

	isUsable bool   // it is skipped because it tells rows nothing, and used if no other remains
	isName   bool   // it is skipped because it names rows, and used if no other is an input
	moves    string // keys of `convert` that move its coordinates with the images
	columns  int    // number of columns of numbers, if a range can have them; otherwise 0

	mayBeClass bool // the numbers are all from 0 or 1 to a small one
}

// text returns what follows the key.
func (f feature) text() string {
	if f.from != f.key && !f.spec.has("from") {
		return append(spec{"from: " + scalar(f.from)}, f.spec...).String()
	}
	return f.spec.String()
}

// A spec is the keys of a feature, in order. They do not have the column if it has the name of the feature.
type spec []string

func (s *spec) add(key, value string) { *s = append(*s, key+": "+value) }

func (s spec) has(key string) bool {
	return slices.ContainsFunc(s, func(k string) bool { return strings.HasPrefix(k, key+": ") })
}

// String returns the spec in one line. If the type is the only key, it is the type alone.
func (s spec) String() string {
	if only, is := strings.CutPrefix(s[0], "type: "); is && len(s) == 1 {
		return only
	}
	return s.braced()
}

// braced returns the spec as a mapping.
func (s spec) braced() string { return "{" + strings.Join(s, ", ") + "}" }

// Limits for columns whose strings are classes.
const (
	mostClasses  = 100 // distinct strings
	leastPerName = 10  // rows per class
	mostListed   = 20  // names that the config lists; for more it says auto
)

// A chooser makes the features of columns.
type chooser struct {
	*summary
	nulls []string  // words that mean missing in the source, for null_values
	by    string    // column whose equal values stay in one split; empty for none
	split string    // column with the names of splits; empty for none
	list  []feature // of the current column

	derives bool   // the sources may derive columns
	derived []line // which they derive
}

// newChooser finds the words that mean missing. If own is true, the source lists them; otherwise each feature lists its
// own.
func newChooser(s *summary, own bool) *chooser {
	c := &chooser{summary: s}
	if nulls := s.findNullWords(); own {
		c.nulls, c.derives = nulls, !s.typ.Repeated
	}
	return c
}

// chooseSplit returns the split that a column decides, or the split by chance.
func (c *chooser) chooseSplit() []line {
	for _, col := range c.columns {
		if names, others := c.splitNames(col, isSplitWord); len(names) > 1 && !others {
			c.split, c.equal.apart = col.name, col.name
			return splitBy(entry("column: "+scalar(c.split), "its values name the splits"))
		}
	}
	owner := c.groupColumn(2, func(name string) bool {
		return namesOwner(name) && (c.shared == nil || name != c.shared.name)
	})
	if c.shared != nil {
		return splitBy(fractions, c.byShared(owner))
	}
	if by := c.groupColumn(leastGroups, namesGroup); by != nil && c.typ.Rows != input.Lists {
		c.by, c.equal.apart = by.name, by.name
		return splitBy(fractions, entry("by: "+scalar(c.by),
			by.profile.texts.inRows("value", by.profile.count)+": keeps what is of one together"))
	}
	if owner = cmp.Or(c.groupColumn(2, namesGroup), owner); owner != nil {
		return splitBy(fractions, entry("# by: "+scalar(owner.name), "would keep the rows of each in one split"))
	}
	return splitBy(fractions)
}

// leastGroups is the smallest number of groups that a split keeps together.
const leastGroups = 10

// sharedWhat says what the files are whose names rows repeat.
func (s *summary) sharedWhat() string { return cmp.Or(s.names[s.shared.column()], "image") }

// byShared returns the key that keeps the rows that name one file in one split. It is a comment if they are a large
// part of all, or if the names may be classes; and empty if some rows have no value, or several. The rows of an owner,
// which may be nil, may be in several splits.
func (c *chooser) byShared(owner *columnSummary) line {
	x, key, keeps := c.shared, "by: ", ": keeps the rows of each in one split"
	if x.isList || x.unnamed > 0 {
		return line{}
	}
	isLarge := leastRepeats*(x.repeats-x.repeatsOfOthers()+1) > x.count
	if isLarge || len(x.order) < leastGroups || x.isClasses() && lastExtension(x.order[0]) == "" {
		key, keeps = "# by: ", ": would keep the rows of each in one split"
	}
	if owner != nil {
		keeps += ", but not of each " + shown(owner.name)
	}
	return entry(key+scalar(x.name), x.inRows(c.sharedWhat(), x.count)+keeps)
}

// areNulls reports whether the source says that the words mean missing.
func (c *chooser) areNulls(words []string) bool {
	return without(words, c.nulls) == nil
}

// hasBackslashes reports whether a value has one.
func (c *chooser) hasBackslashes() bool {
	isIn := func(text string) bool { return strings.Contains(text, `\`) }
	return slices.ContainsFunc(c.columns, func(col *columnSummary) bool {
		return col.profile != nil && slices.ContainsFunc(col.profile.texts.order, isIn)
	})
}

// nullNote says which columns have each of the words that mean missing.
func (c *chooser) nullNote() string {
	var notes []string
	for _, null := range c.nulls {
		var some []string
		for _, col := range c.columns {
			if col.profile != nil && col.profile.texts.missed[null] != nil {
				some = append(some, col.name)
			}
		}
		note := "in " + plural.Of(len(some), "column")
		if len(some) == 1 {
			note = "in " + shown(some[0])
		}
		if len(c.nulls) > 1 {
			note = shown(null) + " " + note
		}
		if null == `\N` && c.hasBackslashes() {
			note += "; other backslashes, such as of PostgreSQL's COPY, stay in the values"
		}
		notes = append(notes, note)
	}
	return strings.Join(notes, ", ")
}

// asComment returns the feature as a comment, with the reason.
func (f feature) asComment(why string) feature {
	f.note, f.skipped = why, true
	return f
}
