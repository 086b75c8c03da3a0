package parquet

import (
	"strings"

	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/images"
)

// imageColumn returns a column's name without the prefix "image". is is false if the column is
// not derived from the image.
func (o *Options) imageColumn(column string) (name string, is bool) {
	if o.Image == "" {
		return "", false
	}
	name, is = strings.CutPrefix(column, "image")
	if !is {
		return "", false
	}
	for _, c := range images.Columns(o.Convert) {
		if c.Name == name {
			return name, true
		}
	}
	return "", false
}

// bindImage finds the leaves of the image in each shape.
func (l *layout) bindImage() error {
	for i, s := range l.in.shapes {
		data, path, err := l.in.options.imageLeaves(s)
		if err != nil {
			return err.In(l.in.firstPath(i), "")
		}
		l.leaves[i] = append(l.leaves[i], data)
		l.in.request(s.leaves[data].name)
		if path >= 0 {
			l.leaves[i] = append(l.leaves[i], path)
			l.in.request(s.leaves[path].name)
		}
	}
	return nil
}

// Transform implements [images.Transformer].
func (s *scanner) Transform(column string) *geometry.Transform {
	if s.isNull {
		return nil
	}
	return s.Examiner.Transform(column)
}

// scanImage sets the slots of the image, or of the images of a list. The bytes are the i-th leaf of the layout, and the
// path is the next one, if there is one. If the image or the list is null, all columns are missing. A null in a list is
// a missing element.
func (s *scanner) scanImage(c *cells, i int, vals []schema.Value) error {
	var data, path schema.Value
	if err := s.setValue(&data, c, i); err != nil {
		return err
	}
	if s.isNull = data.Kind == schema.Missing; s.isNull {
		for _, c := range s.images.Columns {
			vals[c.Slot] = schema.Value{}
		}
		return nil
	}
	if len(c.positions) > i+1 {
		if err := s.setValue(&path, c, i+1); err != nil {
			return err
		}
	}
	if data.Kind != schema.List {
		return s.images.FillOne(vals, data.Text, nil, string(path.Text))
	}
	if err := s.images.Begin(vals, &data); err != nil {
		return err
	}
	for k := range data.List {
		of, name := &data.List[k], ""
		if k < len(path.List) {
			name = string(path.List[k].Text)
		}
		if of.Kind == schema.Missing {
			continue
		}
		if err := s.images.Fill(vals, k, of.Text, nil, name); err != nil {
			return images.OfElement(k, err)
		}
	}
	return nil
}
