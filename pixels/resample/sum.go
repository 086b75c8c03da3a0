package resample

import "image"

// A plane is rows of samples. Row y begins at pix[y*stride].
type plane struct {
	pix    []byte
	stride int
}

// at returns the plane from row y on, without the first bytes of each row.
func (p plane) at(y, bytes int) plane {
	return plane{p.pix[y*p.stride+bytes:], p.stride}
}

// An axis is the resampling along one side of an image.
type axis struct {
	table      *table // nil if the length does not change
	from, to   int    // output samples to compute
	first, end int    // input samples that they need
}

// axis returns the axis of a key, with its table if the lengths differ.
func (r *Resampler) axis(key tableKey) axis {
	a := axis{from: key.begin, to: key.end, first: key.begin, end: key.end}
	if key.from != key.to {
		a.table = r.table(key)
		a.first, a.end = a.table.span()
	}
	return a
}

// need returns the number of input samples that the axis needs.
func (a axis) need() int { return a.end - a.first }

// sum runs a job with one of Pillow's kernels: a pass for each side that changes. Planes begin
// with the first row that is needed. They have all columns, but only the needed ones are set.
func (r *Resampler) sum(dst, src []byte, j Job, part image.Rectangle) {
	columns := r.axis(j.columns(part, method(j.Filter)))
	rows := r.axis(j.rows(part, method(j.Filter)))
	left, width := columns.first*j.Channels, columns.need()*j.Channels

	out := plane{dst, part.Dx() * j.Channels}
	in := plane{src, j.Width * j.Channels}.at(rows.first, 0)
	hasAlpha := j.Channels == 2 || j.Channels == 4
	if hasAlpha {
		in = r.premultiplyPlane(in, j.Channels, rows.need(), left, width)
	}
	switch {
	case rows.table == nil:
		r.columnPass(out, in, j.Channels, rows.need(), columns)
	case columns.table == nil:
		r.rowPass(out, in.at(0, left), width, rows)
	case j.rowsFirst():
		middle := r.middlePlane(part.Dy(), in.stride)
		r.rowPass(middle.at(0, left), in.at(0, left), width, rows)
		r.columnPass(out, middle, j.Channels, part.Dy(), columns)
	default:
		middle := r.middlePlane(rows.need(), out.stride)
		r.columnPass(middle, in, j.Channels, rows.need(), columns)
		r.rowPass(out, middle, out.stride, rows)
	}
	if hasAlpha {
		divide(dst, j.Channels)
	}
}

// middlePlane returns the plane for the result of the first pass.
func (r *Resampler) middlePlane(rows, stride int) plane {
	r.middle = resized(r.middle, rows*stride)
	return plane{r.middle, stride}
}

// premultiplyPlane premultiplies a part of a plane.
func (r *Resampler) premultiplyPlane(p plane, channels, rows, left, width int) plane {
	r.multiplied = resized(r.multiplied, rows*p.stride)
	for y := range rows {
		at := y*p.stride + left
		premultiply(r.multiplied[at:][:width], p.pix[at:][:width], channels)
	}
	return plane{r.multiplied, p.stride}
}

// rowPass resamples the rows of src vertically to dst, with width bytes per row.
func (r *Resampler) rowPass(dst, src plane, width int, a axis) {
	for y := a.from; y < a.to; y++ {
		d := dst.pix[(y-a.from)*dst.stride:][:width]
		s := src.at(int(a.table.first[y])-a.first, 0)
		r.row(d, s, a.table, y)
	}
}
