package sources

import (
	"tfr-build/pixels/convert"
	"tfr-build/sources/images"
	"tfr-build/sources/tar"
)

// MemberConversions are the conversions of the members of archives, in the order of the config.
type MemberConversions = tar.Conversions

// A MemberConversion converts the images with one extension.
type MemberConversion = tar.Conversion

// A Conversion is the conversion of the images in a column.
type Conversion struct {
	At     string // its path in the config; for a column of the source type below the key of the type
	Column string
	Load   int // index of the load; -1 if the column is of the source type
	Spec   *convert.Spec
}

// Conversions returns each conversion of the source: of the source type first, then of loads.
func (s *Spec) Conversions() (list []Conversion) {
	if of, ok := s.Kind.Options.(interface{ Conversions() []images.Conversion }); ok {
		for _, c := range of.Conversions() {
			list = append(list, Conversion{c.Key, c.Column, -1, c.Spec})
		}
	}
	for i := range s.Load {
		if l := &s.Load[i]; l.Convert != nil {
			list = append(list, Conversion{l.At + ".convert", l.Name, i, l.Convert})
		}
	}
	return list
}
