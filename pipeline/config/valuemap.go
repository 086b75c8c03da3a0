package config

import (
	"reflect"

	"tfr-build/schema"
)

// A ValueMap maps strings to the values that are stored for them.
type ValueMap struct {
	Values  MappedValues `yaml:"values" required:"yes" doc:"Strings of the column and the values that are stored for them." example:"{'yes': 1, 'no': 0}"`
	Unknown *Constant    `yaml:"unknown" doc:"Value for all other strings. Default: they are errors." example:"-1"`
}

// MappedValues are strings with their values, in the order of the config.
type MappedValues []MappedValue

// A MappedValue is a string and the value that is stored for it.
type MappedValue struct {
	Text  string
	Value Constant
	At    string // path in the config
}

// A SplitMap maps strings to splits.
type SplitMap struct {
	Values  MappedSplits `yaml:"values" required:"yes" doc:"Strings of the column and their splits." example:"{'0': train, '1': test}"`
	Unknown string       `yaml:"unknown" doc:"Split of all other strings. Default: they are errors." example:"train"`
}

// MappedSplits are strings with their splits, in the order of the config.
type MappedSplits []MappedSplit

// A MappedSplit is a string and its split.
type MappedSplit struct{ Text, Split string }

// isLongMap reports whether a map is written with `values`. In the short form `values` would be a
// string of the column, whose value is not a mapping.
func isLongMap(at spot) bool {
	for _, q := range at.pairs {
		if q.key == "values" {
			return q.value.kind == mappingNode
		}
	}
	return false
}

// decodeMapped calls add for each string of a mapping, with the spot of its value.
func decodeMapped(d *decoder, at spot, what string, add func(text string, sub spot)) {
	for q, sub := range d.entries(at, "a mapping of strings to "+what) {
		add(q.key, sub)
	}
}

func decodeValueMap(d *decoder, at spot, m *ValueMap) {
	if isLongMap(at) {
		d.decodeFields(at, reflect.ValueOf(m).Elem())
		return
	}
	decodeMappedValues(d, at, &m.Values)
}

func encodeValueMap(e encoder, m ValueMap) *node {
	if m.Unknown == nil {
		return encodeMappedValues(e, m.Values)
	}
	return e.encodeFields(reflect.ValueOf(m))
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
	return encodeMapping(l, func(v MappedValue) (string, *node) { return v.Text, encodeConstant(e, v.Value) })
}

func mappedValuesSchema(*generator) object { return mappingOf(scalar()) }

func decodeSplitMap(d *decoder, at spot, m *SplitMap) {
	if !isLongMap(at) {
		decodeMappedSplits(d, at, &m.Values)
		return
	}
	d.decodeFields(at, reflect.ValueOf(m).Elem())
	if path := at.path + ".unknown"; at.hasKey("unknown") && d.isValid(path) {
		checkSplitName(d, d.positions.closest(path), path, m.Unknown)
	}
}

func encodeSplitMap(e encoder, m SplitMap) *node {
	if m.Unknown == "" {
		return encodeMappedSplits(e, m.Values)
	}
	return e.encodeFields(reflect.ValueOf(m))
}

func splitMapSchema(g *generator) object {
	return anyOf(mappedSplitsSchema(g), g.ref(reflect.TypeFor[SplitMap]()))
}

func decodeMappedSplits(d *decoder, at spot, l *MappedSplits) {
	decodeMapped(d, at, "splits", func(text string, sub spot) {
		if name, ok := d.readString(sub, "a split's name"); ok {
			checkSplitName(d, d.positions.closest(sub.path), sub.path, name)
			*l = append(*l, MappedSplit{text, name})
		}
	})
}

func encodeMappedSplits(_ encoder, l MappedSplits) *node {
	return encodeMapping(l, func(v MappedSplit) (string, *node) { return v.Text, stringNode(v.Split) })
}

func mappedSplitsSchema(*generator) object { return mappingOf(matching(splitForm)()) }

// names returns the splits in the map, each once.
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

// compile returns the map for the schema; nil if m is nil.
func (m *ValueMap) compile() *schema.Map {
	if m == nil {
		return nil
	}
	compiled := &schema.Map{Unknown: m.Unknown.value()}
	for i := range m.Values {
		compiled.Strings = append(compiled.Strings, m.Values[i].Text)
		compiled.Values = append(compiled.Values, *m.Values[i].Value.value())
	}
	return compiled
}
