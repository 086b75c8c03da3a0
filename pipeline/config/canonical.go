package config

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strconv"

	"tfr-build/sources/input"
)

// Canonical is the config as a text that two configs share if they describe
// the same dataset: defaults filled in, keys in a fixed order, neither output
// nor rejects, no absolute path. What the config names itself, its sources,
// splits, features, columns, keeps its order. Parse takes the text, with an
// output added.
//
// classes gives the names in a file of classes, by its path in the config. A
// file for which it gives none keeps its name.
func (c *Config) Canonical(classes func(path string) []string) []byte {
	return textOf(c, classes, false)
}

// ShortText returns the canonical text of a config without keys that have their defaults. Parse
// reads it as the same config.
func ShortText(c *Config, classes func(path string) []string) []byte { return textOf(c, classes, true) }

func textOf(c *Config, classes func(path string) []string, isShort bool) []byte {
	if classes == nil {
		classes = func(string) []string { return nil }
	}
	described := *c
	if c.OnError == "fail" {
		described.MaxErrors = MaxErrors{} // it has no effect, so it says nothing of the dataset
	}
	e := encoder{forms, classes, isShort}
	return e.fields(reflect.ValueOf(described)).appendYAML(nil, 0)
}

// ConfigDigest is the SHA-256, in hex, of the canonical text, of what the files of
// class_per_file hold, and of the release of the zones, where dates are of one.
func (c *Config) ConfigDigest(classes func(path string) []string) string {
	h := sha256.New()
	h.Write(c.Canonical(classes))
	if zones := c.Zones(); zones != "" {
		h.Write([]byte("\x00zones " + zones)) // NUL, which the text cannot hold
	}
	for i := range c.Sources {
		file := c.Sources[i].ClassFile()
		if file == "" || classes == nil {
			continue
		}
		h.Write([]byte{0}) // which the text cannot hold
		for _, name := range classes(file) {
			h.Write([]byte(name + "\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// An encoder makes nodes of Go values.
type encoder struct {
	forms   formTable
	classes func(path string) []string
	isShort bool // without defaults
}

// fields makes a mapping of a struct. What says nothing is left out.
func (e encoder) fields(v reflect.Value) *node {
	n := &node{kind: mappingNode}
	for _, f := range fieldsOf(v.Type()) {
		if f.tag.Get("canonical") == "-" {
			continue
		}
		value := e.value(f.value(v), f)
		if value == nil || f.saysNothing(value) || e.isShort && f.isDefault(value) {
			continue
		}
		n.add(f.key, value)
	}
	return n
}

// isDefault reports whether a value is the default of its key. The default of seed depends on the
// order.
func (f field) isDefault(value *node) bool {
	if f.key == "seed" {
		return false
	}
	switch value.kind {
	case scalarNode:
		text := f.tag.Get("default")
		if s := f.spelling(); text != "" && s.keep != nil && s.canonical != nil {
			text = s.canonical(s.keep(text))
		}
		return text != "" && value.text == text
	case mappingNode:
		return f.of == reflect.TypeFor[Limits]() && len(value.pairs) == 0
	}
	return false
}

// saysNothing reports whether a value is left out for being the default: keys that
// came later are, or the digests of configs that do not know them would move.
func (f field) saysNothing(value *node) bool {
	return f.tag.Get("canonical") == "set" && value.isScalar() && value.text == f.tag.Get("default")
}

// value makes a node of v, which is that of a key; nil where v says nothing.
func (e encoder) value(v reflect.Value, of field) *node {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if own := e.forms[v.Type()]; own.encode != nil {
		return own.encode(e, v)
	}
	canonical := of.spelling().canonical
	if canonical == nil {
		canonical = func(kept string) string { return kept }
	}
	switch v.Kind() {
	case reflect.Struct:
		return e.fields(withRelativeFiles(v))
	case reflect.Slice:
		return e.slice(v)
	case reflect.String:
		if v.String() == "" {
			return nil
		}
		return textNode(canonical(v.String()))
	case reflect.Bool:
		return plainNode(strconv.FormatBool(v.Bool()))
	case reflect.Uint64:
		return plainNode(strconv.FormatUint(v.Uint(), 10))
	}
	return plainNode(canonical(strconv.FormatInt(v.Int(), 10)))
}

func (e encoder) slice(v reflect.Value) *node {
	if texts, ok := v.Interface().([]string); ok {
		return listOf(texts)
	}
	if v.Len() == 0 {
		return nil
	}
	n := &node{kind: listNode}
	for i := range v.Len() {
		n.list = append(n.list, e.value(v.Index(i), field{}))
	}
	return n
}

// withRelativeFiles is the options of a kind that has files, with their names
// relative to its root: where they are mounted is no part of a dataset.
func withRelativeFiles(v reflect.Value) reflect.Value {
	files, root := v.FieldByName("Files"), v.FieldByName("Root")
	if !files.IsValid() || !root.IsValid() || files.Type() != reflect.TypeFor[input.Files]() {
		return v
	}
	relative := reflect.New(v.Type()).Elem()
	relative.Set(v)
	relative.FieldByName("Files").Set(reflect.ValueOf(relativeTo(root.String(), files.Interface().(input.Files))))
	return relative
}
