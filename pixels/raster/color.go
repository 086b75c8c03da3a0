package raster

// Gray sets dst to the grays of src, like Pillow's convert("L"). It keeps alpha. dst may be src.
func Gray(dst, src *Image) {
	channels, pix := src.Channels, src.Pix
	if channels < 3 {
		copyTo(dst, src)
		return
	}
	dst.Reshape(src.Width, src.Height, channels-2)
	to := dst.Pix
	if channels == 3 {
		for i := range to {
			c := pix[3*i : 3*i+3]
			to[i] = luma(c[0], c[1], c[2])
		}
		return
	}
	for i := range len(to) / 2 {
		c := pix[4*i : 4*i+4]
		to[2*i], to[2*i+1] = luma(c[0], c[1], c[2]), c[3]
	}
}

// luma returns the gray of a color, with the weights of BT.601 times 1<<16, like Pillow
// (Convert.c).
func luma(r, g, b byte) byte {
	return byte((uint32(r)*19595 + uint32(g)*38470 + uint32(b)*7471 + 0x8000) >> 16)
}

// RGB sets dst to src with color channels: a gray becomes three equal samples. It keeps alpha.
// dst must not be src if src is gray.
func RGB(dst, src *Image) {
	channels, pix := src.Channels, src.Pix
	if channels >= 3 {
		copyTo(dst, src)
		return
	}
	dst.Reshape(src.Width, src.Height, channels+2)
	to := dst.Pix
	if channels == 1 {
		for i, g := range pix {
			c := to[3*i : 3*i+3]
			c[0], c[1], c[2] = g, g, g
		}
		return
	}
	for i := range len(pix) / 2 {
		g, c := pix[2*i], to[4*i:4*i+4]
		c[0], c[1], c[2], c[3] = g, g, g, pix[2*i+1]
	}
}

// copyTo sets dst to a copy of src.
func copyTo(dst, src *Image) {
	if dst != src {
		dst.Reshape(src.Width, src.Height, src.Channels)
		copy(dst.Pix, src.Pix)
	}
}

// Flatten sets dst to src over a background, without alpha. Each sample is exactly round((sample
// * alpha + background * (255 - alpha)) / 255), the result of Pillow's alpha_composite over an
// opaque image. A gray image with alpha becomes RGB if the background is not gray. dst may be src
// unless src has two channels.
func Flatten(dst, src *Image, background [3]byte) {
	bg, pix := background, src.Pix
	switch isGray := bg[0] == bg[1] && bg[1] == bg[2]; {
	case src.Channels == 2 && isGray:
		dst.Reshape(src.Width, src.Height, 1)
		for i := range dst.Pix {
			dst.Pix[i] = blend(pix[2*i], bg[0], pix[2*i+1])
		}
	case src.Channels == 2:
		dst.Reshape(src.Width, src.Height, 3)
		for i := range len(dst.Pix) / 3 {
			g, a, to := pix[2*i], pix[2*i+1], dst.Pix[3*i:3*i+3]
			to[0], to[1], to[2] = blend(g, bg[0], a), blend(g, bg[1], a), blend(g, bg[2], a)
		}
	case src.Channels == 4:
		dst.Reshape(src.Width, src.Height, 3)
		for i := range len(dst.Pix) / 3 {
			c, to := pix[4*i:4*i+4], dst.Pix[3*i:3*i+3]
			a := c[3]
			to[0], to[1], to[2] = blend(c[0], bg[0], a), blend(c[1], bg[1], a), blend(c[2], bg[2], a)
		}
	default:
		copyTo(dst, src)
	}
}

// blend returns a sample over another. Adding 127 rounds correctly: 255 is odd, so a quotient is
// never halfway between two integers.
func blend(sample, below, alpha byte) byte {
	a := uint32(alpha)
	return byte((uint32(sample)*a + uint32(below)*(255-a) + 127) / 255)
}
