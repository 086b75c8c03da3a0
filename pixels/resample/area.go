package resample

import (
	"image"
	"math"
)

// OpenCV's INTER_AREA (resize.cpp) has three algorithms with different results. The first is for
// sides that shrink by integer factors, the second for other factors, and the third for a side that
// grows. Alpha is treated like any channel.

// area runs a job with OpenCV's INTER_AREA.
func (r *Resampler) area(dst, src []byte, j Job, part image.Rectangle) {
	x, y := shrinkFactor(j.Width, j.ToWidth), shrinkFactor(j.Height, j.ToHeight)
	areIntegers := x == math.Trunc(x) && y == math.Trunc(y)
	switch {
	case x < 1 || y < 1:
		r.areaLinear(dst, src, j, part)
	case areIntegers && x*y <= exactBlock:
		r.areaShares(dst, src, j, part, blocks)
	case areIntegers && x*y <= largestBlock:
		areaBlocks(dst, src, j, part, int(x), int(y))
	default:
		r.areaShares(dst, src, j, part, shares)
	}
}

// The number of 8-bit pixels whose sum float32, and int32, represents exactly. OpenCV's sums
// overflow with more pixels; here larger blocks use the algorithm for other factors.
const (
	exactBlock   = 1 << 16
	largestBlock = 1 << 23
)

// areaBlocks sets each pixel to the mean of a block of x by y pixels. It is for large blocks, of
// which there are few, so its speed does not matter. For other blocks see [Resampler.mean].
func areaBlocks(dst, src []byte, j Job, part image.Rectangle, x, y int) {
	scale := 1 / float32(x*y)
	for to := part.Min.Y; to < part.Max.Y; to++ {
		for at := part.Min.X * j.Channels; at < part.Max.X*j.Channels; at++ {
			left := at/j.Channels*x*j.Channels + at%j.Channels
			var sum int32
			for row := to * y; row < (to+1)*y; row++ {
				line := src[row*j.Width*j.Channels+left:]
				for i := range x {
					sum += int32(line[i*j.Channels])
				}
			}
			dst[0] = byteOf(float32(float32(sum) * scale))
			dst = dst[1:]
		}
	}
}

// byteOf rounds a value to the nearest byte, ties to even.
func byteOf(v float32) byte {
	const big = 1.5 * (1 << 23) // adding a float32 to it drops the fraction
	return byte(min(int32(float32(v+big)-big), 255))
}

// areaShares sets each pixel to the sum of the pixels it covers, weighted by the covered share.
// It sums in float32, first along the row, then over the rows. For blocks all shares are 1, and
// the sum is divided at the end.
func (r *Resampler) areaShares(dst, src []byte, j Job, part image.Rectangle, m method) {
	columns := r.table(j.columns(part, m))
	rows := r.table(j.rows(part, m))
	line := part.Dx() * j.Channels
	top, bottom := rows.span()
	in := plane{src, j.Width * j.Channels}
	room := line + 8 // the assembly writes up to seven values after a line
	r.reals = resized(r.reals, 6*room)
	sums, means, quad := r.reals[:room], r.reals[room:2*room], r.reals[2*room:]
	have := -4 // first of the four rows in quad
	for y := part.Min.Y; y < part.Max.Y; y++ {
		clear(sums)
		for i, share := range rows.realsOf(y) {
			at := int(rows.first[y]) + i
			if at >= have+4 {
				have = max(min(at, bottom-4), top)
				r.shareRows(quad, room, in.at(have, 0), min(4, bottom-have), j.Channels, columns,
					part.Min.X, part.Max.X)
			}
			r.addShare(sums[:line], quad[(at-have)*room:], share)
		}
		if m == blocks {
			r.mean(means[:line], sums, columns.stride, rows.stride, j.Channels)
			sums, means = means, sums
		}
		r.toBytes(dst[:line], sums)
		dst = dst[line:]
	}
}

// mean converts sums of blocks of x by y pixels to means. Like OpenCV it rounds half to even, but
// half up for blocks of two by two pixels, except with two channels. It rounds half up by adding
// an eighth before it rounds to even.
func (r *Resampler) mean(means, sums []float32, x, y, channels int) {
	var more float32
	if x == 2 && y == 2 && channels != 2 {
		more = 0.125
	}
	for i := range means {
		means[i] = more
	}
	r.addShare(means, sums, 1/float32(x*y))
}

// shareRowsGo sums the samples of rows for the columns from to to of the result. A row of dst has
// room values.
func shareRowsGo(dst []float32, room int, src plane, rows, channels int, t *table, from, to int) {
	for y := range rows {
		for i := from; i < to; i++ {
			s := src.pix[y*src.stride+int(t.first[i])*channels:]
			d := dst[y*room+(i-from)*channels:][:channels]
			clear(d)
			for _, share := range t.realsOf(i) {
				for c := range d {
					d[c] += float32(float32(s[c]) * share)
				}
				s = s[channels:]
			}
		}
	}
}

// addShareGo adds a row times its share to sums.
func addShareGo(sums, row []float32, share float32) {
	row = row[:len(sums)]
	for i := range sums {
		sums[i] += float32(row[i] * share)
	}
}

// toBytesGo rounds sums to bytes, ties to even.
func toBytesGo(dst []byte, sums []float32) {
	sums = sums[:len(dst)]
	for i := range dst {
		dst[i] = byteOf(sums[i])
	}
}

// areaLinear sets each pixel to a weighted sum of two by two pixels, in integers. OpenCV drops
// bits between the passes.
func (r *Resampler) areaLinear(dst, src []byte, j Job, part image.Rectangle) {
	columns := r.table(j.columns(part, linear))
	rows := r.table(j.rows(part, linear))
	line, stride := part.Dx()*j.Channels, j.Width*j.Channels
	r.sums = resized(r.sums, 2*line)
	upper, lower := r.sums[:line], r.sums[line:]
	for y := part.Min.Y; y < part.Max.Y; y++ {
		first := int(rows.first[y])
		second := min(first+1, j.Height-1)
		linearColumns(upper, src[first*stride:][:stride], j.Channels, columns, part.Min.X)
		linearColumns(lower, src[second*stride:][:stride], j.Channels, columns, part.Min.X)
		a, b := rows.weights[2*y], rows.weights[2*y+1]
		for i := range line {
			dst[i] = byte((a*(upper[i]>>4)>>16 + b*(lower[i]>>4)>>16 + 2) >> 2)
		}
		dst = dst[line:]
	}
}

// linearColumns computes the weighted sum of two neighbors for each sample of a row.
func linearColumns(dst []int32, src []byte, channels int, t *table, from int) {
	for i := 0; i < len(dst); i += channels {
		x := from + i/channels
		a, b := t.weights[2*x], t.weights[2*x+1]
		first := int(t.first[x])
		left := src[first*channels:][:channels]
		right := src[min(first+1, t.from-1)*channels:][:channels]
		for c := range left {
			dst[i+c] = int32(left[c])*a + int32(right[c])*b
		}
	}
}
