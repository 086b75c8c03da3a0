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
	// A row of dst may be a column of src. Blocks of both, of at most 64 × 16 × 4 bytes, fit the first cache.
	const wide, high = 64, 16
	for y0 := 0; y0 < height; y0 += high {
		for x0 := 0; x0 < width; x0 += wide {
			for y := y0; y < min(y0+high, height); y++ {
				at := from.at + y*from.down + x0*from.right
				for part := dst.row(y)[c*x0 : c*min(x0+wide, width)]; len(part) > 0; part = part[c:] {
					copy(part[:c], src.Pix[at:])
					at += from.right
				}
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
