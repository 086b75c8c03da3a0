package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// JSONSchema returns the JSON Schema (draft 2020-12) of the language, made from its Go types.
// Editors use it for completion. It does not have the rules that only the loader can check, such as
// keys that exclude each other.
func JSONSchema() []byte {
	g := &generator{forms, object{}}
	root := g.structSchema(reflect.TypeFor[document]())
	root["$id"] = "urn:tfr-build:config"
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "tfr-build config"
	root["anyOf"] = []any{object{"required": []string{"features"}}, object{"required": []string{"record"}}}
	root["oneOf"] = []any{object{"required": []string{"source"}}, object{"required": []string{"sources"}}}
	g.defs["scalar"] = object{"type": []string{"string", "number", "boolean"}}
	g.defs["scalars"] = object{"type": "array", "items": scalar()}
	g.defs["variable"] = object{"type": "string", "pattern": `\$\{`}
	root["$defs"] = g.defs
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic("config: the JSON Schema does not encode: " + err.Error()) // strings and numbers only
	}
	return b.Bytes()
}

type object = map[string]any

// A generator makes schemas of Go types.
type generator struct {
	forms formTable
	defs  object // schemas of structs, by name
}

// structSchema returns the schema of a struct's keys.
func (g *generator) structSchema(t reflect.Type) object {
	properties := object{}
	required := []string{}
	for _, f := range fieldsOf(t) {
		s := g.fieldSchema(f)
		s["description"] = f.tag.Get("doc")
		if example := f.example(); example != nil {
			s["examples"] = []any{example}
		}
		if text := f.tag.Get("default"); text != "" {
			s["default"] = jsonDefault(text)
		}
		if f.tag.Get("required") != "" {
			required = append(required, f.key)
		}
		properties[f.key] = s
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// example returns an example of the value for the JSON Schema. It is the example of its tag,
// otherwise a word or bool that is not the default, otherwise the default.
func (f field) example() any {
	if text := f.tag.Get("example"); text != "" {
		return constant(text)
	}
	byDefault := f.tag.Get("default")
	words := f.words()
	for _, word := range words {
		if word != byDefault {
			return word
		}
	}
	switch {
	case f.of.Kind() == reflect.Bool:
		return byDefault != "true"
	case byDefault != "":
		return jsonDefault(byDefault)
	case len(words) > 0:
		return words[0]
	}
	return nil
}

// jsonDefault returns a default as a value of JSON.
func jsonDefault(text string) any {
	n := defaultNode(text)
	if n.kind == listNode {
		texts := []string{}
		for _, e := range n.list {
			texts = append(texts, e.text)
		}
		return texts
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if b, err := strconv.ParseBool(text); err == nil {
		return b
	}
	return text
}

// fieldSchema returns the schema of a field.
func (g *generator) fieldSchema(f field) object {
	t := f.of
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch own := g.forms[t]; {
	case own != nil:
		return own.schema(g, t)
	case f.how.schema != nil:
		return f.how.schema()
	}
	switch {
	case f.isKind:
		return g.kindSchema(f.key, t)
	case t.Kind() == reflect.Struct:
		return g.ref(t)
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return textsFor(f).schema(g, t)
		}
		list := object{"type": "array", "items": g.fieldSchema(field{of: t.Elem()})}
		if f.tag.Get("one") != "" {
			return anyOf(g.ref(t.Elem()), list)
		}
		return list
	case reflect.String:
		if words := f.words(); len(words) > 0 {
			return orVariable(object{"enum": words})
		}
		return scalar()
	case reflect.Bool:
		return orVariable(object{"type": "boolean"})
	}
	number := object{"type": "integer"}
	if t.Kind() == reflect.Uint64 {
		number["minimum"] = 0
	}
	if low, high := f.bounds(); f.tag.Get("range") != "" {
		number["minimum"], number["maximum"] = low, high
	}
	return orVariable(number)
}

// kindSchema returns the schema of a source type: a mapping, or the value of one key alone.
func (g *generator) kindSchema(name string, t reflect.Type) object {
	mapping := g.named(name, t)
	if short, ok := shortField(fieldsOf(t)); ok {
		return anyOf(g.fieldSchema(short), mapping)
	}
	return mapping
}

// ref returns a reference to the schema of a struct, which is written once.
func (g *generator) ref(t reflect.Type) object {
	return g.named(strings.ToLower(t.Name()), t)
}

func (g *generator) named(name string, t reflect.Type) object {
	if _, there := g.defs[name]; !there {
		g.defs[name] = nil // a struct may contain itself
		g.defs[name] = g.structSchema(t)
	}
	return object{"$ref": "#/$defs/" + name}
}

// matching returns a function that makes the schema of a string that matches a pattern.
func matching(pattern *regexp.Regexp) func() object {
	return func() object { return orVariable(object{"type": "string", "pattern": pattern.String()}) }
}

// scalar returns the schema of a string: any scalar is one.
func scalar() object { return object{"$ref": "#/$defs/scalar"} }

func stringListSchema() object { return object{"$ref": "#/$defs/scalars"} }

func orVariable(s object) object {
	return object{"anyOf": []any{s, object{"$ref": "#/$defs/variable"}}}
}

func anyOf(schemas ...any) object { return object{"anyOf": schemas} }
