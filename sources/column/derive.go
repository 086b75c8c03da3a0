package column

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/schema"
)

// Steps are what a source makes of its kind's columns.
type Steps struct {
	FromPath []string // the groups of the pattern
	Rename   []Pair   // Key: the column, Value: its other name
	Set      []Pair   // Key: the column, Value: its text
	Join     []Joined
	Load     []Loaded
	Derive   []Derived
}

// A Pair is a name and what it is given.
type Pair struct{ Key, Value string }

// Joined is a side table.
type Joined struct {
	Ours   string                 // the row's column that is joined on
	Theirs string                 // the table's
	Prefix string                 // of the names of its columns
	Names  []string               // the table's columns; nil where only the files tell
	Places func(name string) bool // which of them are named by their place; nil for none
	Nested bool                   // its columns may be paths
	Many   bool                   // its columns are lists

	index int
}

// Loaded is a file that the row names.
type Loaded struct {
	Name    string
	Needs   []string // columns that the path is made of
	Columns []Column // of the file, each named by what follows Name
}

// A Fault is what a step cannot do.
type Fault struct {
	Kind   FaultKind
	Step   Step
	Rename bool // Step is rename, which makes none
	Index  int  // of the pair, the join, the load or the derived column
	Column string
	Text   string
	Names  []string // that were there, for the one that was meant
	Hint   string   // what else helps
	At     int      // of Computed: the byte of the expression
}

// A FaultKind tells faults that spoil the set from those that spoil a step.
type FaultKind uint8

// The faults.
const (
	Clash   FaultKind = iota // a column comes from two places
	Fixed                    // a column keeps its name
	Lacking                  // the step's column is not there
	Unfit                    // the step cannot take its column, or its expression is faulty
)

// everySource is what makes the columns that begin with @.
const everySource = "every source"

// Derive is own after all steps. It calls fault for what a step cannot do, and
// does the rest.
func Derive(own *Set, steps *Steps, fault func(Fault)) *Set {
	d := &deriver{set: own.clone(), fault: fault}
	for i, name := range []string{"@file", "@source", "@split"} {
		d.set.put(name, Column{Step: FileName + Step(i), Name: name, From: everySource, Origin: true})
	}
	d.groups = steps.FromPath
	d.fromPath(steps.FromPath)
	d.rename(steps.Rename)
	for i, p := range steps.Set {
		d.add(p.Key, Column{Step: Constant, Index: i, Name: p.Key, From: "set"})
	}
	for i := range steps.Join {
		d.join(i, &steps.Join[i])
	}
	for i := range steps.Load {
		d.load(i, &steps.Load[i])
	}
	for i := range steps.Derive {
		d.derive(i, &steps.Derive[i])
	}
	return d.set
}

func (s *Set) clone() *Set {
	c := *s
	c.known, c.names = maps.Clone(s.known), slices.Clone(s.names)
	c.places, c.unnamed = maps.Clone(s.places), slices.Clone(s.unnamed)
	return &c
}

// A deriver is a set on its way through the steps.
type deriver struct {
	set    *Set
	groups []string // of from_path
	fault  func(Fault)
}

// add adds a column, which must not be there.
func (d *deriver) add(name string, c Column) {
	if was, there := d.set.known[name]; there {
		d.clash(Fault{Step: c.Step, Index: c.Index, Column: name}, was.From, c.From)
	}
	d.set.put(name, c)
}

func (d *deriver) clash(f Fault, was, now string) {
	f.Text = fmt.Sprintf("column %s comes from %s and from %s", schema.Quote(f.Column), was, now)
	if c := (Column{Step: f.Step, Index: f.Index, From: now}); !f.Rename {
		f.Hint = c.OtherName()
	}
	d.fault(f)
}

// OtherName is what to write, so that a column does not have the name of another; empty
// where the step itself says the name.
func (c *Column) OtherName() string {
	name, isLoad := strings.CutPrefix(c.From, "load.")
	switch {
	case c.Step == Join:
		return fmt.Sprintf("in join %d: prefix: join%[1]d_", c.Index+1)
	case c.Step == Load && isLoad:
		return fmt.Sprintf("load: {%s_file: …} instead of load: {%[1]s: …}", name)
	}
	return ""
}

func (d *deriver) lacking(f Fault, text string) {
	f.Kind, f.Text, f.Names = Lacking, text, d.set.Names()
	d.fault(f)
}

func (d *deriver) unfit(f Fault, what string) {
	f.Kind, f.Text = Unfit, fmt.Sprintf("the column %q is %s", f.Column, what)
	d.fault(f)
}

func (d *deriver) fromPath(names []string) {
	for i, n := range names {
		c := Column{Step: FromPath, Index: i, Name: n, From: "from_path"}
		if d.set.known[n].Weak {
			d.set.put(n, c)
		} else {
			d.add(n, c)
		}
	}
}

// rename gives columns their other names, all at once.
func (d *deriver) rename(pairs []Pair) {
	s := d.set
	was := make([]Column, len(pairs))
	gone := map[string]bool{}
	for i, p := range pairs {
		c, there := s.known[p.Key]
		if s.IsPlace(p.Key) {
			c, there = s.places[p.Key], true
		}
		f := Fault{Rename: true, Index: i, Column: p.Key}
		switch {
		case !there && !s.Open:
			d.lacking(f, fmt.Sprintf("no column %s to rename", schema.Quote(p.Key)))
		case c.From == everySource:
			f.Kind, f.Text = Fixed, p.Key+" keeps its name"
			d.fault(f)
		case !there:
			c = Column{Step: Own, Name: p.Key, Nulls: s.nulls}
		}
		c.From = "rename"
		if c.Nulls = s.nulls; slices.Contains(d.groups, p.Value) { // the name decides, not where it is from
			c.Nulls = nil
		}
		was[i], gone[p.Key] = c, true
	}
	s.remove(gone)
	s.gone, s.renamed = gone, map[string]string{}
	for i, p := range pairs {
		if before, there := s.known[p.Value]; there {
			d.clash(Fault{Rename: true, Index: i, Column: p.Value}, before.From, "rename")
		}
		s.put(p.Value, was[i])
		s.renamed[p.Value] = was[i].Name
	}
}

// join adds the columns of a side table, but for the one joined on.
func (d *deriver) join(i int, j *Joined) {
	s := d.set
	c, ok := s.Find(j.Ours)
	ours := s.IsList(&c)
	f := Fault{Step: Join, Index: i, Column: j.Ours}
	switch {
	case j.Ours == "":
	case !ok:
		d.lacking(f, fmt.Sprintf("no column %s to join on", schema.Quote(j.Ours)))
	case j.Many && c.List:
		d.unfit(f, fmt.Sprintf("a list, of join %d; a join with many: true takes one text of each row", c.Index+1))
	case j.Many && ours:
		d.unfit(f, "a list, since its path has a *; a join with many: true takes one text of each row")
	case c.Content:
		d.unfit(f, "the content of a file; a join takes one text of each row")
	}
	if j.Names == nil {
		s.Open = true
		s.Nested = s.Nested || j.Nested
		s.Lists = s.Lists || j.Many || j.Nested || ours
		s.Many = s.Many || j.Many || ours
		return
	}
	from := fmt.Sprintf("join %d", i+1)
	added := map[string]bool{"": true, j.Theirs: true}
	for _, n := range j.Names {
		c := Column{Step: Join, Index: i, Name: n, From: from, List: j.Many || ours}
		switch {
		case added[n]:
		case j.Places == nil || !j.Places(n):
			d.add(j.Prefix+n, c)
		case j.Prefix != "": // without one it would be taken for a place in the row
			s.putPlace(j.Prefix+n, c)
		}
		added[n] = true
	}
	if j.Nested {
		table := *j
		table.index = i
		s.joins = append(slices.Clip(s.joins), table)
	}
}

// IsList reports whether a column is known to hold lists: of a side table, or those
// of a path with a *.
func (s *Set) IsList(c *Column) bool {
	return c.List || s.Nested && c.Step == Own && slices.Contains(strings.Split(c.Name, "."), "*")
}

// path is the column of a name that is a path into one of the table's.
func (j *Joined) path(name string, s *Set) (Column, bool) {
	if len(name) <= len(j.Prefix) || name[:len(j.Prefix)] != j.Prefix {
		return Column{}, false
	}
	for at := len(j.Prefix); at < len(name); at++ {
		if name[at] != '.' {
			continue
		}
		if c, ok := s.known[name[:at]]; ok && c.Step == Join && c.Index == j.index {
			c.Name = name[len(j.Prefix):]
			return c, true
		}
		break
	}
	return Column{}, false
}

// load adds the columns of a file that the row names.
func (d *deriver) load(i int, l *Loaded) {
	for _, n := range l.Needs {
		f := Fault{Step: Load, Index: i, Column: n}
		switch c, ok := d.set.Find(n); {
		case !ok:
			d.lacking(f, fmt.Sprintf("no column %s", schema.Quote(n)))
		case !c.Before(Load, 0):
			d.lacking(f, fmt.Sprintf("column %s comes from %s; a path takes columns that no load makes", schema.Quote(n), c.From))
		}
	}
	for _, c := range l.Columns {
		c.Name = l.Name + c.Name
		c.Step, c.Index, c.From, c.Nulls = Load, i, "load."+l.Name, d.set.nulls
		d.add(c.Name, c)
	}
}
