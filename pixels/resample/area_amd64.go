package resample

import "golang.org/x/sys/cpu"

//go:noescape
func shareColumnsAVX2(dst *float32, dstStride int, src *byte, srcStride int, first, count *int32, shares *float32,
	sharesStride, n, channels int)

//go:noescape
func shareColumns1AVX2(dst *float32, dstStride int, src *byte, srcStride int, first, count *int32, shares *float32,
	sharesStride, n int)

//go:noescape
func addShareAVX2(sums, row *float32, n int, share float32)

//go:noescape
func bytesAVX2(dst *byte, sums *float32, n int)

// shareRows is shareRowsGo, with assembly if possible.
func (r *Resampler) shareRows(dst []float32, room int, src plane, rows, channels int, t *table, from, to int) {
	if r.plain || !cpu.X86.HasAVX2 || channels == 2 || rows < 4 {
		shareRowsGo(dst, room, src, rows, channels, t, from, to)
		return
	}
	last := to - 1
	src = r.fourRows(src, int(t.first[last]+t.count[last])*channels+1)
	_ = dst[3*room+(to-from)*channels] // the assembly writes four values for three channels
	first, count, shares := &t.first[from], &t.count[from], &t.reals[from*t.stride]
	if channels == 1 {
		shareColumns1AVX2(&dst[0], room, &src.pix[0], src.stride, first, count, shares, t.stride, to-from)
	} else {
		shareColumnsAVX2(&dst[0], room, &src.pix[0], src.stride, first, count, shares, t.stride, to-from, channels)
	}
}

// addShare is addShareGo, with assembly if possible. Both slices must have capacity up to a
// multiple of eight values.
func (r *Resampler) addShare(sums, row []float32, share float32) {
	if r.plain || !cpu.X86.HasAVX2 {
		addShareGo(sums, row, share)
		return
	}
	n := (len(sums) + 7) &^ 7
	addShareAVX2(&sums[:n][0], &row[:n][0], n, share)
}

// toBytes is toBytesGo, with assembly if possible.
func (r *Resampler) toBytes(dst []byte, sums []float32) {
	if r.plain || !cpu.X86.HasAVX2 || len(dst) < 8 {
		toBytesGo(dst, sums)
		return
	}
	bytesAVX2(&dst[0], &sums[:len(dst)][0], len(dst))
}
