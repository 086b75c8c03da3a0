package infer

import (
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// A feature is a line of the block `features`, or a comment in its place.
type feature struct {
	key     string
	spec    string // the text after the key
	note    string // the reason for the spec
	skipped bool   // the line is a comment
	fill    string // a value in place of a missing one

	fallback fallback // why it is skipped, if it could be used
	moves    string   // keys of `convert` that move its coordinates with the images
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
type spec struct {
	keys []string
	fill string // a value in place of a missing one; empty for 0
}

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
	nulls []string  // words that mean missing in the source, for null_values
	by    string    // column whose equal values stay in one split; empty for none
	split string    // column with the names of splits; empty for none
	list  []feature // of the current column
}

// newChooser finds the settings for all columns: the words that mean missing, and the columns that
// decide the split. If own is true, the source lists the words that mean missing; otherwise each feature lists its own.
func newChooser(s *summary, own bool) *chooser {
	c := &chooser{summary: s}
	if nulls := s.findNullWords(); own {
		c.nulls = nulls
	}
	for _, col := range s.columns {
		if col.skipReason == "" && c.split == "" && s.namesSplits(col) {
			c.split = col.name
		}
	}
	if c.split == "" && s.typ.Rows != input.Lists {
		c.by = s.groupColumn(10, namesGroup)
	}
	return c
}

// areNulls reports whether the source says that the words mean missing.
func (c *chooser) areNulls(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(c.nulls, w) })
}

// profileOf returns the profile of a column.
func (c *chooser) profileOf(name string) *profile {
	return c.columns[slices.IndexFunc(c.columns, func(col *columnSummary) bool { return col.name == name })].profile
}

// nullNote says which columns have words that mean missing.
func (c *chooser) nullNote() string {
	var some []string
	for _, col := range c.columns {
		if col.profile != nil && len(col.profile.texts.missed) > 0 {
			some = append(some, col.name)
		}
	}
	if len(some) == 1 {
		return "in " + shown(some[0])
	}
	return "in " + plural.Of(len(some), "column")
}

// asComment returns the feature as a comment, with the reason.
func (f feature) asComment(spec, why string) feature {
	f.spec, f.note, f.skipped = spec, "skipped: "+why, true
	return f
}
