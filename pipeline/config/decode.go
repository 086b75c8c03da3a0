package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
)

// A parser lays nodes over Go values and keeps the faults and the places.
type parser struct {
	env      func(string) (string, bool)
	problems Problems
	places   map[string]place
	told     map[Problem]bool
	sets     []*columnSet // of the sources
	unsure   bool         // what a source is has a fault, and so what columns it has

	faulty       map[string]bool // paths of values with a fault
	faultyInside map[string]bool // and of values around those
}

func newParser(file string, env func(string) (string, bool)) *parser {
	return &parser{env: env, problems: Problems{File: file},
		places: map[string]place{}, told: map[Problem]bool{},
		faulty: map[string]bool{}, faultyInside: map[string]bool{}}
}

// problem keeps q. What several sources share is told once.
func (p *parser) problem(q Problem) {
	p.spoil(q.Path)
	if !p.told[q] {
		p.told[q] = true
		p.problems.List = append(p.problems.List, q)
	}
}

// spoil marks the value at path as faulty, and those around it.
func (p *parser) spoil(path string) {
	p.faulty[path] = true
	for path != "" {
		p.faultyInside[path] = true
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
}

// bad is a fault of the value at path.
func (p *parser) bad(path, format string, args ...any) {
	p.hinted(path, "", format, args...)
}

// hinted is a fault with a hint.
func (p *parser) hinted(path, hint, format string, args ...any) {
	at := nearestPlace(p.places, path)
	p.problem(Problem{Path: path, Line: at.line, Col: at.col, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// fine reports whether none of the values at paths has a fault.
func (p *parser) fine(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return p.faulty[path] })
}

// fineInside reports whether neither the value at path nor one inside it has a
// fault.
func (p *parser) fineInside(path string) bool { return !p.faultyInside[path] }

// A decodable type has a form of its own in the text.
type decodable interface {
	decode(p *parser, path string, n *node)
}

// value lays n over v, strictly. tag is that of the field.
func (p *parser) value(path string, n *node, v reflect.Value, tag reflect.StructTag) {
	p.places[path] = n.place
	if n.faulty {
		p.spoil(path)
		return
	}
	if own, ok := v.Addr().Interface().(decodable); ok {
		own.decode(p, path, n)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.value(path, n, v.Elem(), tag)
	case reflect.Struct:
		p.fields(path, n, v)
	case reflect.Slice:
		p.slice(path, n, v, tag)
	case reflect.String:
		v.SetString(p.word(path, n, tag))
	case reflect.Bool:
		v.SetBool(p.boolean(path, n))
	case reflect.Uint64:
		v.SetUint(p.unsigned(path, n))
	default:
		v.SetInt(p.integer(path, n, tag))
	}
}

// slice lays a list over v: of texts, or of structs.
func (p *parser) slice(path string, n *node, v reflect.Value, tag reflect.StructTag) {
	if v.Type().Elem().Kind() == reflect.String {
		if texts, ok := p.texts(path, n, tag.Get("empty") != ""); ok {
			v.Set(reflect.ValueOf(texts).Convert(v.Type()))
		}
		return
	}
	if n.kind != listNode {
		p.wants(path, n, "a list")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.list), len(n.list)))
	for i, e := range n.list {
		p.value(path+"["+strconv.Itoa(i)+"]", e, v.Index(i), "")
	}
}

// A field is a key of a struct.
type field struct {
	key   string
	index []int
	tag   reflect.StructTag
	of    reflect.Type
}

// fieldsOf lists the keys of a struct, those of embedded ones included.
func fieldsOf(t reflect.Type) []field {
	var all []field
	for _, f := range reflect.VisibleFields(t) {
		if key := f.Tag.Get("yaml"); key != "" {
			all = append(all, field{key, f.Index, f.Tag, f.Type})
		}
	}
	return all
}

// fields lays a mapping over a struct. Absent keys get their defaults.
func (p *parser) fields(path string, n *node, v reflect.Value) {
	if at := v.FieldByName("At"); at.IsValid() {
		at.SetString(path)
	}
	if n.kind != mappingNode {
		p.wants(path, n, "a mapping")
		return
	}
	all := fieldsOf(v.Type())
	given := map[string]bool{}
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		i := slices.IndexFunc(all, func(f field) bool { return f.key == q.key })
		switch {
		case notYet[reservedKey(v.Type(), q.key)]:
			p.places[sub] = q.at
			p.bad(sub, "not yet")
			given[q.key] = true
		case i < 0:
			p.places[sub] = q.at
			meant := p.unknown(sub, q.key, v.Type(), all)
			given[meant] = true
			p.spoil(subPath(path, meant))
		default:
			given[q.key] = true
			p.value(sub, q.value, v.FieldByIndex(all[i].index), all[i].tag)
		}
	}
	for _, f := range all {
		if !given[f.key] {
			p.absent(path, f, v)
		}
	}
}

// absent gives a field what it is when its key is not there.
func (p *parser) absent(path string, f field, v reflect.Value) {
	target := v.FieldByIndex(f.index)
	_, own := target.Addr().Interface().(decodable)
	switch {
	case f.tag.Get("required") != "":
		p.missing(path, f.key)
	case f.tag.Get("default") != "":
		newParser("", nil).value("", defaultNode(f.tag.Get("default")), target, f.tag)
	case f.of.Kind() == reflect.Struct && !own:
		p.fields(subPath(path, f.key), &node{kind: mappingNode}, target)
	}
}

// missing is the fault of a key that has to be there.
func (p *parser) missing(path, key string) {
	at := nearestPlace(p.places, path)
	sub := subPath(path, key)
	p.problem(Problem{Path: sub, Line: at.line, Col: at.col, Text: "missing; it has no default"})
}

// defaultNode is the node of a default: a plain scalar, or a list of them.
func defaultNode(text string) *node {
	inside, isList := strings.CutPrefix(text, "[")
	if !isList {
		return plainNode(text)
	}
	n := &node{kind: listNode}
	for s := range strings.SplitSeq(strings.TrimSuffix(inside, "]"), ", ") {
		n.list = append(n.list, plainNode(s))
	}
	return n
}

// unknown is the fault of a key that is not there. It returns the key that
// was meant, as far as one can tell.
func (p *parser) unknown(path, key string, t reflect.Type, all []field) string {
	var names []string
	for _, f := range all {
		if !notYet[reservedKey(t, f.key)] {
			names = append(names, f.key)
		}
	}
	meant := nearest.Of(key, names)
	p.hinted(path, didYouMean(meant), "unknown key; want %s", oneOf(names))
	return meant
}
