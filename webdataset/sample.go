package webdataset

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/message"
	"tfr-build/schema"
)

// KeyFeature is the feature that is the key of a record. Records without it have the row ID as key.
const KeyFeature = "__key__"

// A Sample says how records are stored as members, in the order of the members.
type Sample []Member

// A Member is a file of a record.
type Member struct {
	// Name is the name after the key and a dot. It is empty for an image whose format decides the name.
	Name string `json:"name,omitempty"`

	As       Form      `json:"as"`
	Features []Feature `json:"features"` // only Object has several
}

// A Form is how values become the content of a member.
type Form string

// The forms.
const (
	Key    Form = "key"   // no member: the name of all members
	Bytes  Form = "bytes" // the bytes of a value; of several values one member each
	Number Form = "cls"   // an integer in decimal digits
	Object Form = "json"  // a JSON object, as in `record: json`, where floats without a fraction have a point
	Array  Form = "npy"   // NumPy's format 1.0
)

// A Feature is a feature of the Example.
type Feature struct {
	Key     string         `json:"key"`
	Type    string         `json:"type"`
	Shape   []int          `json:"shape,omitempty"` // as in the config
	Packing schema.Packing `json:"packing,omitempty"`
	Omitted bool           `json:"omitted,omitempty"` // a record may lack it

	kind schema.Type
}

// newFeature returns an entry of a record.
func newFeature(e schema.Entry) Feature {
	f := Feature{Key: e.Key, Type: e.Type.String(), Shape: e.Shape, Packing: e.Packing, Omitted: e.IsOptional(),
		kind: e.Type}
	if e.IsLengths {
		f.Type, f.Shape, f.kind = schema.Int64.String(), []int{-1}, schema.Int64
	} else if e.RaggedRank() > 0 {
		f.Shape = e.ListShape()
	}
	return f
}

// list returns the list of the Example that has the values.
func (f *Feature) list() message.List {
	switch {
	case f.Packing != schema.NotPacked || f.kind.IsText():
		return message.BytesList
	case f.kind.IsFloat():
		return message.FloatList
	}
	return message.Int64List
}

// isBinary reports whether JSON has the values in Base64.
func (f *Feature) isBinary() bool {
	return f.Packing != schema.NotPacked || f.kind.IsText() && f.kind != schema.StringType
}

// isList reports whether the feature has a list of values.
func (f *Feature) isList() bool { return f.Packing == schema.NotPacked && len(f.Shape) > 0 }

// Check returns an error if a Sample from a manifest is not one that New returns. It also completes the Sample.
func (s Sample) Check() error {
	for i := range s {
		m := &s[i]
		if !slices.Contains([]Form{Key, Bytes, Number, Object, Array}, m.As) || len(m.Features) == 0 && m.As != Object {
			return fmt.Errorf("the member %q is stored as %q, of %d features", m.Name, m.As, len(m.Features))
		}
		for k := range m.Features {
			f := &m.Features[k]
			kind, ok := schema.ParseType(f.Type)
			if at, problem := schema.CheckShape(f.Shape); !ok || problem != "" {
				return fmt.Errorf("the member %q: the feature %q has the type %q%s", m.Name, f.Key, f.Type, at)
			}
			f.kind = kind
			if !f.fits(m.As) {
				return fmt.Errorf("the member %q: the feature %q of %s cannot be stored as %q", m.Name, f.Key,
					f.Type, m.As)
			}
		}
	}
	return nil
}

// fits reports whether New stores the feature in a member of this form.
func (f *Feature) fits(as Form) bool {
	switch as {
	case Object:
		return true
	case Array:
		return f.descr() != ""
	case Number:
		return f.list() == message.Int64List && !f.isList()
	}
	return f.list() == message.BytesList
}

// HasKey reports whether a feature is the key.
func (s Sample) HasKey() bool { return len(s) > 0 && s[0].As == Key }

// isOwn reports whether a member with this name is stored for a Member of the sample other than an image without a
// name.
func (s Sample) isOwn(name string) bool {
	return slices.ContainsFunc(s, func(m Member) bool {
		_, rest, numbered := cutNumber(name)
		return m.Name != "" && (m.Name == name || numbered && m.Name == rest && m.Features[0].isList())
	})
}

// cutNumber cuts the number off the name of a member for one of several values: 12.jpg.
func cutNumber(name string) (number, rest string, ok bool) {
	number, rest, ok = strings.Cut(name, ".")
	return number, rest, ok && isDigits(number)
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
