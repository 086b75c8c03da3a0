package resample

import "golang.org/x/sys/cpu"

// The assembly processes four rows, or 32 samples, at once. It reads up to three pixels and four
// bytes after those that a sum needs; fourRows makes sure that they exist.

//go:noescape
func columnsAVX2(dst *byte, dstStride int, src *byte, srcStride int, first *int32, pairs *int16, n, groups,
	channels int)

//go:noescape
func columns1AVX2(dst *byte, dstStride int, src *byte, srcStride int, first *int32, pairs *int16, n, groups int)

//go:noescape
func rowAVX2(dst, src *byte, stride, n int, pairs *int16, count int)

// split makes the weights of the assembly. Each pair of weights becomes four words: the lowest 12
// bits of both, then the upper bits of both.
func (t *table) split() {
	if !cpu.X86.HasAVX2 {
		return
	}
	t.pairs = resized(t.pairs, 2*len(t.weights))
	for i := 0; i < len(t.weights); i += 2 {
		a, b, p := t.weights[i], t.weights[i+1], t.pairs[2*i:][:4]
		p[0], p[1] = int16(a&0xfff), int16(b&0xfff)
		p[2], p[3] = int16(a>>12), int16(b>>12)
	}
}

// columnPass resamples the rows of src horizontally to dst.
func (r *Resampler) columnPass(dst, src plane, channels, rows int, a axis) {
	if r.plain || !cpu.X86.HasAVX2 || channels == 2 || rows < 4 {
		columnsGo(dst, src, channels, rows, a)
		return
	}
	t, first := a.table, a.table.first[a.from:a.to]
	reach := (int(first[len(first)-1])+t.stride)*channels + 4 // bytes that are read from the start of a row
	for y := 0; y < rows; y += 4 {
		y = min(y, rows-4) // the last four may overlap those before
		_ = dst.pix[(y+3)*dst.stride+len(first)*channels-1]
		d, s := &dst.pix[y*dst.stride], r.fourRows(src.at(y, 0), reach)
		pairs := &t.pairs[2*a.from*t.stride]
		if channels == 1 {
			columns1AVX2(d, dst.stride, &s.pix[0], s.stride, &first[0], pairs, len(first), t.stride/4)
		} else {
			columnsAVX2(d, dst.stride, &s.pix[0], s.stride, &first[0], pairs, len(first), t.stride/4, channels)
		}
	}
}

// fourRows returns the first four rows of a plane, with at least reach bytes after the start of
// each. It copies them if necessary.
func (r *Resampler) fourRows(p plane, reach int) plane {
	if 3*p.stride+reach <= len(p.pix) {
		return p
	}
	stride := max(p.stride, reach)
	r.padded = resized(r.padded, 4*stride)
	for y := range 4 {
		copy(r.padded[y*stride:][:p.stride], p.pix[y*p.stride:])
	}
	return plane{r.padded, stride}
}

// row computes row y of the result. src begins with the first row that it needs.
func (r *Resampler) row(dst []byte, src plane, t *table, y int) {
	if r.plain || !cpu.X86.HasAVX2 || len(dst) < 32 {
		r.sums = resized(r.sums, len(dst))
		rowGo(dst, src, t.weightsOf(y), r.sums)
		return
	}
	count := int(t.count[y])
	_ = src.pix[(count-1)*src.stride+len(dst)-1]
	rowAVX2(&dst[0], &src.pix[0], src.stride, len(dst), &t.pairs[2*y*t.stride], count)
}
