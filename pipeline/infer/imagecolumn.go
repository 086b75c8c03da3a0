package infer

import (
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/parquet"
)

// pictured is the column of a Parquet file whose values are images: of bytes, or a struct
// of bytes and path, as Hugging Face writes them. It is empty where there is none, and
// where the source says one already.
func (s *seen) pictured() string {
	for _, c := range s.columns {
		switch {
		case c.image != nil:
			return ""
		case c.kept != nil && c.kept.images > 0 && c.kept.images+c.kept.missing == c.kept.rows:
			return strings.TrimSuffix(c.name, ".bytes")
		}
	}
	return ""
}

// takePictures puts the column of the images in place of what a source has them of, where it
// says that.
func (s *seen) takePictures(src *sources.Source) *columnSeen {
	of := ""
	if o, is := src.Spec().Kind.Options.(*parquet.Options); is {
		of = o.Image
	}
	if of == "" {
		return nil
	}
	c := &columnSeen{name: "image", image: newFolder()}
	s.columns = slices.DeleteFunc(s.columns, func(other *columnSeen) bool {
		known, _ := src.Columns().Known(other.name)
		return known.From == "images" || other.name == of || other.name == of+".bytes" || other.name == of+".path"
	})
	s.columns = append([]*columnSeen{c}, s.columns...)
	return c
}

// addFacts adds the columns of what is to be known of the images of a column.
func addFacts(slots []schema.Column, name string) []schema.Column {
	for _, fact := range imageFacts {
		slots = append(slots, schema.Column{Name: name + fact})
	}
	return slots
}

// see counts an image by its facts; a row may have none.
func (c *columnSeen) see(of []schema.Value) {
	if of[0].Kind == schema.Missing {
		c.lacking++
		return
	}
	c.image.see(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
}
