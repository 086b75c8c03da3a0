package sources

import (
	"errors"
	"math"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// moveMasks moves the masks of a row, or makes them of runs: one, or each of a list.
func (r *Reader) moveMasks(f *follower, m *followingKey, t *geometry.Transform) error {
	from, to := &r.vals[m.columns[0].slot], &r.vals[m.mask.slot]
	move, isList := r.moveFile, from.Kind == schema.List
	if m.isRuns() {
		move, isList = r.moveRuns, isListOfRuns(from)
	}
	if !isList {
		if err := r.addMasks(m, 1, t); err != nil {
			return err
		}
		v, err := move(f, m, t, -1)
		*to = v
		return err
	}
	for i := range m.columns {
		c := &m.columns[i]
		if v := &r.vals[c.slot]; v.Kind != schema.List || len(v.List) != len(from.List) {
			return r.badLength(c, v.Len(), len(from.List), &m.columns[0])
		}
	}
	if err := r.addMasks(m, countValues(from.List), t); err != nil {
		return err
	}
	if err := r.addSize(input.ElementSize*len(from.List), m.mask.name); err != nil {
		return err
	}
	list := r.lists.Take(len(from.List))
	for i := range list {
		err := r.pixels.Stop() // a row may have thousands of masks; 20 large ones took minutes
		if err != nil {
			return err
		}
		if list[i], err = move(f, m, t, i); err != nil {
			return err
		}
	}
	to.Kind, to.List, to.At = schema.List, list, from.At
	return nil
}

// countValues returns the number of elements that have a value.
func countValues(list []schema.Value) (n int) {
	for i := range list {
		if list[i].Kind != schema.Missing {
			n++
		}
	}
	return n
}

// addMasks counts the pixels of n masks before the first of them is made. A mask is as large as its image,
// or as the result if that is larger. Files that stay as they are cost nothing.
func (r *Reader) addMasks(m *followingKey, n int, t *geometry.Transform) error {
	if m.Mask.RLE == "" && t.KeepsPixels() {
		return nil
	}
	size := t.From
	if t.To.Width*t.To.Height > size.Width*size.Height {
		size = t.To
	}
	return r.named(&m.mask, r.pixels.Add(n, size.Width, size.Height))
}

// named adds the column and its position to an error of a row.
func (r *Reader) named(c *inputColumn, err error) error {
	err = images.RowError(err)
	if bad, ok := errors.AsType[*schema.RowError](err); ok {
		bad.Column, bad.At = c.name, int(r.vals[c.slot].At)
	}
	return err
}

// moveFile moves the pixels of a PNG file: of the i-th, or of the only one. A missing one stays.
func (r *Reader) moveFile(f *follower, m *followingKey, t *geometry.Transform, i int) (schema.Value, error) {
	v := elementOf(&r.vals[m.mask.slot], i)
	switch {
	case v.Kind == schema.Missing:
		return *v, nil
	case isString(v):
		return r.maskOf(f, &m.mask, v, func(dst []byte) ([]byte, error) {
			return f.files.Append(dst, v.Text, header.Limits{Pixels: r.l.s.env.Limits.Pixels}, t, m.Mask.Fill)
		})
	}
	return *v, r.badFollowing(&m.mask, v, "found %s; expected a PNG file", v.Describe())
}

// maskOf returns the value of a mask that moved appends. Its memory is valid until the next row.
func (r *Reader) maskOf(f *follower, c *inputColumn, v *schema.Value,
	moved func(dst []byte) ([]byte, error)) (schema.Value, error) {
	from := len(f.text)
	var err error
	if f.text, err = moved(f.text); err != nil {
		if bad, ok := errors.AsType[*schema.RowError](images.RowError(err)); ok {
			bad.Column, bad.At, bad.Message = c.name, int(v.At), "the mask: "+bad.Message
			return *v, bad
		}
		return *v, r.badFollowing(c, v, "%v", err)
	}
	to := f.text[from:len(f.text):len(f.text)]
	return schema.Value{Kind: schema.Bytes, Text: to, At: v.At}, r.addSize(len(to), c.name)
}

// isListOfRuns reports whether a value has the runs of several masks, of which some may be missing.
func isListOfRuns(counts *schema.Value) bool {
	if counts.Kind != schema.List {
		return false
	}
	// COCO writes the runs of one mask as a string if they are compressed, else as a list of numbers. So a list
	// of numbers is one mask, and a list of strings or of lists is several.
	for i := range counts.List {
		if first := &counts.List[i]; first.Kind != schema.Missing {
			return isString(first) || first.Kind == schema.List || first.Kind == schema.Array && first.Len() != 1
		}
	}
	return true
}

// isString reports whether a value may be a file or compressed runs.
func isString(v *schema.Value) bool {
	return v.Kind == schema.String || v.Kind == schema.Text || v.Kind == schema.Bytes
}

// moveRuns makes a mask of runs: of the i-th, or of the only ones.
func (r *Reader) moveRuns(f *follower, m *followingKey, t *geometry.Transform, i int) (schema.Value, error) {
	counts, size := elementOf(&r.vals[m.columns[0].slot], i), elementOf(&r.vals[m.columns[1].slot], i)
	if counts.Kind == schema.Missing && size.Kind == schema.Missing {
		return schema.Value{}, nil
	}
	if err := r.readPixelCounts(f, &m.columns[1], size); err != nil {
		return *counts, err
	}
	if len(f.numbers) != 2 {
		return *counts, r.badFollowing(&m.columns[1], size, "found %d numbers; expected height and width",
			len(f.numbers))
	}
	height, width := int(f.numbers[0]), int(f.numbers[1]) // in this order, as COCO has them
	if err := r.readRuns(f, &m.columns[0], counts); err != nil {
		return *counts, err
	}
	// A huge size takes no memory: AppendRuns first compares it with the size of the image.
	mask, err := r.maskOf(f, &m.mask, counts, func(dst []byte) ([]byte, error) {
		return f.files.AppendRuns(dst, f.runs, width, height, t, m.Mask.Fill)
	})
	if err == nil {
		r.Observed.AddImage(m.mask.name, header.PNG.String(), "GRAY", 1, 0, 0)
	}
	return mask, err
}

// readRuns reads runs from a compressed string, or from a list of numbers, into f.runs.
func (r *Reader) readRuns(f *follower, c *inputColumn, v *schema.Value) (err error) {
	if f.runs = f.runs[:0]; isString(v) {
		if f.runs, err = convert.ParseRuns(f.runs, v.Text); err != nil {
			return r.badFollowing(c, v, "%v", err)
		}
		return nil
	}
	if err = r.readPixelCounts(f, c, v); err != nil {
		return err
	}
	for _, x := range f.numbers {
		f.runs = append(f.runs, int64(x))
	}
	return nil
}

// readPixelCounts reads whole numbers into f.numbers.
func (r *Reader) readPixelCounts(f *follower, c *inputColumn, v *schema.Value) (err error) {
	if f.numbers, err = r.appendNumbers(f.numbers[:0], c, v); err != nil {
		return err
	}
	for _, x := range f.numbers {
		if !isPixelCount(x) {
			return r.badFollowing(c, v, "found %v; expected a whole number of pixels", x)
		}
	}
	return nil
}

// isPixelCount reports whether x is a whole number that an int holds on every processor.
func isPixelCount(x float64) bool { return 0 <= x && x <= 1<<50 && x == math.Trunc(x) }
