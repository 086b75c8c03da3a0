package dsp

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the assembly can run. Nearly all processors since 2015 support it.
var hasAVX2 = cpu.X86.HasAVX2

// vector is the number of samples or pixels that the assembly processes at a time. The last 32 of
// a row overlap those before, so a row needs at least 32.
const vector = 32

func inverseDCT(dst []byte, stride int, b *[64]int16, q *[64]uint16) {
	if !hasAVX2 {
		inverseDCTGo(dst, stride, b, q)
		return
	}
	inverseDCTAVX2(&dst[0], stride, b, q)
}

func forwardDCT(out *[64]int16, src []byte, stride int, d *Divisors) {
	if !hasAVX2 {
		forwardDCTGo(out, src, stride, d)
		return
	}
	forwardDCTAVX2(out, &src[0], stride, d)
}

func yccToRGB(dst, y, cb, cr []byte) {
	if !hasAVX2 || len(y) < vector {
		yccToRGBGo(dst, y, cb, cr)
		return
	}
	yccToRGBAVX2(&dst[0], &y[0], &cb[0], &cr[0], len(y))
}

func rgbToYCC(y, cb, cr, src []byte) {
	if !hasAVX2 || len(y) < vector {
		rgbToYCCGo(y, cb, cr, src)
		return
	}
	rgbToYCCAVX2(&y[0], &cb[0], &cr[0], &src[0], len(y))
}

func upsampleH2V1(dst, src []byte) {
	n := len(src)
	if !hasAVX2 || n < vector+2 {
		upsampleH2V1Go(dst, src)
		return
	}
	upsampleH2V1AVX2(&dst[0], &src[0], n)
	upsampleH2V1Ends(dst, src)
}

func upsampleH2V2(dst, near, far []byte) {
	n := len(near)
	if !hasAVX2 || n < vector+2 {
		upsampleH2V2Go(dst, near, far)
		return
	}
	upsampleH2V2AVX2(&dst[0], &near[0], &far[0], n)
	upsampleH2V2Ends(dst, near, far)
}

func upsampleH1V2(dst, near, far []byte, bias int) {
	if !hasAVX2 || len(dst) < vector {
		upsampleH1V2Go(dst, near, far, bias)
		return
	}
	upsampleH1V2AVX2(&dst[0], &near[0], &far[0], len(dst), bias)
}

func downsampleH2V1(dst, src []byte) {
	// An even number, because the vectors begin with a sample that is rounded down.
	n := len(dst) &^ 1
	if !hasAVX2 || n < vector {
		n = 0
	} else {
		downsampleH2V1AVX2(&dst[0], &src[0], n)
	}
	downsampleH2V1Go(dst[n:], src[2*n:])
}

func downsampleH2V2(dst, upper, lower []byte) {
	n := len(dst) &^ 1
	if !hasAVX2 || n < vector {
		n = 0
	} else {
		downsampleH2V2AVX2(&dst[0], &upper[0], &lower[0], n)
	}
	downsampleH2V2Go(dst[n:], upper[2*n:], lower[2*n:])
}

//go:noescape
func inverseDCTAVX2(dst *byte, stride int, b *[64]int16, q *[64]uint16)

//go:noescape
func forwardDCTAVX2(out *[64]int16, src *byte, stride int, d *Divisors)

// The following functions process rows of n samples or pixels.

//go:noescape
func yccToRGBAVX2(dst, y, cb, cr *byte, n int)

//go:noescape
func rgbToYCCAVX2(y, cb, cr, src *byte, n int)

// upsampleH2V1AVX2 skips both ends of the row, like upsampleH2V2AVX2.
//
//go:noescape
func upsampleH2V1AVX2(dst, src *byte, n int)

//go:noescape
func upsampleH2V2AVX2(dst, near, far *byte, n int)

//go:noescape
func upsampleH1V2AVX2(dst, near, far *byte, n, bias int)

//go:noescape
func downsampleH2V1AVX2(dst, src *byte, n int)

//go:noescape
func downsampleH2V2AVX2(dst, upper, lower *byte, n int)
