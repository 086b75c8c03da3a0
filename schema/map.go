package schema

import (
	"cmp"
	"fmt"

	"tfr-build/internal/nearest"
)

// A mapping is a compiled Map.
type mapping struct {
	texts  []string
	values map[string][]byte
	other  []byte // the value of all other strings; nil if they are errors
}

func (c *compiler) checkMap(m *Map) {
	if len(m.Strings) == 0 || len(m.Strings) != len(m.Values) {
		c.report("map", "found %s and %s; expected one for each", counted(len(m.Strings), "string"),
			counted(len(m.Values), "value"))
	}
	seen := make(map[string]bool, len(m.Strings))
	for _, text := range m.Strings {
		if seen[text] {
			c.report("map", "duplicate string %s", quote(text))
		}
		seen[text] = true
	}
}

// convertMap converts the values of the map, if the feature has one.
func (c *compiler) convertMap(x *field) {
	if x.Map == nil {
		return
	}
	m := &mapping{texts: x.Map.Strings, values: make(map[string][]byte, len(x.Map.Strings))}
	for i, text := range x.Map.Strings {
		value, err := x.convertConfigured(&x.Map.Values[i])
		if err != nil {
			c.report("map", "%s: %s", quote(text), err.Message)
		}
		m.values[text] = value
	}
	if x.Map.Unknown != nil {
		value, err := x.convertConfigured(x.Map.Unknown)
		if err != nil {
			c.report("map.unknown", "%s", err.Message)
		}
		m.other = value
	}
	// An empty cell is missing, unless the map says what it means.
	if _, named := m.values[""]; named {
		x.takesEmpty = true
	}
	x.mapped, x.to = m, toMapped
}

// find returns the converted value for a string; nil if the map has none.
func (m *mapping) find(text []byte) []byte {
	if value := m.values[string(text)]; value != nil {
		return value
	}
	return m.other
}

func (c *converter) convertMapped(f *field, v *Value) *RowError {
	if v.Kind == Bytes {
		return c.pos.wrongKind(f, v)
	}
	value := f.mapped.find(v.Text)
	if value == nil {
		return c.pos.notMapped(f, v)
	}
	c.body = append(c.body, value...)
	return nil
}

func (p *position) notMapped(f *field, v *Value) *RowError {
	message := fmt.Sprintf("%s is not one of the %s of the map", quote(v.Text), counted(len(f.mapped.texts), "string"))
	if len(f.mapped.texts) == 1 {
		message = fmt.Sprintf("%s is not the only string of the map, %s", quote(v.Text), quote(f.mapped.texts[0]))
	} else if near := nearest.Of(string(v.Text), f.mapped.texts); near != "" {
		message += "; the nearest is " + quote(near)
	}
	isMapped := func(text []byte) bool { return f.mapped.find(text) != nil }
	return p.newError(f, v, "MAP_UNKNOWN", message, cmp.Or(nullHint(f, v), spacedHint(v, isMapped)))
}
