package raster

// Turn sets dst to src, turned upright by its EXIF orientation, 1 to 8; 0 means 1. dst must not be
// src. The operations are:
//
//	1 none                   5 mirror along the diagonal from the upper left
//	2 mirror left and right  6 turn clockwise by 90 degrees
//	3 turn by 180 degrees    7 mirror along the diagonal from the upper right
//	4 mirror up and down     8 turn counterclockwise by 90 degrees
func Turn(dst, src *Image, orientation int) {
	width, height := src.Width, src.Height
	if orientation >= 5 {
		width, height = height, width
	}
	dst.Reshape(width, height, src.Channels)
	if len(src.Pix) == 0 {
		return
	}
	from, c := stepsOf(src, orientation), src.Channels
	if orientation < 5 {
		for y := range height {
			copyStrided(dst.row(y), src.Pix, from.at+y*from.down, from.right, c)
		}
		return
	}
	// A row of dst is a column of src. Blocks of both, of at most 64 × 16 × 4 bytes, fit the first cache.
	const wide, high = 64, 16
	for y0 := 0; y0 < height; y0 += high {
		for x0 := 0; x0 < width; x0 += wide {
			for y := y0; y < min(y0+high, height); y++ {
				part := dst.row(y)[c*x0 : c*min(x0+wide, width)]
				copyStrided(part, src.Pix, from.at+y*from.down+x0*from.right, from.right, c)
			}
		}
	}
}

// steps has the offset in an image of the first pixel after a turn, and the steps for one pixel right
// and down.
type steps struct{ at, right, down int }

func stepsOf(m *Image, orientation int) steps {
	w, h, c := m.Width, m.Height, m.Channels
	right, down := c, w*c // offsets from a pixel of m to its neighbors
	lastRight, lastDown := right*(w-1), down*(h-1)
	return [9]steps{
		{0, right, down}, {0, right, down}, {lastRight, -right, down}, {lastRight + lastDown, -right, -down},
		{lastDown, right, -down},
		{0, down, right}, {lastDown, -down, right}, {lastRight + lastDown, -down, -right}, {lastRight, down, -right},
	}[orientation]
}

// copyStrided fills dst with pixels of src, beginning at offset at, each step bytes after the one
// before.
func copyStrided(dst, src []byte, at, step, channels int) {
	switch {
	case step == channels:
		copy(dst, src[at:])
	case channels == 1:
		for i := range dst {
			dst[i] = src[at]
			at += step
		}
	case channels == 3:
		for i := 0; i+3 <= len(dst); i += 3 {
			to, from := dst[i:i+3], src[at:at+3]
			to[0], to[1], to[2] = from[0], from[1], from[2]
			at += step
		}
	default:
		for i := 0; i < len(dst); i += channels {
			copy(dst[i:i+channels], src[at:])
			at += step
		}
	}
}
