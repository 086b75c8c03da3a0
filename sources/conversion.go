package sources

import (
	"tfr-build/pixels/convert"
	"tfr-build/sources/images"
	"tfr-build/sources/tar"
)

// MemberConversions are the conversions of the members of archives, in the order of the config.
type MemberConversions = tar.Conversions

// A Conversion is the conversion of the images in a column.
type Conversion struct {
	At     string // its path in the config; for a column of the source type below the key of the type
	Column string
	Load   int  // index of the load; -1 if the column is of the source type or of a lookup table
	Table  bool // the column is of a lookup table
	Spec   *convert.Spec
}

// Conversions returns each conversion of the source: of the source type first, then of loads and lookup tables.
func (s *Spec) Conversions() (list []Conversion) {
	for _, c := range s.Kind.conversions() {
		list = append(list, Conversion{At: c.Key, Column: c.Column, Load: -1, Spec: c.Spec})
	}
	for i := range s.Load {
		if l := &s.Load[i]; l.Convert != nil {
			list = append(list, Conversion{At: l.At + ".convert", Column: l.Name, Load: i, Spec: l.Convert})
		}
	}
	for i := range s.Join {
		j := &s.Join[i]
		for _, c := range j.Kind.conversions() {
			at := j.At + "." + j.Kind.Name + "." + c.Key
			list = append(list, Conversion{At: at, Column: j.Prefix + c.Column, Load: -1, Table: true, Spec: c.Spec})
		}
	}
	return list
}

// conversions returns the conversions of the source type.
func (c *Chosen) conversions() []images.Conversion {
	if of, ok := c.Options.(interface{ Conversions() []images.Conversion }); ok {
		return of.Conversions()
	}
	return nil
}
