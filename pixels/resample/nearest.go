package resample

import "image"

// nearest copies for each output pixel the input pixel at its center.
func (r *Resampler) nearest(dst, src []byte, j Job, part image.Rectangle) {
	columns := r.table(j.columns(part, method(Nearest))).first[part.Min.X:part.Max.X]
	rows := r.table(j.rows(part, method(Nearest))).first[part.Min.Y:part.Max.Y]
	line, stride := len(columns)*j.Channels, j.Width*j.Channels
	for i, y := range rows {
		row := src[int(y)*stride:][:stride]
		for k, x := range columns {
			copy(dst[i*line+k*j.Channels:][:j.Channels], row[int(x)*j.Channels:])
		}
	}
}

// fillNearest fills the table with the nearest samples. Like Pillow it steps from one to the next
// in float64, whose rounding errors add up: Geometry.c, ImagingScaleAffine. With MaxSide steps
// the errors stay below half a step, so no step leads outside.
func (t *table) fillNearest() {
	t.first = resized(t.first, t.to)
	step := float64(t.from) / float64(t.to)
	at := float64(step * 0.5)
	for i := range t.first {
		t.first[i] = int32(at)
		at += step
	}
}

// NearestSamples appends the index of the nearest of from pixels for each of to pixels along a side.
func NearestSamples(dst []int32, from, to int) []int32 {
	t := table{tableKey: tableKey{from: from, to: to}}
	t.fillNearest()
	return append(dst, t.first...)
}
