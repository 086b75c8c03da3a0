package dsp

// The factors between RGB and YCbCr, as defined by JFIF, with 16 fractional bits.
const (
	crRed, crGreen         = 91881, -46802         // 1.40200, -0.71414
	cbGreen, cbBlue        = -22554, 116130        // -0.34414, 1.77200
	redY, greenY, blueY    = 19595, 38470, 7471    // 0.299, 0.587, 0.114
	redCb, greenCb, blueCb = -11059, -21709, 32768 // -0.16874, -0.33126, 0.5
	redCr, greenCr, blueCr = 32768, -27439, -5329  // 0.5, -0.41869, -0.08131
	half                   = 1 << 15
)

// YCCToRGB converts len(dst)/3 pixels from planes to interleaved red, green, and blue.
func YCCToRGB(dst, y, cb, cr []byte) {
	n := len(dst) / 3
	dst, y, cb, cr = dst[:3*n], y[:n], cb[:n], cr[:n]
	if hasAVX2 && n >= vector {
		yccToRGBAVX2(&dst[0], &y[0], &cb[0], &cr[0], n)
	} else {
		yccToRGBGo(dst, y, cb, cr)
	}
}

func yccToRGBGo(dst, y, cb, cr []byte) {
	cb, cr = cb[:len(y)], cr[:len(y)]
	for i, luma := range y {
		y, b, r := int32(luma)<<16+half, int32(cb[i])-128, int32(cr[i])-128
		d := dst[3*i:][:3]
		d[0] = clip(y + crRed*r)
		d[1] = clip(y + cbGreen*b + crGreen*r)
		d[2] = clip(y + cbBlue*b)
	}
}

// clip removes 16 fractional bits, and limits the value to a sample.
func clip(v int32) byte { return byte(min(max(v>>16, 0), 255)) }

// RGBToYCC converts len(src)/3 interleaved pixels to planes.
func RGBToYCC(y, cb, cr, src []byte) {
	n := len(src) / 3
	y, cb, cr, src = y[:n], cb[:n], cr[:n], src[:3*n]
	if hasAVX2 && n >= vector {
		rgbToYCCAVX2(&y[0], &cb[0], &cr[0], &src[0], n)
	} else {
		rgbToYCCGo(y, cb, cr, src)
	}
}

func rgbToYCCGo(y, cb, cr, src []byte) {
	cb, cr = cb[:len(y)], cr[:len(y)]
	for i := range y {
		s := src[3*i:][:3]
		r, g, b := int32(s[0]), int32(s[1]), int32(s[2])
		y[i] = byte((redY*r + greenY*g + blueY*b + half) >> 16)
		// Adds a half less the lowest bit, because 255.5 must not become 256.
		cb[i] = byte((redCb*r + greenCb*g + blueCb*b + 128<<16 + half - 1) >> 16)
		cr[i] = byte((redCr*r + greenCr*g + blueCr*b + 128<<16 + half - 1) >> 16)
	}
}
