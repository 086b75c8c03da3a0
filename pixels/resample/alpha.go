package resample

// Colors are multiplied by alpha before they are summed, so that the colors of transparent pixels
// do not bleed. The rounding is Pillow's: Convert.c and ImagingUtils.h.

// times255 returns a times b over 255, rounded.
func times255(a, b byte) byte {
	p := uint32(a)*uint32(b) + 128
	return byte((p>>8 + p) >> 8)
}

// premultiply copies pixels to dst, with their colors multiplied by alpha.
func premultiply(dst, src []byte, channels int) {
	for i := 0; i+channels <= len(src); i += channels {
		s, d := src[i:][:channels], dst[i:][:channels]
		a := s[channels-1]
		for c, v := range s[:channels-1] {
			d[c] = times255(v, a)
		}
		d[channels-1] = a
	}
}

// divide undoes premultiply in place, rounding down. A color that is brighter than its alpha
// becomes 255; negative weights make such colors.
func divide(pix []byte, channels int) {
	for i := 0; i+channels <= len(pix); i += channels {
		p := pix[i:][:channels]
		a := uint64(p[channels-1])
		if a == 0 || a == 255 {
			continue
		}
		inverse := 1<<24/a + 1 // exact for these operands: 255 * 255 * 254 < 1<<24
		for c, v := range p[:channels-1] {
			p[c] = byte(min(255*uint64(v)*inverse>>24, 255))
		}
	}
}
