package config

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"reflect"
	"strconv"
	"strings"
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
	if classes == nil {
		classes = func(string) []string { return nil }
	}
	n := c.encode(canonical{classes})
	return n.appendYAML(nil, 0)
}

// ConfigDigest is the SHA-256, in hex, of the canonical text and of what the
// files of class_per_file hold.
func (c *Config) ConfigDigest(classes func(path string) []string) string {
	h := sha256.New()
	h.Write(c.Canonical(classes))
	for i := range c.Sources {
		images := c.Sources[i].Images
		if images == nil || images.ClassPerFile == "" || classes == nil {
			continue
		}
		h.Write([]byte{0})
		for _, name := range classes(images.ClassPerFile) {
			h.Write([]byte(name + "\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// An encodable type has a form of its own in the canonical text; nil where it
// says nothing.
type encodable interface {
	encode(k canonical) *node
}

// A canonical makes nodes of Go values.
type canonical struct {
	classes func(path string) []string
}

// fields makes a mapping of a struct. What says nothing is left out.
func (k canonical) fields(v reflect.Value) *node {
	n := &node{kind: mappingNode}
	for _, f := range fieldsOf(v.Type()) {
		if f.tag.Get("canonical") == "-" {
			continue
		}
		if value := k.value(v.FieldByIndex(f.index), f.tag); value != nil {
			n.add(f.key, value)
		}
	}
	return n
}

// value makes a node of v; nil where v says nothing.
func (k canonical) value(v reflect.Value, tag reflect.StructTag) *node {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if own, ok := v.Interface().(encodable); ok {
		return own.encode(k)
	}
	switch v.Kind() {
	case reflect.Struct:
		return k.fields(v)
	case reflect.Slice:
		return k.slice(v)
	case reflect.String:
		s := v.String()
		switch {
		case s == "":
			return nil
		case tag.Get("is") == "path":
			s = relative(s)
		}
		return textNode(s)
	case reflect.Bool:
		return plainNode(strconv.FormatBool(v.Bool()))
	case reflect.Uint64:
		return plainNode(strconv.FormatUint(v.Uint(), 10))
	}
	if tag.Get("is") == "size" {
		return plainNode(strconv.FormatInt(v.Int(), 10) + "B")
	}
	return plainNode(strconv.FormatInt(v.Int(), 10))
}

func (k canonical) slice(v reflect.Value) *node {
	if texts, ok := v.Interface().([]string); ok {
		if texts == nil {
			return nil
		}
		return listOf(texts)
	}
	if v.Len() == 0 {
		return nil
	}
	n := &node{kind: listNode}
	for i := range v.Len() {
		n.list = append(n.list, k.value(v.Index(i), ""))
	}
	return n
}

// relative is a path without what only this machine knows: the last element of
// an absolute one.
func relative(s string) string {
	if !path.IsAbs(s) {
		return s
	}
	if s = path.Base(s); s == "/" {
		return "."
	}
	return s
}

// relativeFile is the name of a file, or a pattern, as an absolute one gets it:
// relative to its root.
func relativeFile(file, root string) string {
	if !path.IsAbs(file) {
		return file
	}
	base := path.Clean(root)
	if root == "" {
		base = path.Dir(file)
		for strings.ContainsAny(base, "*?[") {
			base = path.Dir(base)
		}
	}
	rest, below := strings.CutPrefix(path.Clean(file), strings.TrimSuffix(base, "/")+"/")
	switch {
	case !below:
		return relative(file)
	case root == "":
		return rest
	}
	return path.Join(relative(base), rest)
}
