package raster

// Gray makes dst the greys of src, as Pillow's convert("L") does it; alpha stays.
// dst may be src.
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

// luma is the grey of a color: the weights of BT.601 times 1<<16, as Pillow has
// them (Convert.c).
func luma(r, g, b byte) byte {
	return byte((uint32(r)*19595 + uint32(g)*38470 + uint32(b)*7471 + 0x8000) >> 16)
}

// RGB makes dst the colors of src: a grey is three equal samples; alpha stays. dst
// must not be src where that is grey.
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

// copyTo makes dst equal to src.
func copyTo(dst, src *Image) {
	if dst != src {
		dst.Reshape(src.Width, src.Height, src.Channels)
		copy(dst.Pix, src.Pix)
	}
}

// Flatten makes dst the image src laid over a background, without alpha: each
// sample is round((sample * alpha + background * (255 - alpha)) / 255), exactly,
// which is what Pillow's alpha_composite over an opaque image gives. A grey image
// becomes RGB where the background is none of the greys. dst may be src unless
// src has two channels.
func Flatten(dst, src *Image, background [3]byte) {
	bg, pix := background, src.Pix
	switch isGray := bg[0] == bg[1] && bg[1] == bg[2]; {
	case src.Channels == 2 && isGray:
		dst.Reshape(src.Width, src.Height, 1)
		for i := range dst.Pix {
			dst.Pix[i] = over(pix[2*i], bg[0], pix[2*i+1])
		}
	case src.Channels == 2:
		dst.Reshape(src.Width, src.Height, 3)
		for i := range len(dst.Pix) / 3 {
			g, a, to := pix[2*i], pix[2*i+1], dst.Pix[3*i:3*i+3]
			to[0], to[1], to[2] = over(g, bg[0], a), over(g, bg[1], a), over(g, bg[2], a)
		}
	case src.Channels == 4:
		dst.Reshape(src.Width, src.Height, 3)
		for i := range len(dst.Pix) / 3 {
			c, to := pix[4*i:4*i+4], dst.Pix[3*i:3*i+3]
			a := c[3]
			to[0], to[1], to[2] = over(c[0], bg[0], a), over(c[1], bg[1], a), over(c[2], bg[2], a)
		}
	default:
		copyTo(dst, src)
	}
}

// over is a sample laid over another. A sum divided by 255 is never halfway
// between two numbers, since 255 is odd.
func over(sample, below, alpha byte) byte {
	a := uint32(alpha)
	return byte((uint32(sample)*a + uint32(below)*(255-a) + 127) / 255)
}
