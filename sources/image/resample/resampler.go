package resample

import (
	"fmt"
	"image"
)

// A Resampler does jobs one after the other, and keeps its memory and the last
// few tables for the next: see [Job.Memory]. The zero value is ready. It is not for
// several goroutines at once.
type Resampler struct {
	tables [8]table
	oldest int       // the table that goes next
	curve  []float64 // weights before they are rounded

	multiplied []byte // the source times its alpha
	middle     []byte // between the two passes
	padded     []byte // rows with room behind them
	sums       []int32
	reals      []float32

	plain bool // no assembly: tests hold both against each other
}

// Resize does a job: src is the image, and the result takes dst's memory where
// that is large enough. The two must not overlap.
func (r *Resampler) Resize(dst, src []byte, j Job) ([]byte, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	if n := int64(j.Width) * int64(j.Height) * int64(j.Channels); int64(len(src)) != n {
		return nil, fmt.Errorf("%w: %d bytes of pixels, not %d", ErrJob, len(src), n)
	}
	defer r.forget()
	part := j.crop()
	dst = resized(dst, part.Dx()*part.Dy()*j.Channels)
	switch {
	case j.keepsSize():
		cut(dst, src, j, part)
	case j.Filter == Nearest:
		r.nearest(dst, src, j, part)
	case j.Filter == Area:
		r.area(dst, src, j, part)
	default:
		r.sum(dst, src, j, part)
	}
	return dst, nil
}

// cut copies a part of the source.
func cut(dst, src []byte, j Job, part image.Rectangle) {
	line := part.Dx() * j.Channels
	for y := range part.Dy() {
		at := ((part.Min.Y+y)*j.Width + part.Min.X) * j.Channels
		copy(dst[y*line:][:line], src[at:])
	}
}

// table returns the table of a key: one of those that are kept, or a new one in
// the place of the oldest, whose memory it takes. Two calls in a row return two
// tables.
func (r *Resampler) table(key tableKey) *table {
	for i := range r.tables {
		if r.tables[i].tableKey == key {
			if i == r.oldest {
				r.oldest = (i + 1) % len(r.tables)
			}
			return &r.tables[i]
		}
	}
	t := &r.tables[r.oldest]
	r.oldest = (r.oldest + 1) % len(r.tables)
	r.curve = t.fill(key, r.curve)
	return t
}

// forget drops tables that are too large to keep.
func (r *Resampler) forget() {
	for i := range r.tables {
		if t := &r.tables[i]; max(cap(t.weights), cap(t.reals), cap(t.first)) > keptWeights {
			*t = table{}
		}
	}
}
