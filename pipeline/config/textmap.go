package config

import (
	"reflect"

	"tfr-build/schema"
)

// A ValueMap gives texts the values that they stand for.
type ValueMap struct {
	Values  MappedValues `yaml:"values" required:"yes" doc:"Strings of the column and the values that are stored for them." example:"{'yes': 1, 'no': 0}"`
	Unknown *Constant    `yaml:"unknown" doc:"Value for all other strings. Default: they are errors." example:"-1"`
}

// MappedValues are texts with their values, in the order of the config.
type MappedValues []MappedValue

// A MappedValue is a text and the value that it stands for.
type MappedValue struct {
	Text  string
	Value Constant
	At    string // its path in the config
}

// A SplitMap gives texts the splits that they stand for.
type SplitMap struct {
	Values  MappedSplits `yaml:"values" required:"yes" doc:"Strings of the column and their splits." example:"{'0': train, '1': test}"`
	Unknown string       `yaml:"unknown" doc:"Split of all other strings. Default: they are errors." example:"train"`
}

// MappedSplits are texts with their splits, in the order of the config.
type MappedSplits []MappedSplit

// A MappedSplit is a text and the split that it stands for.
type MappedSplit struct{ Text, Split string }

// isLongMap reports whether a map is written with `values`: in the short form that
// would be a text, whose value is no mapping.
func isLongMap(at spot) bool {
	for _, q := range at.pairs {
		if q.key == "values" {
			return q.value.kind == mappingNode
		}
	}
	return false
}

// decodeMapped calls take for each text of a mapping, and the spot of what the text
// stands for.
func decodeMapped(d *decoder, at spot, what string, take func(text string, sub spot)) {
	if at.kind != mappingNode || len(at.pairs) == 0 {
		d.expected(at, "a mapping of texts to "+what)
		return
	}
	for _, q := range at.pairs {
		take(q.key, d.entry(at, q))
	}
}

func decodeValueMap(d *decoder, at spot, m *ValueMap) {
	if isLongMap(at) {
		d.fields(at, reflect.ValueOf(m).Elem())
		return
	}
	decodeMappedValues(d, at, &m.Values)
}

func encodeValueMap(e encoder, m ValueMap) *node {
	if m.Unknown == nil {
		return encodeMappedValues(e, m.Values)
	}
	return e.fields(reflect.ValueOf(m))
}

func valueMapSchema(g *generator) object {
	return anyOf(mappedValuesSchema(g), g.ref(reflect.TypeFor[ValueMap]()))
}

func decodeMappedValues(d *decoder, at spot, l *MappedValues) {
	decodeMapped(d, at, "values", func(text string, sub spot) {
		v := MappedValue{Text: text, At: sub.path}
		decodeConstant(d, sub, &v.Value)
		*l = append(*l, v)
	})
}

func encodeMappedValues(e encoder, l MappedValues) *node {
	return entries(l, func(v MappedValue) (string, *node) { return v.Text, encodeConstant(e, v.Value) })
}

func mappedValuesSchema(*generator) object { return mappingOf(scalar()) }

func decodeSplitMap(d *decoder, at spot, m *SplitMap) {
	if !isLongMap(at) {
		decodeMappedSplits(d, at, &m.Values)
		return
	}
	d.fields(at, reflect.ValueOf(m).Elem())
	if path := at.path + ".unknown"; at.has("unknown") && d.fine(path) {
		checkSplitName(d, d.places.of(path), path, m.Unknown)
	}
}

func encodeSplitMap(e encoder, m SplitMap) *node {
	if m.Unknown == "" {
		return encodeMappedSplits(e, m.Values)
	}
	return e.fields(reflect.ValueOf(m))
}

func splitMapSchema(g *generator) object {
	return anyOf(mappedSplitsSchema(g), g.ref(reflect.TypeFor[SplitMap]()))
}

func decodeMappedSplits(d *decoder, at spot, l *MappedSplits) {
	decodeMapped(d, at, "splits", func(text string, sub spot) {
		if name, ok := d.text(sub, "a split's name"); ok {
			checkSplitName(d, d.places.of(sub.path), sub.path, name)
			*l = append(*l, MappedSplit{text, name})
		}
	})
}

func encodeMappedSplits(_ encoder, l MappedSplits) *node {
	return entries(l, func(v MappedSplit) (string, *node) { return v.Text, textNode(v.Split) })
}

func mappedSplitsSchema(*generator) object { return mappingOf(matching(splitForm)()) }

// names are the splits that a map names, each once.
func (m *SplitMap) names() (names []string) {
	there := map[string]bool{"": true}
	add := func(name string) {
		if !there[name] {
			there[name] = true
			names = append(names, name)
		}
	}
	for _, v := range m.Values {
		add(v.Split)
	}
	add(m.Unknown)
	return names
}

// compile is the map as the schema takes it; nil for none.
func (m *ValueMap) compile() *schema.Map {
	if m == nil {
		return nil
	}
	compiled := &schema.Map{Unknown: m.Unknown.value()}
	for i := range m.Values {
		compiled.Texts = append(compiled.Texts, m.Values[i].Text)
		compiled.Values = append(compiled.Values, *m.Values[i].Value.value())
	}
	return compiled
}
