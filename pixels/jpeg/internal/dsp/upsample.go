package dsp

// Upsampling is "fancy": horizontally and vertically, a result is three quarters of the nearest
// sample and a quarter of the second nearest. At the ends of a row both are the same sample. Halves
// are rounded up and down alternately.

// UpsampleH2V1 writes the row src, doubled horizontally, to the first 2*len(src) bytes of dst.
//
// libjpeg-turbo repeats the samples of a row of one or two samples instead; the caller must do
// this. The same applies to UpsampleH2V2, but not to UpsampleH1V2.
func UpsampleH2V1(dst, src []byte) {
	n := len(src)
	if dst = dst[:2*n]; n == 0 {
		return
	}
	if hasAVX2 && n >= vector+2 {
		upsampleH2V1AVX2(&dst[0], &src[0], n)
	} else {
		upsampleH2V1Go(dst, src)
	}
	upsampleH2V1Ends(dst, src)
}

// upsampleH2V1Go skips both ends of the row, like upsampleH2V2Go.
func upsampleH2V1Go(dst, src []byte) {
	before, at, next := 0, int(src[0]), int(src[min(1, len(src)-1)])
	for i := 1; i < len(src)-1; i++ {
		before, at, next = at, next, int(src[i+1])
		d := dst[2*i:][:2]
		d[0] = byte((3*at + before + 1) >> 2)
		d[1] = byte((3*at + next + 2) >> 2)
	}
}

// upsampleH2V1Ends computes the first and the last two samples of dst.
func upsampleH2V1Ends(dst, src []byte) {
	n := len(src)
	second, last := int(src[min(1, n-1)]), int(src[n-1])
	dst[0] = src[0]
	dst[1] = byte((3*int(src[0]) + second + 2) >> 2)
	dst[2*n-2] = byte((3*last + int(src[max(n-2, 0)]) + 1) >> 2)
	dst[2*n-1] = src[n-1]
}

// UpsampleH2V2 sets the first 2*len(near) bytes of dst to one of the two rows that replace the
// row near. For the upper result, far is the row above near; for the lower result, the row below.
// At the top and the bottom of the image it is near itself.
func UpsampleH2V2(dst, near, far []byte) {
	n := len(near)
	if dst, far = dst[:2*n], far[:n]; n == 0 {
		return
	}
	if hasAVX2 && n >= vector+2 {
		upsampleH2V2AVX2(&dst[0], &near[0], &far[0], n)
	} else {
		upsampleH2V2Go(dst, near, far)
	}
	upsampleH2V2Ends(dst, near, far)
}

func upsampleH2V2Go(dst, near, far []byte) {
	before, at := 0, mix(near, far, 0)
	next := mix(near, far, min(1, len(near)-1))
	for i := 1; i < len(near)-1; i++ {
		before, at, next = at, next, mix(near, far, i+1)
		d := dst[2*i:][:2]
		d[0] = byte((3*at + before + 8) >> 4)
		d[1] = byte((3*at + next + 7) >> 4)
	}
}

// upsampleH2V2Ends computes the first and the last two samples of dst.
func upsampleH2V2Ends(dst, near, far []byte) {
	n := len(near)
	first, last := mix(near, far, 0), mix(near, far, n-1)
	dst[0] = byte((4*first + 8) >> 4)
	dst[1] = byte((3*first + mix(near, far, min(1, n-1)) + 7) >> 4)
	dst[2*n-2] = byte((3*last + mix(near, far, max(n-2, 0)) + 8) >> 4)
	dst[2*n-1] = byte((4*last + 7) >> 4)
}

// mix returns four times the interpolation of sample i between two rows.
func mix(near, far []byte, i int) int { return 3*int(near[i]) + int(far[i]) }

// UpsampleH1V2 sets the first len(near) bytes of dst to the upper or the lower of the two rows
// that replace the row near. See UpsampleH2V2 for the row far.
func UpsampleH1V2(dst, near, far []byte, lower bool) {
	bias := 1
	if lower {
		bias = 2
	}
	far, dst = far[:len(near)], dst[:len(near)]
	for i := range near {
		dst[i] = byte((mix(near, far, i) + bias) >> 2)
	}
}
