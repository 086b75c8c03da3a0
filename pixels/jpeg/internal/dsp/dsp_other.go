//go:build !amd64

package dsp

func inverseDCT(dst []byte, stride int, b *[64]int16, q *[64]uint16) { inverseDCTGo(dst, stride, b, q) }
func forwardDCT(out *[64]int16, src []byte, stride int, d *Divisors) {
	forwardDCTGo(out, src, stride, d)
}
func yccToRGB(dst, y, cb, cr []byte)               { yccToRGBGo(dst, y, cb, cr) }
func rgbToYCC(y, cb, cr, src []byte)               { rgbToYCCGo(y, cb, cr, src) }
func upsampleH2V1(dst, src []byte)                 { upsampleH2V1Go(dst, src) }
func upsampleH2V2(dst, near, far []byte)           { upsampleH2V2Go(dst, near, far) }
func upsampleH1V2(dst, near, far []byte, bias int) { upsampleH1V2Go(dst, near, far, bias) }
func downsampleH2V1(dst, src []byte)               { downsampleH2V1Go(dst, src) }
func downsampleH2V2(dst, upper, lower []byte)      { downsampleH2V2Go(dst, upper, lower) }
