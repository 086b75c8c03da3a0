package config

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strconv"

	"tfr-build/sources/input"
)

// Canonical returns the config as text. Two configs have the same text if they describe the same
// dataset. All defaults are filled in, and keys are in a fixed order. Sources, splits, features,
// and columns keep the order of the config. The text has no output, no rejects, and no absolute
// path. Parse reads it if an output is added.
//
// classes returns the names in a class file by its path in the config. If it returns none, the text
// has the name of the file.
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
		described.MaxErrors = nil // it has no effect on the dataset
	}
	e := encoder{structs{}, forms, classes, isShort}
	return e.encodeFields(reflect.ValueOf(described)).appendYAML(nil, 0)
}

// ConfigDigest returns the SHA-256, in hex, of the canonical text and of the names in the files of
// class_per_file. If a date has a time zone, it also covers the release of the time zone database.
func (c *Config) ConfigDigest(classes func(path string) []string) string {
	h := sha256.New()
	h.Write(c.Canonical(classes))
	if zones := c.Zones(); zones != "" {
		h.Write([]byte("\x00zones " + zones)) // the text cannot contain NUL
	}
	for i := range c.Sources {
		file := c.Sources[i].ClassFile()
		if file == "" || classes == nil {
			continue
		}
		h.Write([]byte{0}) // the text cannot contain NUL
		for _, name := range classes(file) {
			h.Write([]byte(name + "\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// An encoder converts Go values to nodes.
type encoder struct {
	structs
	forms   formTable
	classes func(path string) []string
	isShort bool // skips keys that have their defaults
}

// encodeFields returns a mapping of the fields of a struct, without those that have no value.
func (e encoder) encodeFields(v reflect.Value) *node {
	n := &node{kind: mappingNode}
	for _, f := range e.fieldsOf(v.Type()) {
		if f.tag.Get("canonical") == "-" {
			continue
		}
		value := e.encodeValue(f.value(v), f)
		if value == nil || f.isOmitted(value) || e.isShort && f.isDefault(value) {
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
		if s := f.how; text != "" && s.keep != nil && s.canonical != nil {
			text = s.canonical(s.keep(text))
		}
		return text != "" && value.text == text
	case mappingNode:
		return f.of == reflect.TypeFor[Limits]() && len(value.pairs) == 0
	}
	return false
}

// isOmitted reports whether the canonical text omits a value because it is the default. Keys that
// were added later are omitted: they must not change the digests of older configs.
func (f field) isOmitted(value *node) bool {
	return f.tag.Get("canonical") == "set" && value.isScalar() && value.text == f.tag.Get("default")
}

// encodeValue returns the node of v, the value of a key; nil if v has no value.
func (e encoder) encodeValue(v reflect.Value, of field) *node {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if own := e.forms[v.Type()]; own != nil {
		return own.encode(e, v)
	}
	canonical := of.how.canonical
	if canonical == nil {
		canonical = func(kept string) string { return kept }
	}
	switch v.Kind() {
	case reflect.Struct:
		return e.encodeFields(withRelativeFiles(v))
	case reflect.Slice:
		return e.encodeSlice(v, of)
	case reflect.String:
		if v.String() == "" {
			return nil
		}
		return stringNode(canonical(v.String()))
	case reflect.Bool:
		return plainNode(strconv.FormatBool(v.Bool()))
	case reflect.Uint64:
		return plainNode(canonical(strconv.FormatUint(v.Uint(), 10)))
	}
	if low, _ := of.bounds(); v.Int() == 0 && low > 0 {
		return nil // not set
	}
	return plainNode(canonical(strconv.FormatInt(v.Int(), 10)))
}

func (e encoder) encodeSlice(v reflect.Value, of field) *node {
	if v.Type().Elem().Kind() == reflect.String {
		return texts{}.encode(e, v)
	}
	if v.Len() == 0 && (v.IsNil() || !of.has("empty")) {
		return nil
	}
	n := &node{kind: listNode}
	for i := range v.Len() {
		n.list = append(n.list, e.encodeValue(v.Index(i), field{}))
	}
	return n
}

// withRelativeFiles returns the options of a source type with file names relative to its root. The
// dataset does not depend on where its files are mounted.
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
