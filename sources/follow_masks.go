package sources

import (
	"errors"
	"math"
	"slices"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// moveMasks moves the masks of a row: one, or a list of them.
func (r *Reader) moveMasks(f *follower, m *followingKey, t *geometry.Transform) error {
	c := &m.columns[0]
	v := &r.vals[c.slot]
	switch {
	case r.isMissing(c):
		return nil
	case t == nil:
		return r.badFollowing(c, "the row has a mask, but no image")
	case v.Kind != schema.List:
		if err := r.addMasks(m, 1, t); err != nil {
			return err
		}
		to, err := r.moveMask(f, m, v, t)
		*v = to
		return err
	}
	list, err := r.moveEach(m, v.List, t, func(i int) (schema.Value, error) {
		if v.List[i].Kind == schema.Missing {
			return v.List[i], nil
		}
		return r.moveMask(f, m, &v.List[i], t)
	})
	if err == nil {
		v.List = list
	}
	return err
}

// moveEach returns the masks of a list, of which move makes the i-th.
func (r *Reader) moveEach(
	m *followingKey, from []schema.Value, t *geometry.Transform, move func(i int) (schema.Value, error),
) ([]schema.Value, error) {
	if err := r.addMasks(m, countValues(from), t); err != nil {
		return nil, err
	}
	if err := r.addSize(input.ElementSize*len(from), m.columns[0].name); err != nil {
		return nil, err
	}
	list := r.lists.Take(len(from))
	for i := range list {
		err := r.pixels.Stop() // a row may have thousands of masks; 20 large ones took minutes
		if err != nil {
			return nil, err
		}
		if list[i], err = move(i); err != nil {
			return nil, err
		}
	}
	return list, nil
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
	return r.named(&m.columns[0], r.pixels.Add(n, size.Width, size.Height))
}

// named adds the column and its position to an error of a row.
func (r *Reader) named(c *followingColumn, err error) error {
	err = images.RowError(err)
	if bad, ok := errors.AsType[*schema.RowError](err); ok {
		bad.Column, bad.At = c.name, int(r.vals[c.slot].At)
	}
	return err
}

// moveMask moves the pixels of a PNG file.
func (r *Reader) moveMask(f *follower, m *followingKey, v *schema.Value, t *geometry.Transform) (schema.Value, error) {
	if v.Kind != schema.Bytes && v.Kind != schema.Text && v.Kind != schema.String {
		return *v, placed(v, r.badFollowing(&m.columns[0], "found %s; expected a PNG file", describe(v)))
	}
	return r.maskOf(f, &m.columns[0], v, func(dst []byte) ([]byte, error) {
		return f.files.Append(dst, v.Text, header.Limits{Pixels: r.l.s.env.Limits.Pixels}, t, m.Mask.Fill)
	})
}

// maskOf returns the value of a mask that moved appends. Its memory is valid until the next row.
func (r *Reader) maskOf(f *follower, c *followingColumn, v *schema.Value,
	moved func(dst []byte) ([]byte, error)) (schema.Value, error) {
	from := len(f.text)
	var err error
	if f.text, err = moved(f.text); err != nil {
		if bad, ok := errors.AsType[*schema.RowError](images.RowError(err)); ok {
			bad.Column, bad.At, bad.Message = c.name, int(v.At), "the mask: "+bad.Message
			return *v, bad
		}
		return *v, placed(v, r.badFollowing(c, "%v", err))
	}
	to := f.text[from:len(f.text):len(f.text)]
	return schema.Value{Kind: schema.Bytes, Text: to, At: v.At}, r.addSize(len(to), c.name)
}

// moveRuns makes masks of the runs of a row: of one mask, or of each in a list.
func (r *Reader) moveRuns(f *follower, m *followingKey, t *geometry.Transform) error {
	to, counts, size := &r.vals[m.columns[0].slot], &r.vals[m.columns[1].slot], &r.vals[m.columns[2].slot]
	switch {
	case r.isMissing(&m.columns[1]) && r.isMissing(&m.columns[2]):
		*to = schema.Value{At: counts.At}
		return nil
	case t == nil:
		return r.badFollowing(&m.columns[1], "the row has a mask, but no image")
	case !isListOfRuns(counts):
		if err := r.addMasks(m, 1, t); err != nil {
			return err
		}
		v, err := r.runsToMask(f, m, counts, size, t)
		*to = v
		return err
	case size.Kind != schema.List || len(size.List) != len(counts.List):
		return r.badFollowing(&m.columns[2], "found %s; expected %s, as in %s", lengthText(size.Len()),
			lengthText(len(counts.List)), m.columns[1].name)
	}
	list, err := r.moveEach(m, counts.List, t, func(i int) (schema.Value, error) {
		if counts.List[i].Kind == schema.Missing && size.List[i].Kind == schema.Missing {
			return schema.Value{}, nil
		}
		return r.runsToMask(f, m, &counts.List[i], &size.List[i], t)
	})
	if err == nil {
		*to = schema.Value{Kind: schema.List, List: list, At: counts.At}
	}
	return err
}

// isListOfRuns reports whether a value has the runs of several masks, of which some may be missing.
func isListOfRuns(counts *schema.Value) bool {
	if counts.Kind != schema.List {
		return false
	}
	// COCO writes the runs of one mask as a string if they are compressed, else as a list of numbers. So a list
	// of numbers is one mask, and a list of strings or of lists is several.
	at := slices.IndexFunc(counts.List, func(v schema.Value) bool { return v.Kind != schema.Missing })
	if at < 0 {
		return true
	}
	first := &counts.List[at]
	return first.Kind == schema.String || first.Kind == schema.Text || first.Kind == schema.Bytes ||
		first.Kind == schema.List ||
		first.Kind == schema.Array && first.Len() != 1
}

// runsToMask makes a mask of its runs.
func (r *Reader) runsToMask(f *follower, m *followingKey, counts, size *schema.Value,
	t *geometry.Transform) (schema.Value, error) {
	var err error
	if f.numbers, err = r.appendNumbers(f.numbers[:0], &m.columns[2], size); err != nil {
		return *counts, err
	}
	if len(f.numbers) != 2 {
		return *counts, placed(size, r.badFollowing(&m.columns[2], "found %d numbers; expected height and width",
			len(f.numbers)))
	}
	for _, x := range f.numbers {
		if !isPixelCount(x) {
			return *counts, placed(size, r.badFollowing(&m.columns[2], "found %v; expected a whole number of pixels", x))
		}
	}
	height, width := int(f.numbers[0]), int(f.numbers[1]) // in this order, as COCO has them
	if f.runs, err = r.readRuns(f, m, counts); err != nil {
		return *counts, err
	}
	// A huge size takes no memory: AppendRuns first compares it with the size of the image.
	mask, err := r.maskOf(f, &m.columns[0], counts, func(dst []byte) ([]byte, error) {
		return f.files.AppendRuns(dst, f.runs, width, height, t, m.Mask.Fill)
	})
	if err == nil {
		r.Observed.AddImage(m.columns[0].name, header.PNG.String(), "GRAY", 1, 0, 0)
	}
	return mask, err
}

// readRuns reads runs from a compressed string, or from a list of numbers.
func (r *Reader) readRuns(f *follower, m *followingKey, counts *schema.Value) ([]int64, error) {
	if counts.Kind == schema.String || counts.Kind == schema.Text || counts.Kind == schema.Bytes {
		runs, err := convert.ParseRuns(f.runs[:0], counts.Text)
		if err != nil {
			return runs, placed(counts, r.badFollowing(&m.columns[1], "%v", err))
		}
		return runs, nil
	}
	var err error
	if f.numbers, err = r.appendNumbers(f.numbers[:0], &m.columns[1], counts); err != nil {
		return f.runs, err
	}
	f.runs = f.runs[:0]
	for _, x := range f.numbers {
		if !isPixelCount(x) {
			return f.runs, placed(counts, r.badFollowing(&m.columns[1], "found %v; expected a whole number of pixels", x))
		}
		f.runs = append(f.runs, int64(x))
	}
	return f.runs, nil
}

// isPixelCount reports whether x is a whole number that an int holds on every processor.
func isPixelCount(x float64) bool { return 0 <= x && x <= 1<<50 && x == math.Trunc(x) }
