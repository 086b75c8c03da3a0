package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources"
)

// A decoder decodes nodes into Go values, strictly.
type decoder struct {
	*collector
	structs
	forms formTable

	ranges int // total bytes of the names that ranges expand to
}

func newDecoder(f *collector) *decoder {
	return &decoder{collector: f, structs: structs{}, forms: forms}
}

// keysOf returns the keys of t.
func (d *decoder) keysOf(t reflect.Type) []string { return keysOf(d.fieldsOf(t)) }

func keysOf(fields []field) (keys []string) {
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	return keys
}

// field returns the field of a key of t.
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

// A spot is a node that is being decoded, with its path and field.
type spot struct {
	*node
	path  string
	field field  // of its key; zero in lists, and under names that the config chooses
	what  string // expected, if the key has several forms
}

// entry returns the value of a pair of the mapping at a spot.
func (d *decoder) entry(at spot, q pair) spot {
	return d.spot(subPath(at.path, q.key), q.value)
}

// elementPath returns the path of an element of a list.
func (s spot) elementPath(i int) string { return s.path + "[" + strconv.Itoa(i) + "]" }

// element returns an element of the list at a spot.
func (d *decoder) element(at spot, i int) spot {
	return d.spot(at.elementPath(i), at.list[i])
}

func (d *decoder) spot(path string, n *node) spot {
	d.positions[path] = n.position
	return spot{path: path, node: n}
}

// decodeValue decodes a spot into v. Common mistakes get a hint.
func (d *decoder) decodeValue(at spot, v reflect.Value) {
	if at.invalid {
		d.markInvalid(at.path)
		return
	}
	before := len(d.list)
	d.assign(at, v)
	if v.Kind() == reflect.Bool {
		d.suggest(at, "bool", before)
	}
	d.suggest(at, at.field.key, before)
}

func (d *decoder) assign(at spot, v reflect.Value) {
	if at.field.isKind {
		v = chooseKind(v.Addr().Interface().(*sources.Chosen), at.field.key)
		if f, ok := shortField(d.fieldsOf(v.Type())); ok && at.kind != mappingNode && !at.isNull() {
			at.node = at.asMapping(f.key)
		}
	}
	if own := d.forms[v.Type()]; own != nil {
		own.decode(d, at, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.decodeValue(at, v.Elem())
	case reflect.Struct:
		d.decodeFields(at, v)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.String {
			textsFor(at.field).decode(d, at, v)
			return
		}
		d.decodeList(at, v)
	case reflect.String:
		v.SetString(d.readWord(at))
	case reflect.Bool:
		v.SetBool(d.readBool(at))
	case reflect.Uint64:
		v.SetUint(d.readUnsigned(at))
	default:
		low, high := at.field.bounds()
		v.SetInt(d.readBetween(at, low, high))
	}
}

// decodeList decodes a list of structs or numbers into v.
func (d *decoder) decodeList(at spot, v reflect.Value) {
	what := "a list"
	if at.field.has("one") {
		what = "a mapping, or a list of mappings"
		if at.kind == mappingNode {
			at.node = &node{kind: listNode, list: []*node{at.node}, position: at.position}
		}
	}
	if at.kind != listNode {
		d.reportExpected(at, what)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(at.list), len(at.list)))
	for i := range at.list {
		element := d.element(at, i)
		element.field = field{key: at.field.key + "[]", tag: at.field.tag}
		d.decodeValue(element, v.Index(i))
	}
}

// setPath sets the path of a struct that keeps its own.
func setPath(v reflect.Value, path string) {
	if own := v.FieldByName("At"); own.IsValid() {
		own.SetString(path)
	}
}

// decodeFields decodes a mapping into a struct. Missing keys get their defaults.
func (d *decoder) decodeFields(at spot, v reflect.Value) {
	setPath(v, at.path)
	if at.kind != mappingNode {
		d.reportExpected(at, "a mapping")
		return
	}
	all := d.fieldsOf(v.Type())
	given, empty := map[string]bool{}, "" // empty is the last known key, if it has no value
	for _, q := range at.pairs {
		sub := subPath(at.path, q.key)
		i := slices.IndexFunc(all, func(f field) bool { return f.key == q.key })
		switch {
		case i < 0:
			meant := d.reportUnknownKey(v.Type(), sub, q, empty)
			if meant != "" {
				given[meant] = given[meant] || d.field(v.Type(), meant).tag.Get("default") == ""
				d.markInvalid(subPath(at.path, meant)) // it is not missing, too
			}
		default:
			given[q.key], empty = true, ""
			if q.value.isNull() {
				empty = q.key
			}
			value := d.spot(sub, q.value)
			value.field = all[i]
			d.decodeValue(value, v.FieldByIndex(all[i].index))
		}
	}
	if alone := slices.DeleteFunc(aloneKeys(all), at.lacksKey); len(alone) > 1 {
		d.report(subPath(at.path, alone[1]), "%s and %s exclude each other", alone[0], alone[1])
	}
	for _, f := range all {
		switch {
		case given[f.key]:
		case f.has("required"):
			d.reportMissing(at.path, f.key)
		default:
			d.setDefault(at.path, f, v.FieldByIndex(f.index))
		}
	}
}

// aloneKeys returns the keys that exclude each other.
func aloneKeys(all []field) (keys []string) {
	for _, f := range all {
		if f.has("alone") {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// setDefaults sets the keys of a struct to their defaults.
func (d *decoder) setDefaults(path string, v reflect.Value) {
	setPath(v, path)
	for _, f := range d.fieldsOf(v.Type()) {
		d.setDefault(path, f, v.FieldByIndex(f.index))
	}
}

// setDefault sets a field whose key is missing to its default.
func (d *decoder) setDefault(path string, f field, v reflect.Value) {
	switch text := f.tag.Get("default"); {
	case text != "":
		// A default has no position in the text. Its problems belong to the mapping around it, so
		// this decoder must not record a position here.
		aside := decoder{collector: &collector{positions: positions{}}, structs: d.structs, forms: d.forms}
		aside.decodeValue(spot{node: defaultNode(text), field: f}, v)
	case f.of.Kind() == reflect.Struct && d.forms[f.of] == nil:
		d.decodeFields(spot{path: subPath(path, f.key), node: &node{kind: mappingNode}}, v)
	}
}

// defaultNode returns the node of a default: a plain scalar, or a list of them.
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

// mostNames is the largest number of names in a message.
const mostNames = 8

// reportUnknownKey reports a key that does not exist. It returns the key that was probably meant;
// empty if unknown. The key before it may be empty because this one is not indented.
func (d *decoder) reportUnknownKey(in reflect.Type, path string, q pair, empty string) string {
	names := d.keysOf(in)
	help, meant := keyHelp(d, in, q, names)
	switch {
	case empty != "" && meant != "":
		help += " If it belongs to " + empty + ", indent it"
	case empty != "":
		help = "if it belongs to " + empty + ", indent it"
	}
	text := "unknown key"
	if help == "" {
		text += "; expected " + someOf(names)
	}
	d.reportAt(q.at, path, help, "%s", text)
	return meant
}

// someOf lists the first names in alphabetical order, and where to find the others.
func someOf(names []string) string {
	names = slices.Sorted(slices.Values(names))
	if len(names) <= mostNames {
		return plural.OneOf(names)
	}
	return strings.Join(names[:mostNames], ", ") + ", …; see docs/reference/config"
}
