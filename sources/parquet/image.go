package parquet

import (
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// An imageCell is a column of the image, by what follows the image's own name, and its
// slot.
type imageCell struct {
	name string
	slot int
}

// imageColumn is what follows the image's own name in that of a column, if it is one of
// an image.
func (o *Options) imageColumn(column string) (name string, is bool) {
	if o.Image == "" {
		return "", false
	}
	name, is = strings.CutPrefix(column, "image")
	if !is {
		return "", false
	}
	for _, c := range images.Columns(nil) {
		if c.Name == name {
			return name, true
		}
	}
	return "", false
}

// bindImage finds the images in each file.
func (l *layout) bindImage() error {
	for i, s := range l.in.shapes {
		data, path, err := l.in.options.imageLeaves(s)
		if bad, ok := err.(*misfit); ok {
			return &input.FitError{Path: l.in.firstOf(i), Text: bad.text, Code: bad.code}
		}
		l.leaves[i] = append(l.leaves[i], data)
		l.in.want(s.leaves[data].name)
		if path >= 0 {
			l.leaves[i] = append(l.leaves[i], path)
			l.in.want(s.leaves[path].name)
		}
	}
	return nil
}

// An imageScanner learns the facts of images.
type imageScanner struct{ examiner *images.Examiner }

func newImageScanner(l *layout, facts *input.Facts) *imageScanner {
	s := &imageScanner{images.NewExaminer(l.in.options, nil)}
	var names []string
	for _, c := range l.images {
		names = append(names, c.name)
	}
	s.examiner.Ask("image", l.in.limits, facts, names)
	return s
}

// scanImage sets the slots of the image, whose bytes and whose name are leaves of the
// layout from the i-th on. A row without one has none of its columns.
func (s *scanner) scanImage(c *cells, i int, vals []schema.Value) error {
	var data, path schema.Value
	if err := s.value(&data, c, i); err != nil {
		return err
	}
	if data.Kind == schema.Missing {
		for _, c := range s.images {
			vals[c.slot] = schema.Value{}
		}
		return nil
	}
	if len(c.places) > i+1 {
		if err := s.value(&path, c, i+1); err != nil {
			return err
		}
	}
	picture, err := s.image.examiner.Examine(data.Text, string(path.Text))
	if err != nil {
		return err
	}
	for _, c := range s.images {
		s.text, vals[c.slot] = picture.AppendColumn(s.text, c.name)
	}
	return nil
}
