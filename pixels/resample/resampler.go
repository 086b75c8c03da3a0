package resample

import (
	"fmt"
	"image"
)

// A Resampler runs jobs one after the other. It keeps the memory of the largest job, and up to eight
// tables of at most two megabytes each. The zero value is ready for use. It is not safe for concurrent
// use.
type Resampler struct {
	tables [8]table
	oldest int       // index of the table to replace next
	curve  []float64 // weights before rounding

	multiplied []byte // the source multiplied by its alpha
	middle     []byte // result of the first pass
	padded     []byte // rows with padding after them
	sums       []int32
	reals      []float32

	plain bool // no assembly, so that tests can compare both
}

// Resize runs a job on the image src. The result reuses the memory of dst if that is large
// enough. dst and src must not overlap. An error wraps [ErrJob].
func (r *Resampler) Resize(dst, src []byte, j Job) ([]byte, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	if n := int64(j.Width) * int64(j.Height) * int64(j.Channels); int64(len(src)) != n {
		return nil, fmt.Errorf("%w: %d bytes of pixels, not %d", ErrJob, len(src), n)
	}
	defer r.dropLarge()
	part := j.crop()
	dst = resized(dst, part.Dx()*part.Dy()*j.Channels)
	switch {
	case j.keepsSize():
		copyPart(dst, src, j, part)
	case j.Filter == Nearest:
		r.nearest(dst, src, j, part)
	case j.Filter == Area:
		r.area(dst, src, j, part)
	default:
		r.sum(dst, src, j, part)
	}
	return dst, nil
}

// copyPart copies a part of the source.
func copyPart(dst, src []byte, j Job, part image.Rectangle) {
	line := part.Dx() * j.Channels
	for y := range part.Dy() {
		at := ((part.Min.Y+y)*j.Width + part.Min.X) * j.Channels
		copy(dst[y*line:][:line], src[at:])
	}
}

// table returns the table of a key. It is cached, or replaces the oldest one and reuses its
// memory. Two consecutive calls never return the same memory for different keys.
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

// dropLarge drops tables that are too large to keep.
func (r *Resampler) dropLarge() {
	for i := range r.tables {
		if t := &r.tables[i]; max(cap(t.weights), cap(t.reals), cap(t.first)) > cachedWeights {
			*t = table{}
		}
	}
}
