package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"tfr-build/schema"
)

// JSONSchema is the JSON Schema (draft 2020-12) of the language, made from its
// Go types; editors complete configs from it. What only the loader can see,
// such as keys that exclude each other, is not in it.
func JSONSchema() []byte {
	g := &generator{defs: object{}}
	root := g.mapping(reflect.TypeFor[document]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "tfr-build config"
	root["required"] = append(root["required"].([]string), "features")
	root["oneOf"] = []any{object{"required": []string{"source"}}, object{"required": []string{"sources"}}}
	g.defs["text"] = object{"type": []string{"string", "number", "boolean"}}
	g.defs["texts"] = object{"type": "array", "items": scalar()}
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
	defs object // of structs, by their names
}

// mapping is the schema of a struct's keys.
func (g *generator) mapping(t reflect.Type) object {
	properties := object{}
	required := []string{}
	for _, f := range fieldsOf(t) {
		if notYet[reservedKey(t, f.key)] {
			continue
		}
		s := g.value(f.of, f.tag)
		s["description"] = f.tag.Get("doc")
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

// jsonDefault is a default as JSON has it.
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

// value is the schema of a field.
func (g *generator) value(t reflect.Type, tag reflect.StructTag) object {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s := g.own(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		return g.ref(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return textList()
		}
		return object{"type": "array", "items": g.ref(t.Elem())}
	case reflect.String:
		return word(tag)
	case reflect.Bool:
		return orVariable(object{"type": "boolean"})
	}
	if tag.Get("is") == "size" {
		return text(sizeForm.String())
	}
	number := object{"type": "integer"}
	if t.Kind() == reflect.Uint64 {
		number["minimum"] = 0
	}
	if bounds := strings.Fields(tag.Get("range")); len(bounds) == 2 {
		number["minimum"], number["maximum"] = json.Number(bounds[0]), json.Number(bounds[1])
	}
	return orVariable(number)
}

// ref refers to the schema of a struct, which stands once.
func (g *generator) ref(t reflect.Type) object {
	name := strings.ToLower(t.Name())
	if _, there := g.defs[name]; !there {
		g.defs[name] = nil // a struct may hold itself
		g.defs[name] = g.mapping(t)
	}
	return object{"$ref": "#/$defs/" + name}
}

// word is the schema of a text that has a form or is one of some words.
func word(tag reflect.StructTag) object {
	words := []string{}
	for word := range strings.FieldsSeq(tag.Get("enum")) {
		if !notYet[tag.Get("yaml")+": "+word] {
			words = append(words, word)
		}
	}
	switch is := tag.Get("is"); {
	case len(words) > 0:
		return orVariable(object{"enum": words})
	case is == "type":
		return orVariable(object{"enum": schema.TypeNames()})
	case is == "name":
		return text(nameRule.String())
	case is == "version":
		return text(versionRule.String())
	}
	return scalar()
}

// text is the schema of a text of a form.
func text(pattern string) object {
	return orVariable(object{"type": "string", "pattern": pattern})
}

// scalar is the schema of a text: any scalar is one.
func scalar() object { return object{"$ref": "#/$defs/text"} }

func textList() object { return object{"$ref": "#/$defs/texts"} }

func orVariable(s object) object {
	return object{"anyOf": []any{s, object{"$ref": "#/$defs/variable"}}}
}

func anyOf(schemas ...any) object { return object{"anyOf": schemas} }

func mappingOf(values any) object {
	return object{"type": "object", "additionalProperties": values}
}

// own is the schema of a type that has a form of its own in the text.
func (g *generator) own(t reflect.Type) object {
	count := object{"type": "integer", "minimum": 1, "maximum": maxShards}
	switch t {
	case reflect.TypeFor[Files](), reflect.TypeFor[From](), reflect.TypeFor[Patterns]():
		return anyOf(scalar(), textList())
	case reflect.TypeFor[Extensions]():
		return anyOf(object{"const": "any"}, textList())
	case reflect.TypeFor[Pairs]():
		return mappingOf(scalar())
	case reflect.TypeFor[Loads]():
		return mappingOf(g.ref(reflect.TypeFor[Loaded]()))
	case reflect.TypeFor[On]():
		return anyOf(scalar(), mappingOf(scalar()))
	case reflect.TypeFor[Split]():
		return anyOf(text(splitRule.String()), g.ref(t))
	case reflect.TypeFor[Missing]():
		return anyOf(orVariable(object{"enum": missingWords}), g.ref(t))
	case reflect.TypeFor[Fractions]():
		return mappingOf(text(shareForm.String()))
	case reflect.TypeFor[Shards]():
		return anyOf(orVariable(count), g.ref(t))
	case reflect.TypeFor[Count]():
		return anyOf(orVariable(count), mappingOf(orVariable(count)))
	case reflect.TypeFor[MaxErrors]():
		return anyOf(object{"type": "integer", "minimum": 0}, text(shareForm.String()))
	case reflect.TypeFor[Features]():
		return mappingOf(anyOf(word(`is:"type"`), g.ref(reflect.TypeFor[Feature]())))
	case reflect.TypeFor[Shape]():
		return object{"type": "array", "items": orVariable(object{"type": "integer", "minimum": -1})}
	case reflect.TypeFor[Constant]():
		return scalar()
	case reflect.TypeFor[Classes]():
		return anyOf(scalar(), textList(), g.ref(t))
	case reflect.TypeFor[Unknown]():
		return anyOf(object{"const": "error"}, orVariable(object{"type": "integer"}))
	}
	return nil
}
