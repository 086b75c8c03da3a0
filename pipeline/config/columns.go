package config

import (
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
)

// A column is what is known of one without the files.
type column struct {
	from    string // the step that made it
	fixed   string // its type, where nothing else fits; empty otherwise
	content bool   // the bytes of a file
	image   bool   // of an image file
	list    bool   // lists, from a side table with many matches
}

// imageFacts are the columns of an image. The first is its content.
var imageFacts = []struct {
	suffix string
	column column
}{
	{"", column{fixed: "bytes", content: true, image: true}},
	{".format", column{fixed: "bytes"}},
	{".height", column{fixed: "int64"}},
	{".width", column{fixed: "int64"}},
	{".channels", column{fixed: "int64"}},
	{".colorspace", column{fixed: "bytes"}},
	{".orientation", column{fixed: "int64"}},
}

const (
	ofEverySource = "every source"
	ofTheFolder   = "the folder"
)

// A columnSet is what is known of a source's columns without its files.
type columnSet struct {
	known  map[string]column
	open   bool // there may be others
	lists  bool // others may be lists
	nested bool // others may be paths into JSON
	many   bool // others may be of a side table with many matches
}

// columnSets are what is known of the columns of all sources.
type columnSets []*columnSet

func (c *columnSet) put(name, from string, what column) {
	what.from = from
	c.known[name] = what
}

func (c *columnSet) names() []string {
	var names []string
	for name := range c.known {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// own are the columns of the kind itself.
func (s *Source) own() *columnSet {
	c := &columnSet{known: map[string]column{}}
	for _, name := range []string{"@file", "@source", "@split"} {
		c.put(name, ofEverySource, column{})
	}
	switch options := s.Kind.Options.(type) {
	case *CSV:
		c.open = options.Columns == nil
		for _, name := range options.Columns {
			c.put(name, "csv.columns", column{})
		}
	case *JSONL:
		c.open, c.nested, c.lists = true, true, true
	case *Images:
		for _, fact := range imageFacts {
			c.put("image"+fact.suffix, "images", fact.column)
		}
		c.folder()
	case *Folder:
		c.put("content", "folder", column{fixed: "bytes", content: true})
		c.folder()
	default:
		c.open = true // there is no kind, which is a fault of its own
	}
	return c
}

// folder puts the columns that rows have since they are files.
func (c *columnSet) folder() {
	for _, name := range []string{"path", "filename", "stem", "class"} {
		c.put(name, ofTheFolder, column{})
	}
}

// columns is what is known of the columns of s when all its steps are done. A
// step that makes a column that is there is a fault.
func (s *Source) columns(f *faults) *columnSet {
	c := s.own()
	c.fromPath(f, subPath(s.At, "from_path"), s.FromPath)
	c.rename(f, s)
	for _, q := range s.Set {
		c.clash(f, q.At, q.Key)
		c.put(q.Key, "set", column{})
	}
	for i := range s.Join {
		c.joined(f, &s.Join[i])
	}
	for i := range s.Load {
		c.loaded(f, &s.Load[i])
	}
	return c
}

func (c *columnSet) fromPath(f *faults, path, text string) {
	pattern, err := sources.ParsePathPattern(text)
	if err != nil || !f.fine(path) {
		return
	}
	for _, name := range pattern.Columns() {
		if name != "class" || c.known[name].from != ofTheFolder { // it takes the place of that
			c.clash(f, path, name)
		}
		c.put(name, "from_path", column{})
	}
}

func (c *columnSet) clash(f *faults, path, name string) {
	if before, have := c.known[name]; have {
		f.bad(path, "duplicate column %s; the first is from %s", quoteValue(name), before.from)
	}
}

// rename gives columns their other names, all at once.
func (c *columnSet) rename(f *faults, s *Source) {
	before := map[string]column{}
	for _, q := range s.Rename {
		was, have := c.known[q.Key]
		switch {
		case !have && !c.open:
			f.hinted(q.At, didYouMean(nearest.Of(q.Key, c.names())), "no column %s to rename", quoteValue(q.Key))
		case was.from == ofEverySource:
			f.bad(q.At, "%s keeps its name", q.Key)
		}
		before[q.Key] = was
	}
	for _, q := range s.Rename { // before any name is taken: a: b and b: a exchange two
		delete(c.known, q.Key)
	}
	for _, q := range s.Rename {
		if !isLine(q.Value) {
			f.bad(q.At, "found %s; expected the name of a column", quoteValue(q.Value))
		}
		c.clash(f, q.At, q.Value)
		c.put(q.Value, "rename", before[q.Key])
	}
}

// joined adds the columns of a side table, except the one joined on.
func (c *columnSet) joined(f *faults, j *Join) {
	if _, have := c.known[j.On.Ours]; !have && !c.open && j.On.Ours != "" && f.fine(j.At+".on") {
		f.hinted(j.At+".on", didYouMean(nearest.Of(j.On.Ours, c.names())), "no column %s to join on", quoteValue(j.On.Ours))
	}
	columns := j.Kind.columns()
	if columns == nil {
		_, isJSON := j.Kind.Options.(*JSONL)
		c.open = true
		c.nested = c.nested || isJSON
		c.lists = c.lists || j.Many || isJSON
		c.many = c.many || j.Many
		return
	}
	var names []string
	for _, name := range columns {
		if name != j.On.Theirs && !slices.Contains(names, j.Prefix+name) {
			names = append(names, j.Prefix+name)
		}
	}
	for _, name := range names {
		c.clash(f, j.At, name)
		c.put(name, "the join on "+j.On.Ours, column{list: j.Many})
	}
}

// columns are those that a load makes.
func (l *Loaded) columns() []string {
	names := []string{l.Name}
	if l.As == "image" {
		for _, fact := range imageFacts[1:] {
			names = append(names, l.Name+fact.suffix)
		}
	}
	return names
}

func (c *columnSet) loaded(f *faults, l *Loaded) {
	if template, err := sources.ParseTemplate(l.Path); err == nil {
		for _, name := range template.Columns() {
			if _, have := c.known[name]; !have && !c.open {
				f.hinted(l.At+".path", didYouMean(nearest.Of(name, c.names())), "no column %s", quoteValue(name))
			}
		}
	}
	names := l.columns()
	for _, name := range names {
		c.clash(f, l.At, name)
	}
	for i, name := range names {
		what := imageFacts[i].column
		what.image = what.image && l.As == "image"
		c.put(name, "load", what)
	}
}

// notLoaded refuses a column that is known too late to tell where a row goes.
func (c *checker) notLoaded(path, name string, s *Source) {
	for i := range s.Load {
		if slices.Contains(s.Load[i].columns(), name) {
			c.bad(path, "the column %s is loaded; expected one that the row itself has", quoteValue(name))
		}
	}
	if name == "@split" {
		c.bad(path, "@split is known only when the rows are split; expected another column")
	}
}

// each reports what all sources know alike of a column: the zero column where
// they do not agree, or one does not know it.
func (sets columnSets) each(name string) column {
	var all column
	for i, set := range sets {
		what := set.known[name]
		if i == 0 {
			all = what
			continue
		}
		if all.fixed != what.fixed {
			all.fixed = ""
		}
		all.content = all.content && what.content
		all.image = all.image && what.image
		all.list = all.list || what.list
	}
	return all
}

// mayList reports whether a column may hold lists in some source.
func (sets columnSets) mayList(name string) bool {
	return slices.ContainsFunc(sets, func(set *columnSet) bool {
		what, known := set.known[name]
		return known && what.list || !known && set.open && set.lists
	})
}

// isStarred reports whether a column is a path through all elements of arrays.
func (sets columnSets) isStarred(name string) bool {
	return slices.Contains(strings.Split(name, "."), "*") &&
		slices.ContainsFunc(sets, func(set *columnSet) bool { return set.nested })
}

// mayBeMany reports whether a column may be one of a side table with many
// matches, whose columns only its files name.
func (sets columnSets) mayBeMany(name string) bool {
	return slices.ContainsFunc(sets, func(set *columnSet) bool {
		_, known := set.known[name]
		return !known && set.many
	})
}
