package infer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// namesMost is the number of rows that are read to find all columns, if only rows have their names.
const namesMost = 1000

// inspectColumns inspects the columns of rows.
func (s *summary) inspectColumns(ctx context.Context) error {
	all, err := s.findColumns(ctx)
	if err != nil {
		return err
	}
	most := min(10_000, max(leastStored, mostStored/max(1, len(all))))
	var columns []schema.Column
	for _, c := range all {
		c.profile = newProfile(most, max(c.known.Depth, min(len(c.known.Shape), 1)))
		c.profile.texts.isComplete = isCounted(c.name)
		c.isBytes = s.typ.Rows == input.Lists || s.typ.Rows == input.Contents
		if s.typ.Rows == input.Lists {
			c.profile.depth = 1
		}
		columns = append(columns, schema.Column{Name: c.name})
		for _, src := range s.opened {
			c.nulls = append(c.nulls, src.Nulls(c.name))
		}
	}
	if s.payload != "" { // the records are only counted
		columns = []schema.Column{{Name: s.typ.Record}}
	}
	paths := slices.IndexFunc(s.columns, func(c *columnSummary) bool { return c.bytes != "" })
	if paths >= 0 {
		columns = append(columns, schema.Column{Name: s.columns[paths].name})
	}
	err = s.readAll(ctx, columns, func(vals []schema.Value) error {
		s.equal.add(&s.reading)
		if paths >= 0 {
			s.members = append(s.members, string(vals[len(all)].Text))
		}
		for i, c := range all {
			if err := c.add(&s.reading, &vals[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if s.typ == s.types.lineType() && len(all) == 1 { // the column is all of a line
		s.Blank = all[0].profile.removeBlank()
	}
	if s.typ.Rows == input.Contents {
		s.columns = slices.DeleteFunc(s.columns, func(c *columnSummary) bool {
			return c.profile != nil && c.profile.present() == 0
		})
		s.addDirectories()
	}
	return s.readClassNames()
}

// add counts the value of a row.
func (c *columnSummary) add(t *reading, v *schema.Value) error {
	t.asBytes = c.isBytes
	switch p := c.profile; {
	case sources.IsMissing(c.nulls[t.source-1], v):
		p.count++
		p.nulls++
	case c.isImage:
		p.count++
		if v.Kind != schema.List {
			p.images.add(v.Text)
		}
		for i := range v.List {
			p.images.add(v.List[i].Text)
		}
	case c.isJSON && isObject(v.Text):
		return p.add(t, &schema.Value{Kind: schema.Object, Text: v.Text}, 0)
	default:
		return p.add(t, v, 0)
	}
	return nil
}

// isObject reports whether bytes are an object of JSON.
func isObject(text []byte) bool {
	return json.Valid(text) && strings.HasPrefix(strings.TrimLeft(string(text[:min(len(text), 100)]), " \t\r\n"), "{")
}

// removeBlank removes the empty strings, and returns their number.
func (p *profile) removeBlank() (n int) {
	if w := p.texts.missed[""]; w != nil {
		n = w.count
	}
	delete(p.texts.missed, "")
	p.count -= n
	return n
}

// findColumns finds the columns of the rows, and adds them to the summary. It returns those that are read.
func (s *summary) findColumns(ctx context.Context) (all []*columnSummary, err error) {
	switch s.typ.Rows {
	case input.Lists, input.Contents:
		err = s.sampleColumns(ctx)
	default:
		err = s.commonColumns(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.replaceImageColumn()
	for _, c := range s.columns {
		c.isCell = s.typ.Rows == input.Cells
		if s.typ.Rows == input.Typed && !c.isImage && c.skipReason == "" {
			c.findType(s.opened)
		}
		if c.known.Again {
			s.note("The file has several columns %s, and the first is read. To keep all, rename them in the file.",
				shown(c.name))
		}
		if c.skipReason == "" && c.bytes == "" {
			all = append(all, c)
		}
	}
	return all, nil
}

// sampleColumns adds the columns of the first rows of each source.
func (s *summary) sampleColumns(ctx context.Context) error {
	names, err := s.namesOf(ctx, namesMost)
	if err != nil {
		return err
	}
	names = without(names, []string{s.typ.Record})
	if s.typ.Rows == input.Lists && len(names) == 0 {
		s.payload = "the records are not Examples with features"
	}
	if s.typ.Contents == nil {
		for _, name := range names {
			s.columns = append(s.columns, &columnSummary{name: name, skipReason: unusableKey(name)})
		}
		return nil
	}
	names = filter(names, func(name string) bool { return input.NameProblem(name) == "" })
	for _, c := range s.typ.Contents(names) {
		s.seeTable("." + c.Name)
		s.columns = append(s.columns, &columnSummary{name: c.Name, isImage: c.Image, isJSON: c.JSON, bytes: c.Bytes})
	}
	return nil
}

// unusableKey returns why a config cannot have a key, which may be any bytes; empty if it can.
func unusableKey(key string) string {
	switch {
	case !utf8.ValidString(key):
		return "its key is not UTF-8"
	case key == "*": // all elements of a list
		return noPath
	}
	return input.NameProblem(key)
}

// findType finds the type that the headers of all sources say. It is empty if they differ, so that the values decide. A
// column that a source derives is missing there.
func (c *columnSummary) findType(opened []*sources.Source) {
	isFirst := true
	for _, src := range opened {
		switch other, _ := src.Columns().Known(c.name); {
		case other.Step == column.Computed:
			c.isDerived = true
		case other.Step == column.FromPath:
			c.isCell = true
		case isFirst:
			c.known, isFirst = other, false
		case !slices.Equal(other.Shape, c.known.Shape), other.Type != c.known.Type && len(other.Shape) > 1:
			c.skipReason = fmt.Sprintf("it is %s in one split and %s in another", describe(&c.known), describe(&other))
		case other.Type != c.known.Type:
			c.known.Type = ""
		}
	}
}

// inspectObjects inspects rows that are objects of JSON.
func (s *summary) inspectObjects(ctx context.Context) error {
	root := newProfile(2_000, 0)
	s.reading.areLists = s.typ.Repeated
	var ofPath []*columnSummary
	var slots []schema.Column
	for _, name := range s.opened[0].Columns().Names() {
		if known, _ := s.opened[0].Columns().Known(name); known.Step == column.FromPath && !s.typ.Directory {
			slots = append(slots, schema.Column{Name: name})
			ofPath = append(ofPath, &columnSummary{name: name, isCell: true, profile: newProfile(leastStored, 0),
				nulls: make([][]string, len(s.opened))})
		}
	}
	err := s.readAll(ctx, slots, func(vals []schema.Value) error { // rows are checked, and scanned here
		for i, c := range ofPath {
			if err := c.add(&s.reading, &vals[i]); err != nil {
				return err
			}
		}
		s.equal.add(&s.reading)
		options := s.opened[s.reading.source-1].Spec().Kind.Options
		return root.addObject(&s.reading, s.typ.Object(options, s.reading.raw), 0)
	})
	if err != nil {
		return err
	}
	if s.typ.Repeated {
		root.unwrap(s.partial)
	}
	if root.others {
		s.note("Not here: %s.", moreKeys)
	}
	for _, key := range root.keys {
		s.columns = append(s.columns, &columnSummary{name: key, profile: root.fields[key],
			skipReason: unusableKey(key)})
	}
	s.columns = append(s.columns, ofPath...)
	return nil
}

// readClassNames reads the class names in files. It only uses names that are the same in all files
// that are inspected.
func (s *summary) readClassNames() error {
	if s.typ.ClassNames == nil {
		return nil
	}
	var all map[string][]string
	for i, path := range s.tables[:min(len(s.tables), filesMost)] {
		var names map[string][]string
		f, size, err := s.OpenPath(path)
		if err == nil {
			names, err = s.typ.ClassNames(f, size)
			_ = f.Close()
		}
		if err != nil {
			return &input.Error{Path: path, Err: err}
		}
		if i == 0 {
			all = names
		}
		maps.DeleteFunc(all, func(column string, list []string) bool { return !slices.Equal(list, names[column]) })
	}
	for _, c := range s.columns {
		c.names = all[strings.ReplaceAll(c.name, ".*", "")]
	}
	return nil
}

// imageColumn returns the column whose values are images: bytes, or a struct of bytes and path, as
// Hugging Face writes them. It is empty if no column has images.
func (s *summary) imageColumn() string {
	for _, c := range s.columns {
		if p := c.profile; p != nil && p.areImages() {
			return strings.TrimSuffix(strings.TrimSuffix(c.name, ".bytes"), ".*")
		}
	}
	return ""
}

// areImages reports whether all values are images, or lists of images.
func (p *profile) areImages() bool {
	if p.lists > 0 && p.lists == p.present() {
		p = p.elem
	}
	return p.images.looked > 0 && p.images.looked == p.present()
}

// replaceImageColumn replaces the columns of the images by one column, if the source names the column of
// the images.
func (s *summary) replaceImageColumn() {
	if s.typ.ImageColumn == nil {
		return
	}
	options := s.opened[0].Spec().Kind.Options
	of := s.typ.ImageColumn(options)
	if of == "" {
		return
	}
	ofImage := options.Known().Names() // the files have all others
	s.columns = slices.DeleteFunc(s.columns, func(other *columnSummary) bool {
		other.isPath = strings.HasPrefix(other.name, of+".") && strings.HasSuffix(other.name, ".path")
		return slices.Contains(ofImage, other.name) || other.name == of ||
			slices.Contains([]string{".bytes", ".*.bytes"}, strings.TrimPrefix(other.name, of))
	})
	s.columns = append([]*columnSummary{{name: "image", isImage: true}}, s.columns...)
}
