package dsp

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the assembly can run. Nearly all processors since 2015 support it.
var hasAVX2 = cpu.X86.HasAVX2

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
func downsampleH2V2AVX2(dst, upper, lower *byte, n int)
