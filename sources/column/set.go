package column

import (
	"slices"
	"strings"

	"tfr-build/expr"
)

// A Step is the step that makes a column.
type Step uint8

// The steps, in order.
const (
	Own         Step = iota // the source type itself
	FromPath                // a group of the pattern
	Constant                // set
	FileName                // @file
	Source                  // @source
	Split                   // @split
	Offset                  // @offset
	RowID                   // @id
	Join                    // a lookup table
	Load                    // a file that the row names
	Follow                  // coordinates follow their image; masks in runs become images
	RecordStep              // @step
	RecordSteps             // @steps
	Computed                // derive: an expression over other columns
)

// A Column is where a column comes from, and what is known about it without its values.
type Column struct {
	Step  Step
	Index int      // of FromPath the group; of Constant, Join, Load, and Computed the index of the step
	Name  string   // the name in its step: before rename, without a prefix
	From  string   // what made it, for messages
	Path  string   // path of the file of an array; empty if each row is in one file
	Nulls []string // sorted: strings that mean a missing value, unless a feature sets its own

	Type    string // type of features that do not set one; may be empty
	Shape   []int  // shape of features that do not set one, if Type is set; nil for single values
	Depth   int    // number of lists around a value, if the file has the Type
	Array   bool   // a column of an array: only its file has Type and Shape
	Content bool   // the bytes of a file
	Image   bool   // of an image file
	List    bool   // has lists, from a lookup table with many matches, an expression, or a load of several files
	MayList bool   // of Load, Computed, and Follow: may have lists in some rows
	Again   bool   // the file has other columns of this name, which are not read
	Weak    bool   // a column of from_path replaces it
	Origin  bool   // says where a row comes from, such as a path, and not what it contains
	Follows bool   // its values change with the image
	InGroup bool   // its value is of a row in a record of a group: @step, @steps, or computed from them

	Program *expr.Program // of Computed; nil if it is invalid
	Late    string        // of Computed: the result of Set.Late
	Lacks   string        // of Computed: a column that it needs and that does not exist
}

// Before reports whether the column exists when a step begins.
func (c *Column) Before(step Step, index int) bool {
	return c.Step < step || c.Step == step && c.Index < index
}

// A Set is the columns of a source, as far as they are known.
type Set struct {
	Open     bool // it may have other columns
	NoRows   bool // the source has no rows: any column may be used, though none is known
	Lists    bool // other columns may have lists
	Nested   bool // names may be paths into the source type's own columns
	Repeated bool // a list of values that a row does not have is empty, and does not show that the column exists
	Typed    bool // the files have the types of the source type's own columns

	// Advise returns why the source type may be without a column, and a config line that helps. It may be
	// nil.
	Advise func(name string) (text, hint string)

	// Like returns what is known from the name alone about a column that only the files have. It
	// may be nil.
	Like func(name string) (Column, bool)

	known   map[string]Column
	many    []string          // prefixes of lookup tables with many matches, whose columns only the files have
	names   []string          // of known, in the order of addition
	places  map[string]Column // columns named by position, as @0; a known name takes precedence
	unnamed []string          // of places, in the order of addition
	nulls   []string          // of the source type's columns that are not known
	from    string            // From of these columns
	renamed map[string]string // new name → name before rename
	gone    map[string]bool   // names that rename removed
	joins   []Joined          // lookup tables whose columns may be paths
	follows map[string]bool   // columns that follow an image
	runs    map[string]Column // masks that are made of columns whose paths begin with their name

	replaced map[string]Column // columns that a load replaces, whose path is made from them
}

// NewSet returns a set of the source type's own columns. All are like the given column, except for
// the name.
func NewSet(like Column, names ...string) *Set {
	s := &Set{known: make(map[string]Column, len(names)), nulls: like.Nulls, from: like.From}
	return s.Add(like, names...)
}

// Add adds columns of the source type, except those that exist. Only a typed set has one without a name, which nothing
// reads.
func (s *Set) Add(like Column, names ...string) *Set {
	for _, n := range names {
		if _, there := s.known[n]; !there && (n != "" || s.Typed) {
			like.Name = n
			s.put(n, like)
		}
	}
	return s
}

// AddPositions adds columns that are named by their position.
func (s *Set) AddPositions(like Column, names ...string) *Set {
	for _, n := range names {
		like.Name = n
		s.putPosition(n, like)
	}
	return s
}

func (s *Set) putPosition(name string, c Column) {
	if _, there := s.places[name]; there {
		return
	}
	if s.places == nil {
		s.places = map[string]Column{}
	}
	s.places[name], s.unnamed = c, append(s.unnamed, name)
}

// MayList reports whether a column may have lists.
func (s *Set) MayList(name string) bool {
	c, known := s.Known(name)
	return known && (c.List || c.Array || c.MayList) || !known && s.Open && s.Lists
}

// With returns the set with more columns of the source type itself.
func (s *Set) With(names []string) *Set {
	return s.clone().Add(Column{From: s.from, Nulls: s.nulls}, names...)
}

// IsPosition reports whether a column is named by its position.
func (s *Set) IsPosition(name string) bool {
	_, place := s.places[name]
	_, known := s.known[name]
	return place && !known
}

func (s *Set) put(name string, c Column) {
	if _, there := s.known[name]; !there {
		s.names = append(s.names, name)
	}
	s.known[name] = c
}

// remove removes columns.
func (s *Set) remove(names map[string]bool) {
	for n := range names {
		if s.IsPosition(n) {
			delete(s.places, n)
		}
		delete(s.known, n)
	}
	s.names = slices.DeleteFunc(s.names, func(n string) bool { return names[n] })
}

// Names returns the known columns in the order of addition, without the columns of every source. The
// columns that are named by their position follow.
func (s *Set) Names() []string {
	list := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return s.known[n].From == everySource })
	for _, n := range s.unnamed {
		if s.IsPosition(n) && s.places[n].From != everySource {
			list = append(list, n)
		}
	}
	return list
}

// NamesBefore returns the columns of Names that exist when a step begins.
func (s *Set) NamesBefore(step Step, index int) []string {
	return slices.DeleteFunc(s.Names(), func(n string) bool {
		c, _ := s.Find(n)
		return !c.Before(step, index)
	})
}

// Known returns what is known about the column with exactly this name.
func (s *Set) Known(name string) (Column, bool) {
	if c, ok := s.runs[name]; ok {
		return c, true
	}
	c, ok := s.known[name]
	if !ok && s.Like != nil {
		if own, isNamed := s.beforeRename(name); isNamed {
			c, ok = s.Like(own)
		}
	}
	c.Follows = s.follows[name]
	return c, ok
}

// MayBeMany reports whether a column of the set's files may come from a lookup table with many matches.
func (s *Set) MayBeMany(name string) bool {
	return slices.ContainsFunc(s.many, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// isMany reports whether nothing is known of a column but that it may come from such a table.
func (s *Set) isMany(name string) bool {
	_, known := s.Known(name)
	return !known && s.MayBeMany(name)
}

// Find returns where a column comes from. If the set is open, it may turn out that no row has the
// column. A path into a lookup table's column takes precedence over a column of exactly that name
// from before the join.
func (s *Set) Find(name string) (Column, bool) {
	if c, ok := s.runs[name]; ok {
		return c, true
	}
	c, ok := s.findBefore(name)
	c.Follows = ok && s.follows[name]
	return c, ok
}

// FindBefore returns where a column comes from that a step needs. A load may replace the column that its own path
// needs.
func (s *Set) FindBefore(name string, step Step, index int) (Column, bool) {
	c, ok := s.Find(name)
	if was, replaced := s.replaced[name]; replaced && !c.Before(step, index) {
		return was, true
	}
	return c, ok
}

// findBefore returns what Find returns before columns follow images.
func (s *Set) findBefore(name string) (Column, bool) {
	known, ok := s.known[name]
	for i := range s.joins {
		if ok && !known.Before(Join, s.joins[i].index) {
			break
		}
		if c, ok := s.joins[i].findPath(name, s); ok {
			return c, true
		}
	}
	if ok {
		return known, true
	}
	if place, ok := s.places[name]; ok {
		return place, true
	}
	own, ok := s.beforeRename(name)
	if !ok || !s.Open && !s.NoRows {
		return Column{}, false
	}
	if s.Like != nil {
		if c, ok := s.Like(own); ok {
			c.Name = own
			return c, true
		}
	}
	return Column{Step: Own, Name: own, From: s.from, Nulls: s.nulls}, true
}

// beforeRename returns the name that a column had before rename. If names are paths, renaming a
// column also renames the paths into it. If rename removed the name, ok is false.
func (s *Set) beforeRename(name string) (first string, ok bool) {
	for top := name; ; {
		if was, renamed := s.renamed[top]; renamed {
			return was + name[len(top):], true
		}
		if s.gone[top] {
			return name, false
		}
		dot := strings.LastIndexByte(top, '.')
		if !s.Nested || dot < 0 {
			return name, true
		}
		top = top[:dot]
	}
}
