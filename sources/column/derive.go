package column

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/schema"
)

// Steps are the steps of a source that follow its source type.
type Steps struct {
	FromPath []string // names of the groups of the pattern
	Rename   []Pair   // Key: the column, Value: its new name
	Set      []Pair   // Key: the column, Value: its text
	Join     []Joined
	Load     []LoadedFile
	Follow   []Following
	Derive   []Derived

	Table bool // the rows are of a lookup table: they have no IDs, no split, and no source
}

// A Pair is a name and its value.
type Pair struct {
	Key, Value string
	At         string // path of the key in the config
}

// Joined is a lookup table and how it is joined.
type Joined struct {
	Ours   []string // columns of the row to join on
	Theirs []string // columns of the table to join on, in the same order
	Prefix string   // added to the names of the table's columns
	Names  []string // the table's columns; nil if only the files have them
	Table  *Set     // the table's columns after its steps; nil if nothing is known of them
	Nested bool     // its columns may be paths
	Many   bool     // a row may have many matches, so its columns are lists

	index int
}

// LoadedFile is a file that the row names.
type LoadedFile struct {
	Name    string
	Needs   []string // columns that the path is built from; a list there makes a list of files
	Splits  bool     // strings of the last of these become lists
	Columns []Column // of the file; each name is the suffix that is added to Name
}

// Following are the columns that follow the image of one conversion.
type Following struct {
	Image   string   // column of the images
	Columns []string // coordinates, and lists that belong to them
	Masks   []string // images
	Runs    []string // masks in runs, which become images
}

// A Problem is an error in a step.
type Problem struct {
	Kind   ProblemKind
	Step   Step
	Rename bool // the step is rename, which has no Step constant
	Index  int  // of the pair, join, load, or derived column
	Column string
	Text   string
	Names  []string // existing columns, for a suggestion
	Hint   string   // a config line that helps; may be empty
	At     int      // offset in the expression of a Computed column
}

// A ProblemKind is the kind of a Problem.
type ProblemKind uint8

// The kinds.
const (
	Conflict ProblemKind = iota // two steps make the same column
	Fixed                       // a column cannot be renamed
	NotFound                    // the step's column does not exist
	Unusable                    // the step cannot use its column, or its expression is invalid
)

// RowColumns are the columns of every source with one value per row. A real column of that name takes
// precedence.
var RowColumns = []string{"@offset", "@id"}

// TableColumns are the columns of every lookup table.
var TableColumns = []string{"@file", "@offset"}

// The columns that a row has as part of a record of several rows.
const (
	StepName  = "@step"  // position of the row in the record, from 0
	StepsName = "@steps" // number of rows of the record
)

// Reserved are the columns of every source in whose place a real column of that name is not read.
var Reserved = []string{"@file", "@source", "@split", StepName, StepsName}

// everySource is the From of the columns that begin with @.
const everySource = "every source"

// Derive returns the set own after all steps. It reports errors by calling report, and carries out
// all other steps.
func Derive(own *Set, steps *Steps, report func(Problem)) *Set {
	d := &deriver{set: own.clone(), report: report}
	for i, name := range Reserved[:3] {
		if !steps.Table || slices.Contains(TableColumns, name) {
			d.set.put(name, Column{Step: FileName + Step(i), Name: name, From: everySource, Origin: true})
		}
	}
	for i, name := range Reserved[3:] {
		if !steps.Table {
			d.set.put(name, Column{Step: RecordStep + Step(i), Name: name, From: everySource, Origin: true,
				InGroup: true})
		}
	}
	for i, name := range RowColumns {
		if !steps.Table || slices.Contains(TableColumns, name) {
			d.set.putPosition(name, Column{Step: Offset + Step(i), Name: name, From: everySource, Origin: true})
		}
	}
	d.groups = steps.FromPath
	d.addFromPath(steps.FromPath)
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
	for i := range steps.Follow {
		d.follow(i, &steps.Follow[i])
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

// A deriver is a set on which steps are carried out.
type deriver struct {
	set    *Set
	groups []string // of from_path
	report func(Problem)
}

// add adds a column. It is a Clash if the name exists.
func (d *deriver) add(name string, c Column) {
	if was, there := d.set.known[name]; there {
		d.reportClash(Problem{Step: c.Step, Index: c.Index, Column: name}, was.From, c.From)
	}
	d.set.put(name, c)
}

func (d *deriver) reportClash(f Problem, was, now string) {
	was = cmp.Or(was, "the source itself")
	f.Text = fmt.Sprintf("column %s comes from %s and from %s", schema.Quote(f.Column), was, now)
	if c := (Column{Step: f.Step, Index: f.Index, From: now}); !f.Rename {
		f.Hint = c.OtherName()
	}
	d.report(f)
}

// OtherName returns the config line that avoids a name conflict with another column. It returns an
// empty string if the step itself chooses the name.
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

func (d *deriver) reportMissing(f Problem, text string) {
	f.Kind, f.Text, f.Names = NotFound, text, d.set.Names()
	d.report(f)
}

func (d *deriver) reportUnfit(f Problem, what string) {
	f.Kind, f.Text = Unusable, fmt.Sprintf("the column %q is %s", f.Column, what)
	d.report(f)
}

func (d *deriver) addFromPath(names []string) {
	for i, n := range names {
		c := Column{Step: FromPath, Index: i, Name: n, From: "from_path"}
		if d.set.known[n].Weak {
			d.set.put(n, c)
		} else {
			d.add(n, c)
		}
	}
}

// rename renames columns, all at the same time.
func (d *deriver) rename(pairs []Pair) {
	s := d.set
	was := make([]Column, len(pairs))
	gone := map[string]bool{}
	for i, p := range pairs {
		c, there := s.known[p.Key]
		// The rows of an open set may have a column with the name of a row column.
		if s.IsPosition(p.Key) && (s.places[p.Key].From != everySource || !s.Open) {
			c, there = s.places[p.Key], true
		}
		f := Problem{Rename: true, Index: i, Column: p.Key}
		switch {
		case !there && !s.Open:
			d.reportMissing(f, fmt.Sprintf("no column %s to rename", schema.Quote(p.Key)))
		case c.From == everySource:
			f.Kind, f.Text = Fixed, p.Key+" keeps its name"
			d.report(f)
		case !there:
			c = Column{Step: Own, Name: p.Key, Nulls: s.nulls}
		}
		c.From = "rename"
		// A column with the name of a from_path group has no nulls.
		if c.Nulls = s.nulls; slices.Contains(d.groups, p.Value) {
			c.Nulls = nil
		}
		was[i], gone[p.Key] = c, true
	}
	s.remove(gone)
	s.gone, s.renamed = gone, map[string]string{}
	for i, p := range pairs {
		if before, there := s.known[p.Value]; there {
			d.reportClash(Problem{Rename: true, Index: i, Column: p.Value}, before.From, "rename")
		}
		s.put(p.Value, was[i])
		s.renamed[p.Value] = was[i].Name
	}
}

// join adds the columns of a lookup table, except the columns joined on.
func (d *deriver) join(i int, j *Joined) {
	s, ours := d.set, false
	for _, name := range j.Ours {
		ours = d.checkJoinColumn(i, j, name) || ours
	}
	if j.Names == nil {
		s.Open = true
		s.Nested = s.Nested || j.Nested
		s.Lists = s.Lists || j.Many || j.Nested || ours
		if j.Many || ours || slices.ContainsFunc(j.Ours, s.isMany) {
			s.many = append(slices.Clip(s.many), j.Prefix)
		}
		return
	}
	from := fmt.Sprintf("join %d", i+1)
	added := SetOf(j.Theirs)
	added[""] = true
	for _, n := range j.Names {
		c := Column{Step: Join, Index: i, Name: n, From: from, List: j.Many || ours}
		if j.Table != nil {
			theirs := j.Table.known[n]
			c.Type, c.Content, c.Image = theirs.Type, theirs.Content, theirs.Image
			if theirs.Step == Computed {
				c.List, c.MayList = c.List || theirs.List, theirs.MayList
			}
		}
		switch {
		case added[n]:
		case slices.Contains(TableColumns, n) && j.Prefix != "":
			d.add(j.Prefix+n, c)
			c.From = everySource // which lists of columns do not have
			s.put(j.Prefix+n, c)
		case slices.Contains(TableColumns, n): // the rows have it, too
		case j.Table == nil || !j.Table.IsPosition(n):
			d.add(j.Prefix+n, c)
		case j.Prefix != "": // without a prefix, the name would mean a position in the row
			s.putPosition(j.Prefix+n, c)
		}
		added[n] = true
	}
	if j.Nested {
		table := *j
		table.index = i
		s.joins = append(slices.Clip(s.joins), table)
	}
}

// checkJoinColumn reports a column of the row that cannot be joined on. The result list reports
// whether the column has lists.
func (d *deriver) checkJoinColumn(i int, j *Joined, name string) (list bool) {
	c, ok := d.set.Find(name)
	list = d.set.IsList(&c)
	takes := ""
	switch {
	case j.Many:
		takes = "a join with many takes one string of each row"
	case len(j.Ours) > 1:
		takes = "a join on several columns takes one string of each"
	}
	f := Problem{Step: Join, Index: i, Column: name}
	switch {
	case name == "":
	case !ok:
		d.reportMissing(f, fmt.Sprintf("no column %s to join on", schema.Quote(name)))
	case takes != "" && c.List:
		d.reportUnfit(f, fmt.Sprintf("a list, of join %d; %s", c.Index+1, takes))
	case takes != "" && list:
		d.reportUnfit(f, "a list, since its path has a *; "+takes)
	case c.Content:
		d.reportUnfit(f, "the content of a file; a join takes one string of each row")
	}
	return list
}

// TableNames returns the names of a lookup table's columns, including the columns of every table.
func (s *Set) TableNames(own []string) []string {
	var names []string
	added := map[string]bool{}
	for _, list := range [][]string{own, s.Names(), TableColumns} {
		for _, n := range list {
			if !added[n] {
				names, added[n] = append(names, n), true
			}
		}
	}
	return names
}

// IsList reports whether a column is known to have lists. It has if it comes from a lookup table
// with many matches, or if its path has a *.
func (s *Set) IsList(c *Column) bool {
	return c.List || s.Nested && c.Step == Own && slices.Contains(strings.Split(c.Name, "."), "*")
}

// findPath returns the column of a name that is a path into one of the table's columns.
func (j *Joined) findPath(name string, s *Set) (Column, bool) {
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

// follow marks columns that follow an image. Their values must be of the row: the input, a lookup
// table, or for masks a file that the row names has them.
func (d *deriver) follow(i int, of *Following) {
	follows := maps.Clone(d.set.follows)
	if follows == nil {
		follows = map[string]bool{}
	}
	runs, masks := SetOf(of.Runs), SetOf(of.Masks)
	for _, name := range slices.Concat(of.Columns, of.Masks) {
		if runs[name] {
			continue // boxes drop elements of masks in runs
		}
		f := Problem{Step: Follow, Index: i, Column: name}
		isMask := masks[name]
		switch c, ok := d.set.Find(name); {
		case d.isList(of.Image):
			f.Text = fmt.Sprintf("the images of %s are in lists; boxes, points, polygons, and masks follow a single "+
				"image", of.Image)
			d.report(f)
		case !ok:
			d.reportMissing(f, "no column "+schema.Quote(name))
		case c.Follows:
			f.Text = fmt.Sprintf("the column %q follows two images", name)
			d.report(f)
		case !isMask && c.Image:
			d.reportUnfit(f, "an image; expected coordinates")
		case isMask && c.Step == Load && !c.Content:
			d.reportUnfit(f, "from "+c.From+"; expected an image")
		case c.Step != Own && c.Step != Join && !(isMask && c.Step == Load):
			d.reportUnfit(f, "from "+c.From+"; expected one of the rows or of a lookup table")
		default:
			follows[name] = true
		}
	}
	d.set.follows = follows
	for _, name := range of.Runs {
		d.addRuns(i, name)
	}
}

// isList reports whether a column is known to have lists.
func (d *deriver) isList(name string) bool {
	c, _ := d.set.Find(name)
	return d.set.IsList(&c)
}

// addRuns adds the column of masks whose runs are in the columns counts and size below its name. It has
// lists if these have.
func (d *deriver) addRuns(i int, name string) {
	if before, ok := d.set.Find(name); ok && before.Follows {
		d.report(Problem{Step: Follow, Index: i, Column: name,
			Text: fmt.Sprintf("the column %q follows two images", name)})
	}
	c := Content()
	c.Step, c.Index, c.Name, c.From, c.Image, c.Follows = Follow, i, name, "masks", true, true
	for _, part := range []string{name + ".counts", name + ".size"} {
		found, ok := d.set.Find(part)
		if !ok {
			d.reportMissing(Problem{Step: Follow, Index: i, Column: name}, "no column "+schema.Quote(part))
		}
		c.List, c.MayList = c.List || d.set.IsList(&found), c.MayList || d.set.MayList(part)
	}
	if d.set.runs == nil {
		d.set.runs = map[string]Column{}
	}
	d.set.runs[name] = c
}

// load adds the columns of a file that the row names, or of a list of files.
func (d *deriver) load(i int, l *LoadedFile) {
	list, mayList, typed := "", false, false
	for k, n := range l.Needs {
		f := Problem{Step: Load, Index: i, Column: n}
		c, ok := d.set.FindBefore(n, Load, 0)
		isList := d.set.IsList(&c) || l.Splits && k == len(l.Needs)-1
		switch {
		case !ok:
			d.reportMissing(f, fmt.Sprintf("no column %s", schema.Quote(n)))
		case !c.Before(Load, 0):
			d.reportMissing(f, fmt.Sprintf("column %s comes from %s; a path takes columns that no load makes",
				schema.Quote(n), c.From))
		case isList && list != "":
			d.reportUnfit(f, fmt.Sprintf("a list, and so is %q; a path takes one list", list))
		case isList:
			list = n
		}
		mayList = mayList || d.set.MayList(n)
		typed = typed || d.set.Typed && c.Step == Own // its file tells whether it has lists
	}
	for _, c := range l.Columns {
		c.Name = l.Name + c.Name
		c.Step, c.Index, c.From, c.Nulls = Load, i, "load."+l.Name, d.set.nulls
		if c.Array, c.MayList = c.Array || typed, mayList; list != "" {
			c = c.InList()
		}
		if was, ok := d.set.FindBefore(l.Name, Load, 0); ok && c.Name == l.Name && slices.Contains(l.Needs, l.Name) {
			d.replace(was, c)
		} else {
			d.add(c.Name, c)
		}
	}
}

// replace replaces a column by the column of a load.
func (d *deriver) replace(was, by Column) {
	if d.set.replaced == nil {
		d.set.replaced = map[string]Column{}
	}
	d.set.replaced[by.Name] = was
	d.set.put(by.Name, by)
}

// InList returns the column with a list of its values in each row.
func (c Column) InList() Column {
	if c.List = true; c.Array {
		c.Shape = append([]int{-1}, c.Shape...)
	}
	return c
}

// SetOf returns the set of names.
func SetOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
