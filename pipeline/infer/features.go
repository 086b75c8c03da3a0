package infer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A location is the place of a value inside a row.
type location struct {
	*columnSummary
	key   string // of its feature
	path  string
	of    int  // number of rows or of elements that could have it
	outer int  // lists around it, one for each `*` of the path
	some  bool // a list around it is missing in some rows
	lists bool // a list around it is missing in some elements

	areElements bool // the values are elements of lists
}

// noPath is the reason for a key that is not a step of a path.
const noPath = "a path cannot name its key"

// columnFeatures returns the features of a column.
func (c *chooser) columnFeatures(col *columnSummary) []feature {
	c.list = nil
	at := location{columnSummary: col, key: col.key(c.typ), path: col.name, of: c.valid()}
	if col.profile != nil && c.typ.Rows != input.Objects {
		at.of = col.profile.count
	}
	switch {
	case col.skipReason != "":
		c.leaveOut(col.name, col.skipReason)
	case c.typ.Rows == input.Objects && col.profile.count < c.valid() && c.isInside(col.name):
		c.leaveOut(col.name, share(c.valid()-col.profile.count, c.valid(), "row")+" lack this key, and its path leads "+
			"through another value there; rename the key in the file to keep it")
	case col.name == c.split:
		f := feature{key: col.name, from: col.name, spec: typed("string")}
		c.list = []feature{f.asComment("it names the split of a row")}
	case col.isImage:
		return c.imageFeatures(col)
	case col.isClass:
		at.key, at.some = "label", c.isSampled()
		c.addValue(col.profile, at)
	case c.typ.Rows == input.FileRows && col.profile == nil:
		return []feature{{key: col.name, from: col.name, spec: typed("string")}}
	case col.bytes != "":
		return []feature{{key: at.key, from: at.path, spec: typed("bytes"), note: col.bytes}}
	default:
		at.some = c.typ.Repeated && col.profile.present() < at.of // a document with another root
		c.addValue(col.profile, at)
	}
	return c.list
}

// isUnnamed reports whether a column has no name but its position.
func (c *columnSummary) isUnnamed() bool { return c.isCell && strings.HasPrefix(c.name, "@") }

// key returns the key of the feature of a column. In place of the dots of a path, it has slashes, as in TensorFlow
// Datasets; and in place of line breaks, as names in spreadsheets have, it has blanks.
func (c *columnSummary) key(of *sourceType) string {
	name := c.name
	if words := strings.Join(strings.Fields(name), " "); strings.ContainsAny(name, "\r\n\t") && words != "" {
		name = words
	}
	switch {
	case c.isUnnamed():
		return "column_" + name[1:]
	case of.Rows == input.Objects || of.Rows == input.Typed:
		return strings.ReplaceAll(strings.ReplaceAll(name, ".*", ""), ".", "/")
	case of.Rows == input.Contents:
		return strings.TrimPrefix(name, ".")
	}
	return name
}

// addValue adds the features of a value and of the values inside it.
func (c *chooser) addValue(p *profile, at location) {
	if p.lists > 0 && len(p.keys) == 0 && p.elem.objects > 0 {
		p.objects = 0 // they are empty, as lists of objects may be
	}
	isObjects := p.objects > 0 && len(p.forms()) == 1
	isLists := p.lists > 0 && len(p.forms()) == 1 &&
		(c.typ.Repeated || p.elem.objects > 0 && p.elem.objects == p.elem.count)
	switch {
	case p.present() == 0:
		c.skipEmpty(p, at)
	case p.isHollow():
		c.leaveOut(at.path, "only empty lists or objects")
	case isObjects && p.isMap():
		c.addJSON(&at, fmt.Sprintf("an object of %s that differ from row to row", plural.Of(len(p.keys), "key")))
	case isObjects:
		c.addFields(p, at)
	case isLists:
		if p.present() < at.of && !c.typ.Repeated {
			at.some, at.lists = at.some || at.outer == 0, at.lists || at.outer > 0
		}
		if p.named.count > 0 {
			keep := scalar(strings.ReplaceAll(at.key, "/", "_")+"_json") + ": 'json(" + input.Operand(at.path) + ")'"
			c.leaveOut(at.path, fmt.Sprintf("lists of its values are below; %s do not count them, the first: %s; "+
				"to keep these: derive: {%s}", share(p.named.count, p.elem.count, "key"), &p.named.first, keep))
		}
		at.path, at.of, at.outer = at.path+".*", p.elem.count, at.outer+1
		c.addValue(p.elem, at)
	default:
		c.addFeature(p, at)
	}
}

// addFields adds the features of an object's fields. A row or an element without the object has none of its fields.
func (c *chooser) addFields(p *profile, at location) {
	lost := p.others
	if c.typ.Repeated && p.present() < at.of { // its lists are not empty there, but missing
		at.some, at.lists = at.some || at.outer == 0, at.lists || at.outer > 0
	}
	for _, key := range p.keys {
		inside := at
		inside.key, inside.path = at.key+"/"+key, at.path+"."+key
		switch why := input.NameProblem(inside.path); {
		case key == "" && c.typ.Repeated: // the text of an element that has attributes
			inside.key, inside.path = at.key, at.path
			c.addValue(p.fields[key], inside)
		case key == "*" && c.typ.Repeated:
			c.leaveOut(inside.path, "the text next to its elements, which no path reads, the first: "+
				shown(p.fields[key].texts.first()))
		case key == "" || key == "*" || c.isColumn(inside.path),
			strings.Contains(key+at.name, ".") && c.typ.Rows == input.Objects:
			c.leaveOut(inside.path, noPath)
			lost = true
		case why != "":
			c.leaveOut(inside.path, why)
			lost = true
		default:
			c.addValue(p.fields[key], inside)
		}
	}
	if p.others {
		c.leaveOut(at.path+".*", moreKeys)
	}
	if lost && c.derives {
		c.addJSON(&at, "the complete object, with what is skipped")
	}
}

// isColumn reports whether a column has a name, which a path would then mean.
func (c *chooser) isColumn(name string) bool {
	return slices.ContainsFunc(c.columns, func(col *columnSummary) bool { return col.name == name })
}

// isInside reports whether a path finds the value of a key in the value of another key, which is a beginning of it.
func (c *chooser) isInside(key string) bool {
	for at := range key {
		if key[at] == '.' && c.isColumn(key[:at]) {
			return true
		}
	}
	return false
}

// leaveOut adds a comment for a value that cannot be a feature.
func (c *chooser) leaveOut(name, why string) {
	c.list = append(c.list, feature{key: name}.asComment(why))
}

// hasBytes reports whether values, or elements of lists, are bytes, which JSON does not have.
func (p *profile) hasBytes() bool {
	return p != nil && (p.binary+p.images.looked > 0 || p.elem.hasBytes())
}

// addJSON adds a value that no other feature reads as a string of JSON, which loses nothing. A comment takes its place
// where no source has columns of its own.
func (c *chooser) addJSON(at *location, why string) {
	if !c.derives || at.profile.hasBytes() {
		c.leaveOut(at.path, why)
		return
	}
	name := strings.ReplaceAll(at.key, "/", "_") + "_json"
	for c.isColumn(name) || has(c.derived, scalar(name)) {
		name += "_"
	}
	path := at.path
	if strings.Contains(at.name, ".") && c.typ.Rows == input.Objects { // no path leads into it
		path = at.name
	}
	c.derived = append(c.derived, bare(scalar(name)+": "+scalar("json("+input.Operand(path)+")")))
	c.list = append(c.list, feature{key: at.key, from: name, spec: typed("string"), note: "JSON: " + why})
}

// skipEmpty adds a skipped feature for a value that no row has.
func (c *chooser) skipEmpty(p *profile, at location) {
	why := "no value in any row"
	if c.typ.Repeated && p.count > 0 && p.count < at.of {
		why += "; the element is in " + share(p.count, at.of, "row")
	}
	if at.outer > 0 {
		c.leaveOut(at.path, why)
		return
	}
	f := feature{key: at.key, from: at.path, spec: typed("string"), note: why}
	switch at.known.Type {
	case "":
	case "float64":
		f.spec = typed("float")
	default:
		f.spec, _ = c.knownType(p, &at)
	}
	if f.spec.add("missing", "omit"); !c.partial { // other rows may have one
		f = f.asComment(why)
	}
	c.list = append(c.list, f)
}

// addFeature adds the feature of a value that is not an object.
func (c *chooser) addFeature(p *profile, at location) {
	t := c.typeOf(p, &at)
	if len(t.spec) == 0 {
		c.addJSON(&at, t.why)
		return
	}
	lacking, only := at.of-p.present(), t.String()
	isList := len(t.dims) > at.outer
	switch {
	case isList:
		t.lists += lacking
	case at.outer > 0:
		t.elements, t.of = lacking, at.of
	}
	someRows := at.some || at.outer == 0 && lacking > 0
	missing, lists := share(t.elements, t.of, "element")+" missing", "some lists"
	if t.lists > 0 {
		lists = plural.Of(t.lists, "list")
	}
	switch {
	case t.elements > 0 && (someRows || t.lists > 0 || at.lists):
		c.addJSON(&at, missing+", and "+lists+": no key reads both")
		return
	case t.elements > 0 && t.fill == "":
		c.addJSON(&at, missing+": no row may have the value of missing: {default: …}")
		return
	case t.elements > 0:
		t.fillIn(missing)
	case at.outer > 0 && t.lists > 0 || t.lists > lacking || at.lists:
		t.add("missing", "empty_list")
		t.note += "; " + lists + " missing, read as empty"
	case someRows && t.mayBeEmpty:
		t.add("missing", "empty_list")
	case someRows:
		t.add("missing", "omit")
	}
	if at.outer == 0 && lacking > 0 {
		t.note += "; " + c.missingNote(p, &t.spec, lacking, at.of)
	}
	if own := p.texts.words(); len(own) > 0 && !c.areNulls(own) {
		t.add("null_values", list(own))
	}
	note := strings.Join(append([]string{t.note}, p.texts.kept...), "; ")
	f := feature{key: at.key, from: at.path, spec: t.spec, note: note}
	isExact := p.texts.numbers.wide.count == 0 // also if another column makes the type of a range float
	if at.isCell && isExact && (only == "int64" || only == "float") && !f.spec.has("null_values") {
		f.columns, f.mayBeClass = 1, p.texts.areDense()
	}
	c.list = append(c.list, c.judge(f, p, &at, lacking, isList || at.outer > 0))
}

// judge returns the feature, or a comment if it tells rows nothing.
func (c *chooser) judge(f feature, p *profile, at *location, lacking int, isList bool) feature {
	x := &p.texts
	first := shown(x.first())
	switch {
	case at.path == c.by:
		f.isUsable = true
		return f.asComment("it keeps rows together: see split")
	case isList || c.isComplete(at) || len(at.names) > 0 || c.names[at.path] != "":
	case lacking == 0 && p.isConstant():
		if f.isUsable = true; c.partial {
			return f // other rows may have another value
		}
		if x.count == 0 {
			first = strconv.FormatInt(p.numbers.least, 10)
		}
		return f.asComment("one value in every row: " + first)
	case at.isUnnamed() && x.repeats == 0 && x.count > 1 && !f.spec.has("date"):
		return f.asComment("all different, and without a name of its own: " + first)
	case x.count == p.present() && x.isName() && namesRow(at.path) && !isImageName(x.first()) &&
		p.oddNote(at.isCell, at) == "":
		f.isName = true
		return f.asComment("all different, as names are: " + first)
	}
	return f
}

// isComplete reports whether a string becomes a feature without conversion: it is a value of a record, or the
// content of a file.
func (c *chooser) isComplete(at *location) bool {
	return c.typ.Rows == input.Lists || c.typ.Rows == input.FileRows && !at.isClass
}

// A chosenType is the type and the shape of a feature.
type chosenType struct {
	spec
	note       string
	why        string // why it cannot be a feature; empty if it can
	dims       []int  // its shape; empty for single values
	elements   int    // missing elements of lists
	of         int    // all elements
	lists      int    // missing lists in lists
	fill       string // a value in place of a missing one, which no row has; empty for none
	mayBeEmpty bool   // a missing value is read as an empty list
}

// typeOf chooses the type and the shape of a value.
func (c *chooser) typeOf(p *profile, at *location) (t chosenType) {
	inner := p
	t.dims = slices.Repeat([]int{-1}, at.outer)
	for inner.lists > 0 && len(inner.forms()) == 1 {
		n := c.length(inner)
		if inner != p && inner.nulls > 0 || inner == p && (at.outer > 0 && p.present() < at.of || at.isDerived) {
			n = -1 // a missing list is empty
		}
		t.dims, inner = append(t.dims, n), inner.elem
		t.lists, t.elements, t.of = t.lists+t.elements, inner.nulls, inner.count
	}
	if c.typ.Rows == input.Lists && p.least == 1 && p.most == 1 {
		t.dims = nil
	}
	if why := inner.unsuitable(at.known.Type); why != "" {
		return chosenType{why: why}
	}
	at.areElements = len(t.dims) > 0
	t.spec, t.note = c.scalarType(inner, at)
	t.fill = inner.fill(t.spec)
	t.mayBeEmpty = t.has("separator") || at.known.Type != "" && len(t.dims) == 1
	makeRagged(t.dims)
	if len(t.dims) > 0 || at.isDerived {
		t.addShape(p, at)
	}
	return t
}

// fill returns a value that can take the place of missing ones, as no row has it; empty for none.
func (p *profile) fill(s spec) string {
	n := &p.numbers
	if p.texts.count > 0 {
		n = &p.texts.numbers
	}
	switch kind := s[0]; {
	case kind == "type: float" && n.nonfinite == 0:
		return "nan"
	case strings.HasPrefix(kind, "type: int") && n.least >= 0:
		return "-1"
	case (kind == "type: string" || kind == "type: bytes") && p.texts.empty == 0:
		return `""`
	}
	return ""
}

// fillIn puts a value that no row has in place of missing elements.
func (t *chosenType) fillIn(missing string) {
	t.add("missing", "{default: "+t.fill+"}")
	if t.fill == "nan" {
		t.add("nonfinite", "allow")
	}
	t.note = joinNotes(t.note, missing+", read as "+t.fill)
}

// length returns the length of lists, or -1 if they may have several.
func (c *chooser) length(p *profile) int {
	if p.least != p.most || p.most == 0 || p.lists < 2 || c.partial {
		return -1
	}
	return p.most
}

// unsuitable returns why values cannot be a feature, whose type may be known; empty if they can.
func (p *profile) unsuitable(known string) string {
	isBytes, forms := p.binary+p.images.looked > 0 && p.binary+p.images.looked+p.texts.count == p.present(), p.forms()
	switch {
	case isBytes, known != "":
		return ""
	case p.bools > 0 && p.numbers.ints > 0 && p.bools+p.numbers.ints == p.present():
		return "it has " + strings.Join(forms, " and ") + "; {type: int64} reads true as 1, and false as 0"
	case p.lists+p.objects > 0 || len(forms) > 1 && p.bools+p.binary+p.images.looked > 0:
		return "it has " + strings.Join(forms, " and ")
	case p.numbers.nonfinite > 0 && p.texts.count > 0:
		return "NaN in " + plural.Of(p.numbers.nonfinite, "place") + ", and strings; write null for a missing string"
	}
	return ""
}

// makeRagged makes lengths valid for a shape, in which all lengths of -1 must come first.
func makeRagged(dims []int) {
	last := 0
	for i, n := range dims {
		if n < 0 {
			last = i
		}
	}
	for i := range last {
		dims[i] = -1
	}
}

// addShape adds the shape of lists, unless the path or the file determines it.
func (t *chosenType) addShape(p *profile, at *location) {
	isKnown := len(t.dims) == 1 && (at.known.Type != "" || at.outer == 1) && !at.isDerived
	if !isKnown {
		t.add("shape", schema.ShapeText(t.dims))
	}
	switch {
	case len(at.known.Shape) > 1:
		t.note = joinNotes(t.note, describe(&at.known))
	case p.lists > 0:
		t.note = joinNotes(t.note, numbered(p.least, p.most, "element"))
	}
}

// missingNote says how many rows have no value, and which words they have instead.
func (c *chooser) missingNote(p *profile, s *spec, lacking, of int) string {
	text := share(lacking, of, "row") + " missing"
	var words []string
	for _, w := range p.texts.words() {
		words = append(words, shown(w))
	}
	if p.nulls > 0 && len(words) > 0 {
		words = append(words, "empty")
	}
	if len(words) > 0 {
		text += " (" + strings.Join(words, ", ") + ")"
		if !p.texts.areReadable() {
			are := "these are values"
			if len(p.texts.missed) == 1 {
				are = words[0] + " is a value"
			}
			if text += "; if " + are + ": null_values: []"; s.has("classes") && (*s)[0] != "classes: auto" {
				text += ", classes: " + list(append(p.texts.sorted(), p.texts.words()...))
			}
		}
	}
	return text
}

// numbered returns a noun with a range of numbers.
func numbered(least, most int, noun string) string {
	if least == most {
		return plural.Of(most, noun)
	}
	return span(least, most) + " " + noun + "s"
}

// joinNotes joins two notes, which may be empty.
func joinNotes(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
}

// imageFeatures returns the features of a column of images.
func (c *chooser) imageFeatures(col *columnSummary) []feature {
	missing, note := spec(nil), ""
	if n := col.profile.nulls; n > 0 {
		missing, note = spec{"missing: omit"}, "; "+plural.Of(n, "row")+" without it"
	}
	list := col.profile.images.imageFeatures(col.name, missing)
	for i := range list {
		if i > 0 && c.typ.Rows != input.FileRows {
			list[i].key = col.name + "/" + list[i].key
		}
	}
	list[0].note += note
	return list
}
