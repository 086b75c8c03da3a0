package infer

import (
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/parquet"
)

// imageColumn returns the column of a Parquet file whose values are images: bytes, or a struct of
// bytes and path, as Hugging Face writes them. It is empty if no column has images, or if the
// source already names it.
func (s *summary) imageColumn() string {
	for _, c := range s.columns {
		switch {
		case c.image != nil:
			return ""
		case c.parquet != nil && c.parquet.images > 0 && c.parquet.images+c.parquet.missing == c.parquet.rows:
			return strings.TrimSuffix(c.name, ".bytes")
		}
	}
	return ""
}

// replaceImageColumn replaces the columns of the images by one column, if the source has the key
// `image`.
func (s *summary) replaceImageColumn(src *sources.Source) *columnSummary {
	of := ""
	if o, is := src.Spec().Kind.Options.(*parquet.Options); is {
		of = o.Image
	}
	if of == "" {
		return nil
	}
	c := &columnSummary{name: "image", image: newFileStats()}
	s.columns = slices.DeleteFunc(s.columns, func(other *columnSummary) bool {
		known, _ := src.Columns().Known(other.name)
		return known.From == "images" || other.name == of || other.name == of+".bytes" || other.name == of+".path"
	})
	s.columns = append([]*columnSummary{c}, s.columns...)
	return c
}

// addFacts adds the columns with the facts of the images in a column.
func addFacts(slots []schema.Column, name string) []schema.Column {
	for _, fact := range imageFacts {
		slots = append(slots, schema.Column{Name: name + fact})
	}
	return slots
}

// addImage counts an image by its facts; a row may have none.
func (c *columnSummary) addImage(of []schema.Value) {
	if of[0].Kind == schema.Missing {
		c.lacking++
		return
	}
	c.image.addImage(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
}
