package parquet

import (
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// An imageCell is a column of the image and its slot. Its name is without the image's own name.
type imageCell struct {
	name string
	slot int
}

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
		if bad, ok := err.(*mismatchError); ok {
			return &input.MismatchError{Path: l.in.firstPath(i), Text: bad.text, Code: bad.code}
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
	examiner *images.Examiner
	isNull   bool // the row has no image
}

func newImageScanner(l *layout, observed *input.Observations, namesOnly bool) *imageScanner {
	s := &imageScanner{examiner: images.NewExaminer(l.in.options, l.in.options.Convert)}
	var names []string
	for _, c := range l.images {
		names = append(names, c.name)
	}
	s.examiner.Ask("image", l.in.limits, observed, names)
	if namesOnly && names == nil {
		s.examiner.MeasureOnly()
	}
	return s
}

// Transform implements [images.Placer].
func (s *scanner) Transform(string) *geometry.Transform {
	if s.image.isNull {
		return nil
	}
	return s.image.examiner.Transform()
}

// KeepFiles implements [input.Converter].
func (s *scanner) KeepFiles() {
	if s.image != nil {
		s.image.examiner.KeepFiles()
	}
}

// Measure implements [images.Measurer].
func (s *scanner) Measure(m *convert.Meter) {
	if s.image != nil {
		s.image.examiner.Measure(m)
	}
}

// scanImage sets the slots of the image. The image's bytes are the i-th leaf of the layout, and
// its path is the next one, if there is one. If the image is null, all its columns are missing.
func (s *scanner) scanImage(c *cells, i int, vals []schema.Value) error {
	var data, path schema.Value
	if err := s.setValue(&data, c, i); err != nil {
		return err
	}
	if s.image.isNull = data.Kind == schema.Missing; s.image.isNull {
		for _, c := range s.images {
			vals[c.slot] = schema.Value{}
		}
		return nil
	}
	if len(c.positions) > i+1 {
		if err := s.setValue(&path, c, i+1); err != nil {
			return err
		}
	}
	examined, err := s.image.examiner.Examine(data.Text, string(path.Text))
	if err != nil {
		return err
	}
	for _, c := range s.images {
		s.text, vals[c.slot] = examined.AppendColumn(s.text, c.name)
	}
	return nil
}
