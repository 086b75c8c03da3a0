package infer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	document "tfr-build/sources/json"
	"tfr-build/sources/jsonl"
)

// objects looks at rows that are objects of JSON.
func (s *seen) objects(ctx context.Context, opened []*sources.Source) error {
	root := newValue(2_000)
	var t taker
	for _, src := range opened {
		layout, err := src.Bind(nil) // rows are checked, and their values taken here
		if err != nil {
			return err
		}
		var failed error
		err = rows(ctx, s.sys, src, layout, &s.extent, func(_ []schema.Value, raw []byte) {
			if err := t.object(root, rowOf(src, raw), 0); err != nil && failed == nil {
				failed = err
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
	}
	for _, key := range root.keys {
		s.columns = append(s.columns, &columnSeen{name: key, value: root.fields[key], out: unusable(key)})
	}
	return nil
}

// rowOf is the object that a row is, or is read as.
func rowOf(src *sources.Source, raw []byte) []byte {
	o, ok := src.Spec().Kind.Options.(*document.Options)
	if !ok {
		return raw
	}
	var head []byte
	if o.Keys != "" {
		at := jsonl.ValueAt(raw)
		head = append(append(strconv.AppendQuote([]byte("{"), o.Keys), ':'), bytes.TrimRight(bytes.TrimRight(raw[:at], " \t\r\n"), ":")...)
		raw = raw[at:]
	}
	switch {
	case raw[0] != '{' && head == nil:
		return slices.Concat([]byte(`{"value": `), raw, []byte("}"))
	case raw[0] != '{':
		return slices.Concat(head, []byte(`, "value": `), raw, []byte("}"))
	case head == nil:
		return raw
	case len(bytes.TrimSpace(raw[1:])) == 1: // {}
		return append(head, '}')
	}
	return slices.Concat(head, []byte(","), raw[1:])
}

// A nest makes features of a value of JSON and of what is in it.
type nest struct {
	c    *chooser
	list []feature
}

// A place is where a value stands.
type place struct {
	path  string
	of    int  // how many objects could have it
	outer int  // lists around it, each by a `*` of the path
	some  bool // an object around it lacks what it is in
}

// value adds the features of a value.
func (n *nest) value(v *value, at place) {
	kinds := v.kinds()
	switch {
	case len(kinds) == 0 && v.lists == 0:
		n.empty(at)
	case len(kinds) == 1 && v.objects > 0 && v.isMap():
		n.leave(at, fmt.Sprintf("an object of %s that differ from row to row", plural.Of(len(v.keys), "key")))
	case len(kinds) == 1 && v.objects > 0:
		n.fields(v, at)
	case len(kinds) == 1 && v.lists > 0 && v.elem.objects > 0 && v.elem.objects == v.elem.met:
		at.some = at.some || v.there() < at.of
		at.path, at.outer = at.path+".*", at.outer+1
		n.fields(v.elem, at)
	default:
		n.feature(v, at)
	}
}

// fields adds the features of an object's fields.
func (n *nest) fields(v *value, at place) {
	for _, key := range v.keys {
		inside := place{path: at.path + "." + key, of: v.objects, outer: at.outer, some: at.some || at.outer == 0 && v.there() < at.of}
		if key == "" || key == "*" || strings.Contains(key, ".") {
			n.leave(inside, "a path cannot name its key")
			continue
		}
		if why := unusable(key); why != "" {
			n.leave(inside, why)
			continue
		}
		n.value(v.fields[key], inside)
	}
}

func (n *nest) leave(at place, why string) {
	n.list = append(n.list, feature{key: at.key()}.left("bytes", why))
}

// empty leaves out what has no value in any row.
func (n *nest) empty(at place) {
	s := spec{keys: []string{"type: bytes"}}
	if at.key() != at.path {
		s.add("from", scalar(at.path))
	}
	if at.outer == 0 {
		s.add("missing", "omit")
	}
	n.list = append(n.list, feature{key: at.key()}.left(s.String(), "no value in any row"))
}

// key is the feature's key: a path with slashes, as TensorFlow's datasets have it.
func (at *place) key() string {
	return strings.ReplaceAll(strings.ReplaceAll(at.path, ".*", ""), ".", "/")
}

// feature adds the feature of a value that is no object.
func (n *nest) feature(v *value, at place) {
	f := feature{key: at.key()}
	if strings.IndexByte(at.path, '.') < 0 {
		f.key = at.path
	}
	var s spec
	if f.key != at.path {
		s.keys = append(s.keys, "from: "+scalar(at.path))
	}
	note, why := n.c.form(&s, v, at.outer)
	lacking := at.of - v.there()
	switch {
	case why == "" && at.outer > 0 && lacking > 0:
		why = share(lacking, at.of, "element") + " have none, and lists of one array are to be aligned; missing: {default: …} would do"
	case lacking > 0:
		note += "; " + share(lacking, at.of, "row") + " missing"
		s.add("missing", "omit")
	case at.some:
		s.add("missing", "omit")
	}
	if why != "" {
		if len(s.keys) == 0 {
			s.add("type", "bytes")
		}
		n.list = append(n.list, f.left(s.String(), why))
		return
	}
	f.spec, f.note = s.String(), note
	p := v.profile
	switch {
	case at.outer > 0 || v.lists > 0:
	case v.constant():
		f.spare = aConstant
		f = f.left(f.spec, "one value in every row")
	case v.strings == v.there() && p.isName():
		f.spare = aName
		f = f.left(f.spec, "all different, as names are: "+shown(p.tally.first()))
	}
	n.list = append(n.list, f)
}

// constant reports whether a value is the same in every row.
func (v *value) constant() bool {
	switch {
	case v.met < 2 || v.nulls > 0:
		return false
	case v.strings == v.met:
		return len(v.profile.tally.order) == 1 && !v.profile.tally.over
	}
	return v.ints == v.met && v.low == v.high
}

// kinds are the kinds of what was there.
func (v *value) kinds() (list []string) {
	for _, k := range []struct {
		n    int
		name string
	}{{v.strings, "string"}, {v.ints + v.floats + v.beyond, "number"}, {v.bools, "bool"}, {v.lists, "list"}, {v.objects, "object"}} {
		if k.n > 0 {
			list = append(list, k.name)
		}
	}
	return list
}

// form adds the type and the shape of a value, in so many lists of its path. why says
// that there is none.
func (c *chooser) form(s *spec, v *value, outer int) (note, why string) {
	dims, inner := make([]int, outer), v
	for i := range dims {
		dims[i] = -1
	}
	for len(inner.kinds()) == 1 && inner.lists > 0 {
		n := inner.least
		if inner.least != inner.most || n == 0 || inner.lists < 2 {
			n = -1
		}
		dims, inner = append(dims, n), inner.elem
		if inner.nulls > 0 {
			return "", plural.Of(inner.nulls, "null") + " in lists"
		}
	}
	kinds := inner.kinds()
	switch {
	case len(kinds) == 0:
		return "", "only empty lists"
	case slices.Contains(kinds, "list") || slices.Contains(kinds, "object") || len(kinds) > 1 && slices.Contains(kinds, "bool"):
		return "", "it holds a " + strings.Join(kinds, " and a ")
	case inner.beyond > 0 && inner.strings == 0:
		return "", plural.Of(inner.beyond, "number") + " that no float holds"
	}
	ragged(dims)
	note = c.scalarType(s, inner, len(dims) == 0)
	if len(dims) > 0 {
		if len(dims) > outer || outer > 1 { // else the path says so
			s.add("shape", schema.ShapeText(dims))
		}
		if v.lists > 0 {
			note += "; " + span(v.least, v.most) + " elements"
		}
	}
	return note, ""
}

// ragged makes lengths such as a shape may have: those that differ come first.
func ragged(dims []int) {
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

// scalarType adds the type of single values.
func (c *chooser) scalarType(s *spec, v *value, single bool) (note string) {
	span := numbers(v.low, v.high)
	switch p := v.profile; {
	case v.bools > 0:
		s.add("type", "bool")
		return "true and false"
	case v.strings > 0 && v.ints+v.floats+v.beyond > 0:
		s.add("type", "string")
		return fmt.Sprintf("texts, and numbers in %d places", v.ints+v.floats+v.beyond)
	case v.floats > 0:
		s.add("type", "float")
		return span
	case v.strings == 0:
		s.add("type", "int64")
		return span
	case p.base64 == p.texts:
		s.add("type", "bytes")
		s.add("encoding", "base64")
		return "images in base64"
	case p.isDated():
		return c.dates(s, &p.dates, p.texts)
	case p.isClasses():
		return c.classes(s, &p.tally, p.texts)
	default:
		s.add("type", "string")
		return p.described()
	}
}
