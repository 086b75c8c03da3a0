package config

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"tfr-build/sources"
)

// A field is a key of a struct. Its tags are all that there is to say of it:
//
//	yaml       its name
//	default    what it is when it is absent, as in the text
//	required   that it has no default
//	enum       the words that it is one of
//	is         its spelling
//	range      the least and the greatest number
//	empty      that a list may be empty
//	one        that a list of one may be its element alone
//	ranges     that a text of a list may hold ranges, which stand for more texts
//	canonical  "-": it is no part of the canonical text; "set": only where it is not the default
//	doc        sentences for the JSON Schema, which an editor shows alone
//	example    a value for the JSON Schema, in YAML
//	kinds      of a field of type sources.Chosen, in place of yaml: "source" or "side"
type field struct {
	key   string
	in    reflect.Type // the struct
	of    reflect.Type
	index []int
	tag   reflect.StructTag

	isKind bool // one of the keys of a field of type sources.Chosen, of which one is given
}

// fieldsOf lists the keys of a struct, those of embedded ones included.
func fieldsOf(t reflect.Type) []field {
	var all []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("kinds") != "" {
			all = append(all, kindFields(t, f)...)
		} else if key := f.Tag.Get("yaml"); key != "" {
			all = append(all, field{key: key, in: t, of: f.Type, index: f.Index, tag: f.Tag})
		}
	}
	return all
}

// value is the value of the field of a struct; a nil pointer for a kind that it
// is not of.
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

// words are those that the value is one of, if there are such, and those kept
// for later.
func (f field) words() (words, later []string) {
	return strings.Fields(f.tag.Get("enum")), reserved(f.in, f.key)
}

// spelling is that of the value; zero for any.
func (f field) spelling() spelling { return spellings[f.tag.Get("is")] }

// bounds are the least and the greatest number that the value may be.
func (f field) bounds() (low, high int64) {
	bounds := strings.Fields(f.tag.Get("range"))
	if len(bounds) != 2 {
		return math.MinInt64, math.MaxInt64
	}
	low, _ = strconv.ParseInt(bounds[0], 10, 64)
	high, _ = strconv.ParseInt(bounds[1], 10, 64)
	return low, high
}
