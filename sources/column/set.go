package column

import (
	"slices"
	"strings"

	"tfr-build/expr"
)

// A Step is what makes a column.
type Step uint8

// The steps, in their order.
const (
	Own      Step = iota // the kind itself
	FromPath             // a group of the pattern
	Constant             // set
	FileName             // @file
	Source               // @source
	Split                // @split
	Join                 // a side table
	Load                 // a file that the row names
	Computed             // derive: an expression over other columns
)

// A Column is where a column comes from, and what is known of it without its
// values.
type Column struct {
	Step  Step
	Index int      // of FromPath the group, of Constant, Join, Load and Computed the number of the step
	Name  string   // as its step calls it: before rename, without a prefix
	From  string   // what made it, for messages
	Nulls []string // texts that mean missing, unless a feature says others

	Type    string // of features, where nothing else fits; else empty
	Shape   []int  // likewise, of a column whose Type the file tells; nil of single values
	Depth   int    // how many lists a value is in, where the file tells Type
	Array   bool   // a column of an array: its file tells Type and Shape, and nothing else does
	Content bool   // the bytes of a file
	Image   bool   // of an image file
	List    bool   // lists, from a side table with many matches
	Weak    bool   // gives way to one of from_path
	Origin  bool   // says where a row is from, such as the path of its file, and not what it is

	Program *expr.Program // of Computed; nil where it cannot be made
	Late    string        // of Computed: the column that makes it known too late, see Set.Late
	Lacks   string        // of Computed: the column that it cannot be made without, and is not there
}

// Before reports whether the column is there when a step begins.
func (c *Column) Before(step Step, index int) bool {
	return c.Step < step || c.Step == step && c.Index < index
}

// A Set is the columns of a source, as far as they are known.
type Set struct {
	Open   bool // there may be other columns
	NoRows bool // there is no row: any column may be asked for, though none is known
	Lists  bool // others may hold lists
	Nested bool // names may be paths into columns of the kind's own
	Typed  bool // the files tell the types of the kind's own columns
	Many   bool // others may be of a side table with many matches

	// Advise says why the kind may lack a column, and what key helps. It may
	// be nil.
	Advise func(name string) (text, hint string)

	// Like says what is known of a column of the kind's own by its name alone, of those
	// that only the files tell. It may be nil.
	Like func(name string) (Column, bool)

	known   map[string]Column
	names   []string          // of known, in the order in which they came
	places  map[string]Column // named by their place, as @0: any other of that name goes before
	unnamed []string          // of places, in the order in which they came
	nulls   []string          // of the kind's own columns that are not known
	from    string            // what makes those
	renamed map[string]string // name → the name before
	gone    map[string]bool   // names that rename took away
	joins   []Joined          // side tables whose columns may be paths
}

// NewSet is the kind's own columns: those of names, all alike but for the name.
func NewSet(like Column, names ...string) *Set {
	s := &Set{known: make(map[string]Column, len(names)), nulls: like.Nulls, from: like.From}
	return s.Add(like, names...)
}

// Add adds columns of the kind's own; those that are there are left alone.
func (s *Set) Add(like Column, names ...string) *Set {
	for _, n := range names {
		if _, there := s.known[n]; !there && n != "" {
			like.Name = n
			s.put(n, like)
		}
	}
	return s
}

// AddPlaces adds columns that are named by their place.
func (s *Set) AddPlaces(like Column, names ...string) *Set {
	for _, n := range names {
		like.Name = n
		s.putPlace(n, like)
	}
	return s
}

func (s *Set) putPlace(name string, c Column) {
	if _, there := s.places[name]; there {
		return
	}
	if s.places == nil {
		s.places = map[string]Column{}
	}
	s.places[name], s.unnamed = c, append(s.unnamed, name)
}

// IsPlace reports whether a column is named by its place.
func (s *Set) IsPlace(name string) bool {
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

// remove takes columns away.
func (s *Set) remove(names map[string]bool) {
	for n := range names {
		if s.IsPlace(n) {
			delete(s.places, n)
		}
		delete(s.known, n)
	}
	s.names = slices.DeleteFunc(s.names, func(n string) bool { return names[n] })
}

// Names are the columns that are known, in the order in which they came, without
// those of every source; then those that are named by their place.
func (s *Set) Names() []string {
	list := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return s.known[n].From == everySource })
	for _, n := range s.unnamed {
		if s.IsPlace(n) {
			list = append(list, n)
		}
	}
	return list
}

// Known is what is known of a column by its whole name.
func (s *Set) Known(name string) (Column, bool) {
	if c, ok := s.known[name]; ok || s.Like == nil {
		return c, ok
	}
	own, ok := s.beforeRename(name)
	if !ok {
		return Column{}, false
	}
	return s.Like(own)
}

// Find is where a column comes from. In an open set it may turn out that no row
// has it. A path into a side table's column goes before a column of that whole
// name that was there before the join.
func (s *Set) Find(name string) (Column, bool) {
	known, ok := s.known[name]
	for i := range s.joins {
		if ok && !known.Before(Join, s.joins[i].index) {
			break
		}
		if c, ok := s.joins[i].path(name, s); ok {
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

// beforeRename is the name that column name had at first; where names are paths,
// a column takes those below it along. It is not ok where rename left no column
// of that name.
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
