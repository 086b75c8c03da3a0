package raster

// Gray sets dst to the grays of src, like Pillow's convert("L"). It keeps alpha. dst may be src.
func Gray(dst, src *Image) {
	if src.Channels < 3 {
		copyTo(dst, src)
		return
	}
	n, pix := src.Channels, src.Pix
	dst.Reshape(src.Width, src.Height, n-2)
	for i := range src.Width * src.Height {
		from, to := pix[n*i:][:n], dst.Pix[(n-2)*i:][:n-2]
		to[0] = luma(from[0], from[1], from[2])
		if n == 4 {
			to[1] = from[3]
		}
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
	if src.Channels >= 3 {
		copyTo(dst, src)
		return
	}
	n := src.Channels
	dst.Reshape(src.Width, src.Height, n+2)
	for i := range src.Width * src.Height {
		from, to := src.Pix[n*i:][:n], dst.Pix[(n+2)*i:][:n+2]
		to[0], to[1], to[2] = from[0], from[0], from[0]
		if n == 2 {
			to[3] = from[1]
		}
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
	if src.Channels%2 != 0 {
		copyTo(dst, src)
		return
	}
	if src.Channels == 2 && (background[0] != background[1] || background[1] != background[2]) {
		RGB(dst, src)
		src = dst
	}
	n, pix := src.Channels, src.Pix
	dst.Reshape(src.Width, src.Height, n-1)
	for i := range src.Width * src.Height {
		from, to := pix[n*i:][:n], dst.Pix[(n-1)*i:][:n-1]
		for c := range to {
			to[c] = blend(from[c], background[c], from[n-1])
		}
	}
}

// blend returns a sample over another. Adding 127 rounds correctly: 255 is odd, so a quotient is
// never halfway between two integers.
func blend(sample, below, alpha byte) byte {
	a := uint32(alpha)
	return byte((uint32(sample)*a + uint32(below)*(255-a) + 127) / 255)
}
