package config

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"tfr-build/sources"
)

// A field is a key of a struct. Its tags describe it completely:
//
//	yaml       name
//	default    value if the key is missing, as in the text
//	required   the key has no default
//	enum       allowed words
//	is         spelling
//	range      smallest and largest number
//	empty      a list may be empty
//	one        a list of one element may be the element alone
//	unique     kind of the strings of a list, each of which may be in it once
//	alone      the key excludes the others with this tag
//	ranges     a string of a list may contain ranges, which expand to more strings
//	canonical  "-": not in the canonical text; "set": only if it is not the default
//	doc        sentences for the JSON Schema, which an editor shows alone
//	example    value for the JSON Schema, in YAML
//	kinds      for a field of type sources.Chosen, instead of yaml: "source" or "side"
type field struct {
	key   string
	of    reflect.Type
	index []int
	tag   reflect.StructTag
	how   spelling // zero: any string

	isKind bool // a key of a field of type sources.Chosen
}

// structs has the fields of the structs that were met: a config may have 10,000 features, all with the same fields.
type structs map[reflect.Type][]field

func (s structs) fieldsOf(t reflect.Type) []field {
	all, ok := s[t]
	if !ok {
		all = fieldsOf(t)
		s[t] = all
	}
	return all
}

// fieldsOf returns the keys of a struct, including the keys of embedded structs.
func fieldsOf(t reflect.Type) []field {
	var all []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("kinds") != "" {
			all = append(all, kindFields(f)...)
		} else if f.Tag.Get("yaml") != "" {
			all = append(all, fieldOf(f))
		}
	}
	return all
}

// fieldOf returns a field of a struct, which may have no key.
func fieldOf(f reflect.StructField) field {
	of := f.Type
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	how, known := spelled[of]
	if !known {
		how = spellings[f.Tag.Get("is")]
	}
	return field{key: f.Tag.Get("yaml"), of: f.Type, index: f.Index, tag: f.Tag, how: how}
}

// check returns what was expected instead of an invalid string, and maybe a hint.
func (s spelling) check(text string) (expected, hint string) {
	if s.rule == nil {
		return "", ""
	}
	return s.rule(text)
}

// has reports whether the field has a tag.
func (f field) has(tag string) bool { return f.tag.Get(tag) != "" }

// value returns the value of the field in a struct. For the key of a source type that was not
// chosen, it is a nil pointer.
func (f field) value(of reflect.Value) reflect.Value {
	v := of.FieldByIndex(f.index)
	if !f.isKind {
		return v
	}
	if k := v.Interface().(sources.Chosen); k.Name == f.key {
		return reflect.ValueOf(k.Options)
	}
	return reflect.Zero(f.of)
}

// words returns the words that the value can be; nil if it is not one of several words.
func (f field) words() []string {
	if f.of != nil {
		if words, ok := reflect.Zero(f.of).Interface().(interface{ Words() []string }); ok {
			return words.Words()
		}
	}
	return strings.Fields(f.tag.Get("enum"))
}

// bounds returns the smallest and the largest number that the value can be.
func (f field) bounds() (low, high int64) {
	bounds := strings.Fields(f.tag.Get("range"))
	if len(bounds) != 2 {
		return math.MinInt64, math.MaxInt64
	}
	low, _ = strconv.ParseInt(bounds[0], 10, 64)
	high, _ = strconv.ParseInt(bounds[1], 10, 64)
	return low, high
}
