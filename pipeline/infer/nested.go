package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// inspectObjects inspects rows that are objects of JSON.
func (s *summary) inspectObjects(ctx context.Context, opened []*sources.Source) error {
	var t valueScanner
	before := s.coverage
	root, err := s.scanObjects(ctx, opened, &t)
	if err == nil && s.typ.Repeated {
		t.repeated, s.coverage = root.repeatedPaths(), before
		root, err = s.scanObjects(ctx, opened, &t)
	}
	if err != nil {
		return err
	}
	for _, key := range root.keys {
		s.columns = append(s.columns, &columnSummary{name: key, value: root.fields[key], skipReason: topKeyProblem(key)})
	}
	return nil
}

// scanObjects counts the values in all objects.
func (s *summary) scanObjects(ctx context.Context, opened []*sources.Source, t *valueScanner) (*value, error) {
	root := newValue(2_000)
	for _, src := range opened {
		var failed error
		err := s.readRows(ctx, src, nil, func(_ []schema.Value, raw []byte) { // rows are checked, and scanned here
			if err := t.addObject(root, s.typ.Object(src.Spec().Kind.Options, raw), 0); err != nil && failed == nil {
				failed = err
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// topKeyProblem returns why a config cannot name a key of the rows; empty if it can.
func topKeyProblem(key string) string {
	if key == "*" { // all elements of a list
		return noPath
	}
	return input.NameProblem(key)
}

// noPath is the reason for a key that is not a step of a path.
const noPath = "a path cannot name its key"

// A nestedChooser makes features of a value of JSON and of the values inside it.
type nestedChooser struct {
	c    *chooser
	list []feature
}

// A location is the position of a value inside a row.
type location struct {
	path  string
	of    int  // number of objects that could have it
	outer int  // lists around it, one for each `*` of the path
	some  bool // an object around it is missing in some rows
}

// addValue adds the features of a value.
func (n *nestedChooser) addValue(v *value, at location) {
	if v.lists > 0 && len(v.keys) == 0 {
		v.objects = 0 // they are empty, as lists may be
	}
	kinds := v.kinds()
	switch {
	case len(kinds) == 0 && v.lists == 0:
		n.skipEmpty(at)
	case len(kinds) == 1 && v.objects > 0 && v.isMap():
		n.skip(at, fmt.Sprintf("an object of %s that differ from row to row", plural.Of(len(v.keys), "key")))
	case len(kinds) == 1 && v.objects > 0:
		n.addFields(v, at)
	case len(kinds) == 1 && v.lists > 0 && v.elem.objects > 0 && v.elem.objects == v.elem.count:
		at.some = at.some || v.present() < at.of && !n.c.typ.Repeated
		at.path, at.outer = at.path+".*", at.outer+1
		n.addFields(v.elem, at)
	case len(kinds) == 1 && v.lists > 0 && n.c.typ.Repeated:
		n.addFeature(v.elem, location{path: at.path + ".*", of: v.elem.count, outer: at.outer + 1, some: at.some})
	default:
		n.addFeature(v, at)
	}
}

// addFields adds the features of an object's fields.
func (n *nestedChooser) addFields(v *value, at location) {
	for _, key := range v.keys {
		inside := location{path: at.path + "." + key, of: v.objects, outer: at.outer, some: at.some || at.outer == 0 && v.present() < at.of}
		if key == "" || key == "*" || strings.Contains(key, ".") {
			n.skip(inside, noPath)
			continue
		}
		if why := input.NameProblem(key); why != "" {
			n.skip(inside, why)
			continue
		}
		n.addValue(v.fields[key], inside)
	}
}

func (n *nestedChooser) skip(at location, why string) {
	n.list = append(n.list, feature{key: at.key()}.asComment("bytes", why))
}

// skipEmpty adds a skipped feature for a value that no row has.
func (n *nestedChooser) skipEmpty(at location) {
	s := spec{keys: []string{"type: bytes"}}
	if at.key() != at.path {
		s.add("from", scalar(at.path))
	}
	if at.outer == 0 {
		s.add("missing", "omit")
	}
	n.list = append(n.list, feature{key: at.key()}.asComment(s.String(), "no value in any row"))
}

// key returns the feature's key: a path with slashes, as in TensorFlow Datasets.
func (at *location) key() string {
	return strings.ReplaceAll(strings.ReplaceAll(at.path, ".*", ""), ".", "/")
}

// addFeature adds the feature of a value that is not an object.
func (n *nestedChooser) addFeature(v *value, at location) {
	f := feature{key: at.key()}
	if strings.IndexByte(at.path, '.') < 0 {
		f.key = at.path
	}
	var s spec
	if f.key != at.path {
		s.keys = append(s.keys, "from: "+scalar(at.path))
	}
	lacking := at.of - v.present()
	if at.outer > 0 && lacking > 0 {
		v.least = 0 // if it is a list
	}
	note, why := n.c.addTypeAndShape(&s, v, at.outer)
	switch {
	case why == "" && at.outer > 0 && lacking > 0 && v.lists > 0:
		note += "; " + share(lacking, at.of, "element") + " have none"
		s.add("missing", "empty_list")
	case why == "" && at.outer > 0 && lacking > 0:
		why = share(lacking, at.of, "element") + " have none, so the lists would have different lengths; to fill them: missing: {default: …}"
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
		n.list = append(n.list, f.asComment(s.String(), why))
		return
	}
	f.spec, f.note = s.String(), note
	p := v.profile
	switch {
	case at.outer > 0 || v.lists > 0:
	case v.isConstant():
		f.fallback = constantColumn
		f = f.asComment(f.spec, "one value in every row")
	case v.strings == v.present() && p.isName():
		f.fallback = uniqueName
		f = f.asComment(f.spec, "all different, as names are: "+shown(p.counter.first()))
	}
	n.list = append(n.list, f)
}

// isConstant reports whether a value is the same in every row.
func (v *value) isConstant() bool {
	switch {
	case v.count < 2 || v.nulls > 0:
		return false
	case v.strings == v.count:
		return len(v.profile.counter.order) == 1 && !v.profile.counter.overflowed
	}
	return v.ints == v.count && v.low == v.high
}

// kinds returns the JSON types of the values.
func (v *value) kinds() (list []string) {
	for _, k := range []struct {
		n    int
		name string
	}{{v.strings, "string"}, {v.ints + v.floats + v.outOfRange + v.nonfinite, "number"}, {v.bools, "bool"}, {v.lists, "list"}, {v.objects, "object"}} {
		if k.n > 0 {
			list = append(list, k.name)
		}
	}
	return list
}

// addTypeAndShape adds the type and the shape of a value to s. The path of the value goes through
// outer lists. If the value cannot be a feature, why is the reason.
func (c *chooser) addTypeAndShape(s *spec, v *value, outer int) (note, why string) {
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
	case inner.outOfRange > 0 && inner.strings == 0:
		return "", plural.Of(inner.outOfRange, "number") + " that no float holds"
	case inner.nonfinite > 0 && inner.strings > 0:
		return "", "NaN in " + plural.Of(inner.nonfinite, "place") + ", and strings; write null for a missing string"
	}
	makeRagged(dims)
	note = c.addScalarType(s, inner, len(dims) == 0)
	if len(dims) > 0 {
		if len(dims) > outer || outer > 1 { // otherwise the path determines it
			s.add("shape", schema.ShapeText(dims))
		}
		if v.lists > 0 {
			note += "; " + span(v.least, v.most) + " elements"
		}
	}
	return note, ""
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

// addScalarType adds the type of single values to s.
func (c *chooser) addScalarType(s *spec, v *value, single bool) (note string) {
	span := numbers(v.low, v.high)
	switch p := v.profile; {
	case v.bools > 0:
		s.add("type", "bool")
		return "true and false"
	case v.strings > 0 && v.ints+v.floats+v.outOfRange > 0:
		s.add("type", "string")
		return fmt.Sprintf("strings, and numbers in %d places", v.ints+v.floats+v.outOfRange)
	case v.nonfinite > 0:
		s.add("type", "float")
		s.add("nonfinite", "allow")
		note = "NaN or Infinity in " + plural.Of(v.nonfinite, "place")
		if v.ints+v.floats > 0 {
			note = span + ", and " + note
		}
		return note
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
		return c.addDate(s, &p.dates, p.texts)
	case p.isClasses():
		return c.addClasses(s, &p.counter, p.texts)
	default:
		s.add("type", "string")
		return p.describe()
	}
}
