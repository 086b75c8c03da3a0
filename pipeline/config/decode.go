package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/sources"
)

// A decoder lays nodes over Go values, strictly.
type decoder struct {
	*faults
	forms formTable
	known map[reflect.Type][]field // there may be 10,000 features, each of the same fields

	ranges int // bytes of the names that ranges stand for, so far
}

func newDecoder(f *faults) *decoder {
	return &decoder{faults: f, forms: forms, known: map[reflect.Type][]field{}}
}

func (d *decoder) fieldsOf(t reflect.Type) []field {
	all, ok := d.known[t]
	if !ok {
		all = fieldsOf(t)
		d.known[t] = all
	}
	return all
}

// field is the field of a key of t.
func (d *decoder) field(t reflect.Type, key string) field {
	all := d.fieldsOf(t)
	return all[slices.IndexFunc(all, func(f field) bool { return f.key == key })]
}

// shortField returns the key of a source type that its value may be alone, as in
// csv: a.csv; ok is false if it has none.
func shortField(all []field) (f field, ok bool) {
	i := slices.IndexFunc(all, func(f field) bool { return f.key == "files" || f.key == "dir" })
	if i < 0 {
		return field{}, false
	}
	return all[i], true
}

// A spot is a value of the text on its way into a Go value.
type spot struct {
	*node
	path  string
	field field // of its key; zero in lists, and below names that the config chooses
}

// entry is the value of a pair of the mapping at a spot.
func (d *decoder) entry(at spot, q pair) spot {
	return d.spot(subPath(at.path, q.key), q.value)
}

// inside is the path of an element of a list.
func (s spot) inside(i int) string { return s.path + "[" + strconv.Itoa(i) + "]" }

// element is the value of the list at a spot.
func (d *decoder) element(at spot, i int) spot {
	return d.spot(at.inside(i), at.list[i])
}

func (d *decoder) spot(path string, n *node) spot {
	d.places[path] = n.place
	return spot{path: path, node: n}
}

// value lays what is at a spot over v. A common mistake gets its help.
func (d *decoder) value(at spot, v reflect.Value) {
	if at.faulty {
		d.spoil(at.path)
		return
	}
	before := len(d.list)
	d.lay(at, v)
	if v.Kind() == reflect.Bool {
		d.suggest(at, "bool", before)
	}
	d.suggest(at, at.field.key, before)
}

func (d *decoder) lay(at spot, v reflect.Value) {
	if at.field.isKind {
		v = choose(v.Addr().Interface().(*sources.Chosen), at.field.key)
		if f, ok := shortField(d.fieldsOf(v.Type())); ok && at.kind != mappingNode && !at.isNull() {
			at.node = at.under(f.key)
		}
	}
	if own := d.forms[v.Type()]; own.decode != nil {
		own.decode(d, at, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(at, v.Elem())
	case reflect.Struct:
		d.fields(at, v)
	case reflect.Slice:
		d.slice(at, v)
	case reflect.String:
		v.SetString(d.word(at))
	case reflect.Bool:
		v.SetBool(d.boolean(at))
	case reflect.Uint64:
		v.SetUint(d.unsigned(at))
	default:
		v.SetInt(d.integer(at))
	}
}

// slice lays a list over v: of texts, or of structs.
func (d *decoder) slice(at spot, v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.String {
		decodeTexts(d, at, v)
		return
	}
	if at.kind == mappingNode && at.field.tag.Get("one") != "" {
		at.node = &node{kind: listNode, list: []*node{at.node}, place: at.place}
	}
	switch isOne := at.field.tag.Get("one") != ""; {
	case at.kind == listNode:
	case isOne:
		d.expected(at, "a mapping, or a list of mappings")
		return
	default:
		d.expected(at, "a list")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(at.list), len(at.list)))
	for i := range at.list {
		before, element := len(d.list), d.element(at, i)
		d.value(element, v.Index(i))
		d.suggest(element, at.field.key+"[]", before)
	}
}

// fields lays a mapping over a struct. Absent keys get their defaults.
func (d *decoder) fields(at spot, v reflect.Value) {
	if own := v.FieldByName("At"); own.IsValid() {
		own.SetString(at.path)
	}
	if at.kind != mappingNode {
		d.expected(at, "a mapping")
		return
	}
	all := d.fieldsOf(v.Type())
	given := map[string]bool{}
	for _, q := range at.pairs {
		sub := subPath(at.path, q.key)
		i := slices.IndexFunc(all, func(f field) bool { return f.key == q.key })
		switch {
		case slices.Contains(reserved(v.Type(), ""), q.key):
			help, _ := keyHelp(d, v.Type(), q, nil)
			d.faultAt(q.at, sub, help, "not supported yet")
			given[q.key] = true
		case i < 0:
			meant := d.unknown(v.Type(), sub, q)
			if meant != "" {
				given[meant] = given[meant] || d.field(v.Type(), meant).tag.Get("default") == ""
				d.spoil(subPath(at.path, meant)) // or it would be said to be missing, too
			}
		default:
			given[q.key] = true
			value := d.spot(sub, q.value)
			value.field = all[i]
			d.value(value, v.FieldByIndex(all[i].index))
		}
	}
	for _, f := range all {
		if !given[f.key] {
			d.absent(at.path, f, v.FieldByIndex(f.index))
		}
	}
}

// absent gives a field what it is when its key is not there.
func (d *decoder) absent(path string, f field, v reflect.Value) {
	switch text := f.tag.Get("default"); {
	case f.tag.Get("required") != "":
		d.missing(path, f.key)
	case text != "":
		// A default has no place in the text, so the place of what it stands in
		// is that of its faults: what is laid here must not leave one.
		aside := decoder{faults: &faults{places: places{}}, forms: d.forms, known: d.known}
		aside.value(spot{node: defaultNode(text), field: f}, v)
	case f.of.Kind() == reflect.Struct && d.forms[f.of].decode == nil:
		d.fields(spot{path: subPath(path, f.key), node: &node{kind: mappingNode}}, v)
	}
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

// mostNames is how many names a message lists.
const mostNames = 8

// unknown is the problem of a key that does not exist. It returns the key that was
// meant, as far as one can tell.
func (d *decoder) unknown(in reflect.Type, path string, q pair) string {
	var names []string
	for _, f := range d.fieldsOf(in) {
		names = append(names, f.key)
	}
	help, meant := keyHelp(d, in, q, names)
	text := "unknown key"
	if help == "" {
		text += "; expected " + someOf(names)
	}
	d.faultAt(q.at, path, help, "%s", text)
	return meant
}

// someOf lists names in order; of many the first, and where all of them are.
func someOf(names []string) string {
	names = slices.Sorted(slices.Values(names))
	if len(names) <= mostNames {
		return oneOf(names)
	}
	return strings.Join(names[:mostNames], ", ") + ", …; see docs/reference/config"
}
