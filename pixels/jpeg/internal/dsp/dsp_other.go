//go:build !amd64

package dsp

const hasAVX2 = false

func inverseDCTAVX2(*byte, int, *[64]int16, *[64]uint16) {}
func forwardDCTAVX2(*[64]int16, *byte, int, *Divisors)   {}
func yccToRGBAVX2(_, _, _, _ *byte, _ int)               {}
func rgbToYCCAVX2(_, _, _, _ *byte, _ int)               {}
func upsampleH2V1AVX2(_, _ *byte, _ int)                 {}
func upsampleH2V2AVX2(_, _, _ *byte, _ int)              {}
func downsampleH2V2AVX2(_, _, _ *byte, _ int)            {}
