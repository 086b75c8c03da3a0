package config

import (
	"slices"

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
	Unknown string       `yaml:"unknown" is:"split" doc:"Split of all other strings. Default: they are errors." example:"train"`
}

// MappedSplits are strings with their splits, in the order of the config.
type MappedSplits []MappedSplit

// A MappedSplit is a string and its split.
type MappedSplit struct {
	Text  string
	Split string `is:"splitname"`
}

// isShortMap reports whether a map is written without `values`. In the short form `values` would be a string of the
// column, whose value is not a mapping.
func isShortMap(_ *decoder, n *node) bool {
	return !slices.ContainsFunc(n.pairs, func(q pair) bool { return q.key == "values" && q.value.kind == mappingNode })
}

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
