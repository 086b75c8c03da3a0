package parquet

import (
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
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

// An imageScanner reads the metadata of images.
type imageScanner struct {
	images.Filler
	isNull bool // the row has no image
}

func newImageScanner(l *layout, observed *input.Observations, namesOnly bool) *imageScanner {
	s := &imageScanner{Filler: images.Filler{Columns: l.images, Limit: l.in.limits.Record}}
	s.Examiner = images.NewExaminer(l.in.options, l.in.options.Convert)
	var names []string
	for _, c := range l.images {
		names = append(names, c.Name)
	}
	s.Ask("image", l.in.limits, observed, names, namesOnly)
	return s
}

// Transform implements [images.Transformer].
func (s *scanner) Transform(string) *geometry.Transform {
	if s.image.isNull {
		return nil
	}
	return s.image.Transform()
}

// KeepFiles implements [input.Converter].
func (s *scanner) KeepFiles() {
	if s.image != nil {
		s.image.KeepFiles()
	}
}

// Measure implements [images.Measurer].
func (s *scanner) Measure(m *convert.Meter) {
	if s.image != nil {
		s.image.Measure(m)
	}
}

// scanImage sets the slots of the image, or of the images of a list. The bytes are the i-th leaf of the layout, and the
// path is the next one, if there is one. If the image or the list is null, all columns are missing. A null in a list is
// a missing element.
func (s *scanner) scanImage(c *cells, i int, vals []schema.Value) error {
	var data, path schema.Value
	if err := s.setValue(&data, c, i); err != nil {
		return err
	}
	if s.image.isNull = data.Kind == schema.Missing; s.image.isNull {
		for _, c := range s.images {
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
		if err := s.image.Begin(vals, nil); err != nil {
			return err
		}
		return s.image.Fill(vals, 0, data.Text, nil, string(path.Text))
	}
	if err := s.image.Begin(vals, &data); err != nil {
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
		if err := s.image.Fill(vals, k, of.Text, nil, name); err != nil {
			return images.OfElement(k, err)
		}
	}
	return nil
}
