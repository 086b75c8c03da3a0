package infer

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A typedColumn is a column whose type is in the headers of its files, with counts of its values.
type typedColumn struct {
	column.Column
	rows, missing int
	texts         int
	dates         dates
	words         *profile // the strings, as long as they are few
	images        int      // values that begin like an image
	levels        []level  // levels of lists, the outermost first
	nullElements  int      // rows with a null element in a list
	nullLists     int      // rows with a null list in a list
	outOfRange    int      // rows with a float that is not finite, or an integer above 2^63-1
	low, high     int64    // range of integers
	names         []string // class names, if the values are their numbers
}

func newTypedColumn(known column.Column) *typedColumn {
	k := &typedColumn{Column: known, low: math.MaxInt64, high: math.MinInt64, levels: make([]level, known.Depth)}
	for i := range k.levels {
		k.levels[i].least = math.MaxInt
	}
	return k
}

// A level has the number of lists at one depth, and their smallest and largest numbers of elements.
type level struct{ count, least, most int }

// inspectTyped reads the types in the headers, and counts missing values in rows.
func (s *summary) inspectTyped(ctx context.Context, opened []*sources.Source) error {
	if _, err := s.commonColumns(opened); err != nil {
		return err
	}
	images := s.replaceImageColumn(opened[0])
	var slots []schema.Column
	var all []*typedColumn
	for _, c := range s.columns {
		if c == images {
			continue
		}
		known, _ := opened[0].Columns().Known(c.name)
		switch {
		case c.skipReason != "":
		case known.Type == "":
			c.skipReason = "its type differs between files"
		}
		if c.skipReason != "" {
			continue
		}
		c.typed = newTypedColumn(known)
		all, slots = append(all, c.typed), append(slots, schema.Column{Name: c.name})
		for _, src := range opened[1:] {
			if other, _ := src.Columns().Known(c.name); other.Type != known.Type || !slices.Equal(other.Shape, known.Shape) {
				c.skipReason = fmt.Sprintf("it is %s in one split and %s in another", describe(&known), describe(&other))
			}
		}
	}
	if images != nil {
		slots = addMetadata(slots, images.name)
	}
	err := s.readAll(ctx, opened, slots, func(_ int, vals []schema.Value) {
		for i, k := range all {
			k.add(&vals[i])
		}
		if images != nil {
			images.addImage(vals[len(all):])
		}
	})
	if err != nil {
		return err
	}
	return s.readClassNames()
}

// add counts a value.
func (k *typedColumn) add(v *schema.Value) {
	k.rows++
	switch {
	case v.Kind == schema.Missing:
		k.missing++
	case v.Kind == schema.String:
		k.texts++
		k.dates.add(v.Text, 1)
		if k.words == nil {
			k.words = newProfile(len(splitWords))
		}
		if !k.words.counter.overflowed {
			k.words.counter.add(v.Text, 1)
		}
	case v.Kind == schema.Bytes && header.Begins(v.Text):
		k.images++
	default:
		k.addList(v)
	}
}

// addList counts numbers, and lists of any values.
func (k *typedColumn) addList(v *schema.Value) {
	f := listProblems{}
	k.walk(v, 0, &f)
	if f.outOfRange {
		k.outOfRange++
	}
	switch {
	case f.nullLists:
		k.nullLists++
	case f.nullElement:
		k.nullElements++
	}
}

// listProblems are properties of a value that some features do not accept.
type listProblems struct{ outOfRange, nullElement, nullLists bool }

// walk counts a value inside depth lists.
func (k *typedColumn) walk(v *schema.Value, depth int, f *listProblems) {
	n := len(v.List)
	switch {
	case v.Kind == schema.Missing:
		f.nullElement, f.nullLists = f.nullElement || depth == k.Depth, f.nullLists || depth < k.Depth
		return
	case v.Kind == schema.Array:
		n = len(v.Text) / v.Elem.Size()
		f.outOfRange = k.addNumbers(v) || f.outOfRange
	}
	if depth == k.Depth {
		return
	}
	l := &k.levels[depth]
	l.count, l.least, l.most = l.count+1, min(l.least, n), max(l.most, n)
	for i := range v.List {
		k.walk(&v.List[i], depth+1, f)
	}
}

// addNumbers counts numbers. It reports whether one is out of range.
func (k *typedColumn) addNumbers(v *schema.Value) (outOfRange bool) {
	size := v.Elem.Size()
	for at := 0; at < len(v.Text); at += size {
		number := v.Text[at : at+size]
		switch {
		case v.Elem.IsFloat():
			outOfRange = outOfRange || !(math.Abs(v.Elem.FloatOf(number)) <= math.MaxFloat64)
		case v.Elem == schema.Uint64 && number[7] >= 0x80:
			outOfRange = true
		default:
			n := integer(v.Elem, number)
			k.low, k.high = min(k.low, n), max(k.high, n)
		}
	}
	return outOfRange
}

// integer returns a number from little-endian bytes; numbers above 2^63-1 are not valid.
func integer(t schema.Type, number []byte) int64 {
	var b [8]byte
	copy(b[:], number)
	n := int64(binary.LittleEndian.Uint64(b[:]))
	switch t {
	case schema.Int8, schema.Int16, schema.Int32:
		unused := 64 - 8*len(number)
		n = n << unused >> unused
	}
	return n
}

// typedFeature returns the feature of a column with a type. Even a skipped feature is valid in a
// config.
func (c *chooser) typedFeature(col *columnSummary) feature {
	k := col.typed
	f := feature{key: col.name, note: "as the file says"}
	var s spec
	switch note := c.addDate(&s, &k.dates, k.texts); {
	case note != "":
		f.note = note
	case k.areClasses():
		f.note = k.addClasses(&s)
	case k.Type == "float64":
		s.add("type", "float")
		f.note = "float64 in the file"
	case k.Type == "float16", k.outOfRange > 0 && k.Type == "uint64":
		s.add("type", k.Type)
		s.add("tensor", "true")
	default:
		s.add("type", k.Type)
		f.note += k.unusedNames()
	}
	out := k.addShape(&s, &f, c.partial)
	if k.outOfRange > 0 && k.Type == "uint64" {
		out = "numbers above 2^63-1 in " + plural.Of(k.outOfRange, "row") + ", which only a tensor holds"
	} else if k.outOfRange > 0 {
		s.add("nonfinite", "allow")
		f.note += ", nan or inf in " + plural.Of(k.outOfRange, "row")
	}
	if k.missing > 0 && k.nullElements == 0 {
		form := "omit"
		if k.Depth > 0 && k.Depth < 2 {
			form = "empty_list"
		}
		s.add("missing", form)
		f.note += ", missing in " + plural.Of(k.missing, "row")
	}
	if k.missing == k.rows && k.rows > 0 {
		out = "no value in any row"
	}
	if out != "" {
		return f.asComment(s.String(), out)
	}
	f.spec = s.String()
	return f
}

// addShape adds the shape of nested lists to s, and the action for missing elements. It returns why
// the feature is skipped; empty if it is not. partial is true if not all rows were read.
func (k *typedColumn) addShape(s *spec, f *feature, partial bool) (out string) {
	if k.Depth == 0 {
		return ""
	}
	f.note = joinNotes(map[bool]string{true: f.note}[k.areClasses()], "lists")
	if k.Depth > 1 {
		dims := make([]int, k.Depth)
		for i, l := range k.levels {
			if dims[i] = -1; !partial && l.least == l.most && l.most > 0 && l.count > 1 {
				dims[i] = l.most
			}
		}
		makeRagged(dims)
		s.add("shape", schema.ShapeText(dims))
		f.note += " of lists"
	}
	switch {
	case k.nullLists > 0:
		return "a list is missing in the lists of " + plural.Of(k.nullLists, "row") + ": these rows would be invalid"
	case k.nullElements > 0:
		s.add("missing", "{default: "+k.fillValue()+"}")
		if k.missing > 0 {
			return "elements are missing in the lists of " + plural.Of(k.nullElements, "row") + ", which the default would fill, and a list is missing in " + plural.Of(k.missing, "row") + ", which would be invalid"
		}
		return "elements are missing in the lists of " + plural.Of(k.nullElements, "row") + ": the default would take their place"
	case k.missing < k.rows && k.levels[k.Depth-1].most == 0:
		return "only empty lists"
	}
	return ""
}

// fillValue returns a value for missing elements.
func (k *typedColumn) fillValue() string {
	switch k.Type {
	case "string", "bytes":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}

// mostNamed is the largest number of class names from a file that a config lists.
const mostNamed = 1000

// areClasses reports whether the values are numbers of classes whose names are in the file; -1 is a
// row without a class.
func (k *typedColumn) areClasses() bool {
	return len(k.names) > 0 && len(k.names) <= mostNamed && k.low >= -1 && k.high < int64(len(k.names))
}

// unusedNames returns a note if the class names in the file are not used, with the reason. It is
// empty if the file has no class names.
func (k *typedColumn) unusedNames() string {
	switch {
	case len(k.names) == 0 || k.low > k.high:
		return ""
	case len(k.names) > mostNamed:
		return "; the file has " + plural.Of(len(k.names), "class name")
	}
	return fmt.Sprintf("; the file has %s, but the numbers are %d to %d", plural.Of(len(k.names), "class name"), k.low, k.high)
}

// addClasses adds the class names in the file to s.
func (k *typedColumn) addClasses(s *spec) string {
	text := "{names: " + list(k.names) + ", numbers: true"
	note := plural.Of(len(k.names), "class name") + " in the file"
	if k.low < 0 {
		text += ", unknown: -1"
		note += "; -1 is a row without a class"
	}
	s.add("classes", text+"}")
	return note
}

// readClassNames reads the class names in files. It only uses names that are the same in all files
// that are inspected.
func (s *summary) readClassNames() error {
	if s.typ.ClassNames == nil {
		return nil
	}
	var all map[string][]string
	for i, path := range s.tables[:min(len(s.tables), filesMost)] {
		listed, err := s.sys.Stat(base(path), path)
		if err != nil {
			return &input.Error{Path: path, Err: err}
		}
		f, err := s.sys.Open(path, &listed)
		if err != nil {
			return &input.Error{Path: path, Err: err}
		}
		names, err := s.typ.ClassNames(f, listed.Size)
		_ = f.Close()
		switch {
		case err != nil:
			return &input.Error{Path: path, Err: err}
		case i == 0:
			all = names
		}
		maps.DeleteFunc(all, func(column string, list []string) bool { return !slices.Equal(list, names[column]) })
	}
	for _, c := range s.columns {
		if c.typed != nil {
			c.typed.names = all[strings.ReplaceAll(c.name, ".*", "")]
		}
	}
	return nil
}

// imageColumn returns the column whose values are images: bytes, or a struct of bytes and path, as
// Hugging Face writes them. It is empty if no column has images, or if the
// source already names it.
func (s *summary) imageColumn() string {
	for _, c := range s.columns {
		switch {
		case c.image != nil:
			return ""
		case c.typed != nil && c.typed.images > 0 && c.typed.images+c.typed.missing == c.typed.rows:
			return strings.TrimSuffix(c.name, ".bytes")
		}
	}
	return ""
}

// replaceImageColumn replaces the columns of the images by one column, if the source names the column of
// the images.
func (s *summary) replaceImageColumn(src *sources.Source) *columnSummary {
	if s.typ.ImageColumn == nil {
		return nil
	}
	of := s.typ.ImageColumn(src.Spec().Kind.Options)
	if of == "" {
		return nil
	}
	c := &columnSummary{name: "image", image: newFileStats()}
	ofImage := src.Spec().Kind.Options.Known().Names() // the files have all others
	s.columns = slices.DeleteFunc(s.columns, func(other *columnSummary) bool {
		return slices.Contains(ofImage, other.name) || other.name == of || other.name == of+".bytes" || other.name == of+".path"
	})
	s.columns = append([]*columnSummary{c}, s.columns...)
	return c
}

// addMetadata adds the columns with the metadata of the images in a column.
func addMetadata(slots []schema.Column, name string) []schema.Column {
	for _, fact := range imageMetadata {
		slots = append(slots, schema.Column{Name: name + fact})
	}
	return slots
}

// addImage counts an image by its metadata; a row may have none.
func (c *columnSummary) addImage(of []schema.Value) {
	if of[0].Kind == schema.Missing {
		c.lacking++
		return
	}
	c.image.addImage(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
}
