package config

import (
	"cmp"
	"reflect"
	"slices"

	"tfr-build/internal/plural"
)

// A form is the syntax of a type that does not follow from its kind: how it is read, written, and described.
type form interface {
	decode(d *decoder, at spot, v reflect.Value)
	encode(e encoder, v reflect.Value) *node
	schema(g *generator, t reflect.Type) object
}

type formTable map[reflect.Type]form

// A formRow is a type and its form.
type formRow struct {
	of reflect.Type
	form
}

func row[T any](f form) formRow { return formRow{reflect.TypeFor[T](), f} }

func tableOf(rows ...formRow) formTable {
	table := formTable{}
	for _, r := range rows {
		table[r.of] = r.form
	}
	return table
}

// typed adapts a function of *T to a function of any value.
func typed[T any](f func(*decoder, spot, *T)) func(*decoder, spot, reflect.Value) {
	return func(d *decoder, at spot, v reflect.Value) { f(d, at, v.Addr().Interface().(*T)) }
}

// A choice is a struct with shorter forms than the mapping of its keys.
type choice struct {
	what   string // expected, in messages
	shorts []short
	isLong bool // the canonical text has a mapping where a short form sets a key
	isOne  bool // a mapping needs one of the keys that exclude each other

	refuse func(d *decoder, at spot) bool             // reports a common mistake
	check  func(d *decoder, at spot, v reflect.Value) // checks keys together
	write  func(e encoder, v reflect.Value) *node     // instead of the shortest form
}

// A short form is a value that sets one field. The field may have no key.
type short struct {
	field  string                         // name in Go; empty for a word that is the zero value
	fits   func(d *decoder, n *node) bool // nil for any scalar
	word   string                         // the only value; the field is then a bool
	as     form                           // form of the field, if its type has another one
	schema func() object                  // instead of the schema of the field
	isLast bool                           // in the JSON Schema, after the mapping
}

func isValue(_ *decoder, n *node) bool     { return n.isScalar() && !n.isNull() }
func isScalar(_ *decoder, n *node) bool    { return n.isScalar() }
func isNoMapping(_ *decoder, n *node) bool { return n.kind != mappingNode }
func isList(_ *decoder, n *node) bool      { return n.kind == listNode }
func isMapping(_ *decoder, n *node) bool   { return n.kind == mappingNode }
func isNumber(_ *decoder, n *node) bool    { return looksLikeNumber(n) }
func isBool(d *decoder, n *node) bool      { return isValue(d, n) && oldBool.MatchString(n.text) }

// in returns the field that a short form sets in a struct.
func (s short) in(t reflect.Type) field {
	f, _ := t.FieldByName(s.field)
	return fieldOf(f)
}

func (c choice) decode(d *decoder, at spot, v reflect.Value) {
	if c.refuse != nil && c.refuse(d, at) {
		return
	}
	fits := func(s short) bool {
		switch {
		case s.word != "":
			return at.isScalar() && at.text == s.word
		case s.fits == nil:
			return isValue(d, at.node)
		}
		return s.fits(d, at.node)
	}
	i, all := slices.IndexFunc(c.shorts, fits), d.fieldsOf(v.Type())
	switch {
	case i >= 0:
		d.setDefaults(at.path, v)
		c.shorts[i].decode(d, c.what, at, v)
	case at.kind == mappingNode && len(all) > 0:
		for _, s := range c.shorts {
			if f := s.in(v.Type()); f.key == "" && f.of.Kind() == reflect.Bool && s.word == "" {
				v.FieldByIndex(f.index).SetBool(true)
			}
		}
		d.decodeFields(at, v)
	default:
		d.reportExpected(at, c.what)
		return
	}
	if c.check != nil {
		c.check(d, at, v)
	}
	switch alone := aloneKeys(all); {
	case !c.isOne || i >= 0 || slices.ContainsFunc(alone, at.hasKey) || !d.isValidInside(at.path):
	case len(at.pairs) == 0:
		d.reportExpected(at, c.what)
	default:
		d.report(at.path, "expected the key %s", plural.OneOf(alone))
	}
}

func (s short) decode(d *decoder, what string, at spot, v reflect.Value) {
	if s.field == "" {
		return
	}
	key := at.field.key
	at.field, at.what = s.in(v.Type()), what
	at.field.key = cmp.Or(at.field.key, key)
	v = v.FieldByIndex(at.field.index)
	switch {
	case s.word != "":
		v.SetBool(true)
	case s.as != nil:
		s.as.decode(d, at, v)
	default:
		d.decodeValue(at, v)
	}
}

// encode returns the first short form that says all.
func (c choice) encode(e encoder, v reflect.Value) *node {
	if c.write != nil {
		return c.write(e, v)
	}
	said := encoder{e.structs, e.forms, e.classes, true}.encodeFields(v).pairs
	for _, s := range c.shorts {
		if s.field == "" {
			continue
		}
		f := s.in(v.Type())
		value := v.FieldByIndex(f.index)
		isUsed := len(said) == 0
		switch {
		case f.key != "":
			isUsed = !c.isLong && (isUsed || len(said) == 1 && said[0].key == f.key)
		case value.IsZero():
			isUsed = value.Kind() == reflect.Bool // false, which turns the keys off
		}
		switch {
		case s.word != "" && value.Bool():
			return stringNode(s.word)
		case s.word != "" || !isUsed:
		case s.as != nil:
			return s.as.encode(e, value)
		default:
			return e.encodeValue(value, f)
		}
	}
	switch {
	case len(e.fieldsOf(v.Type())) > 0:
		return e.encodeFields(v)
	case c.shorts[0].field == "":
		return stringNode(c.shorts[0].word)
	}
	return nil
}

func (c choice) schema(g *generator, t reflect.Type) object {
	var before, after []any
	for _, s := range c.shorts {
		var one object
		switch {
		case s.schema != nil:
			one = s.schema()
		case s.word != "":
			one = object{"const": s.word}
		default:
			one = g.fieldSchema(s.in(t))
		}
		switch {
		case s.isLast:
			after = append(after, one)
		case !slices.ContainsFunc(before, func(other any) bool { return reflect.DeepEqual(other, one) }):
			before = append(before, one)
		}
	}
	if len(fieldsOf(t)) > 0 {
		before = append(before, g.ref(t))
	}
	if len(before) == 1 {
		return before[0].(object)
	}
	return anyOf(append(before, after...)...)
}

// A mapping is a slice of structs: names that the config chooses, in their order. The first field of a struct is the
// name. The value is the struct itself if it has keys, otherwise its second field.
type mapping struct {
	what    string   // expected, in messages
	name    spelling // of the names
	value   spelling // of the values, unless their field has one
	key     string   // of the values, for hints
	emptyOK bool     // an empty mapping differs from none
	isOne   bool     // a string is the name and the value of the only entry
	atKey   bool     // a value that fits nothing else is reported at its name
	most    int      // largest number of names; 0 for any

	entry func(d *decoder, sub spot, q pair) bool    // reports a common mistake in an entry
	check func(d *decoder, at spot, v reflect.Value) // checks the entries together
	of    func() object                              // JSON Schema of the values, instead of the one of their field
}

// values returns the field with the value of a struct. It has no index if the struct itself is the value.
func (m mapping) values(known structs, t reflect.Type) field {
	f := field{of: t}
	if len(known.fieldsOf(t)) == 0 {
		f = fieldOf(t.Field(1))
	}
	f.key = m.key
	if m.value.rule != nil {
		f.how = m.value
	}
	return f
}

func (m mapping) decode(d *decoder, at spot, v reflect.Value) {
	isAlone := m.isOne && isValue(d, at.node)
	switch {
	case isAlone:
		at.node = at.asMapping(at.text)
	case at.kind != mappingNode || len(at.pairs) == 0 && !m.emptyOK:
		d.reportExpected(at, m.what)
		return
	case m.most > 0 && len(at.pairs) > m.most:
		d.report(at.path, "found %d features; expected at most %d", len(at.pairs), m.most)
		return
	}
	list := reflect.MakeSlice(v.Type(), 0, len(at.pairs))
	values := m.values(d.structs, v.Type().Elem())
	for _, q := range at.pairs {
		element := reflect.New(v.Type().Elem()).Elem()
		element.Field(0).SetString(q.key)
		sub := d.entry(at, q)
		sub.field = values
		if isAlone {
			sub.path = at.path
		}
		setPath(element, sub.path)
		if m.entry != nil && m.entry(d, sub, q) {
			continue
		}
		d.decodeValue(sub, element.FieldByIndex(values.index))
		if expected, hint := m.name.check(q.key); expected != "" {
			d.reportAt(q.at, sub.path, hint, "found %s%s; expected %s", m.name.noun, quoteValue(q.key), expected)
		}
		if m.atKey {
			d.positions[sub.path] = q.at
		}
		list = reflect.Append(list, element)
	}
	v.Set(list)
	if m.check != nil {
		m.check(d, at, v)
	}
}

func (m mapping) encode(e encoder, v reflect.Value) *node {
	if v.Len() == 0 {
		return nil
	}
	n := &node{kind: mappingNode}
	values := m.values(e.structs, v.Type().Elem())
	for i := range v.Len() {
		element := v.Index(i)
		value := e.encodeValue(element.FieldByIndex(values.index), values)
		if value == nil {
			value = stringNode("")
		}
		n.add(element.Field(0).String(), value)
	}
	if only := n.pairs[0]; m.isOne && len(n.pairs) == 1 && only.value.text == only.key {
		return only.value
	}
	return n
}

func (m mapping) schema(g *generator, t reflect.Type) object {
	var values object
	if m.of != nil {
		values = m.of()
	} else {
		values = g.fieldSchema(m.values(structs{}, t.Elem()))
	}
	s := object{"type": "object", "additionalProperties": values}
	if m.isOne {
		return anyOf(values, s)
	}
	return s
}

// texts is a list of strings. Its type is a slice, or a struct of one and of a bool, which is true if the config has
// a list.
type texts struct {
	one    string // expected instead of a list, if a string is a list of one
	each   spelling
	unique string // kind of the strings, if each may be in the list once
	empty  bool   // an empty list differs from none
	ranges bool   // strings may contain ranges, which expand to more strings
}

// textsFor returns the form of a list of strings that the tags of its key describe.
func textsFor(f field) texts {
	l := texts{each: f.how, unique: f.tag.Get("unique"), empty: f.has("empty"), ranges: f.has("ranges")}
	if f.has("one") {
		l.one = "a string, or a list of strings"
	}
	return l
}

func (l texts) decode(d *decoder, at spot, v reflect.Value) {
	isRange := l.ranges && at.isScalar() && hasRange(at.text)
	all, what := []spot{at}, cmp.Or(l.one, "a list of strings")
	switch {
	case at.kind == listNode && (len(at.list) > 0 || l.empty):
		all, what = nil, "a string"
		for i := range at.list {
			all = append(all, d.element(at, i))
		}
	case at.kind == listNode || l.one == "" && !isRange:
		d.reportExpected(at, "a list of strings")
		return
	}
	list, first, ok := []string{}, map[string]int{}, true
	for i, sub := range all {
		sub.field.how = l.each
		if sub.isNull() && at.kind == listNode && !sub.invalid {
			d.reportWithHint(sub.path, "quote it", "found nothing; expected a string")
			ok = false
			continue
		}
		s, isValid := d.readString(sub, what)
		if isValid {
			s, isValid = d.applySpelling(sub, s)
		}
		if j, duplicate := first[s]; isValid && duplicate && l.unique != "" {
			d.report(sub.path, "duplicate %s %s; the first is number %d", l.unique, quoteValue(sub.text), j)
		} else if isValid {
			first[s] = i
		}
		names := []string{s}
		if isValid && l.ranges && hasRange(s) {
			names, isValid = d.expandRanges(sub.path, s)
		}
		list, ok = append(list, names...), ok && isValid
	}
	if v.Kind() == reflect.Struct {
		v.Field(1).SetBool(at.kind == listNode || isRange)
		v = v.Field(0)
	}
	if ok {
		v.Set(reflect.ValueOf(list).Convert(v.Type()))
	}
}

func (l texts) encode(_ encoder, v reflect.Value) *node {
	isList := true
	if v.Kind() == reflect.Struct {
		v, isList = v.Field(0), v.Field(1).Bool()
	}
	switch {
	case v.IsNil() || !isList && v.Len() == 0:
		return nil
	case isList:
		return &node{kind: listNode, strings: v.Convert(reflect.TypeFor[[]string]()).Interface().([]string)}
	}
	return stringNode(v.Index(0).String())
}

func (l texts) schema(*generator, reflect.Type) object {
	if l.one != "" {
		return anyOf(scalar(), stringListSchema())
	}
	return stringListSchema()
}

// own is the form of a type with a syntax of its own.
type own struct {
	read     func(d *decoder, at spot, v reflect.Value)
	write    func(v reflect.Value) *node
	describe func() object
}

func ownForm[T any](read func(*decoder, spot, *T), write func(T) *node, describe func() object) own {
	return own{typed(read), func(v reflect.Value) *node { return write(v.Interface().(T)) }, describe}
}

func (o own) decode(d *decoder, at spot, v reflect.Value) { o.read(d, at, v) }
func (o own) encode(_ encoder, v reflect.Value) *node     { return o.write(v) }
func (o own) schema(_ *generator, _ reflect.Type) object  { return o.describe() }
