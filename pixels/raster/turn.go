package raster

// Turn sets dst to src, turned upright by its EXIF orientation, 1 to 8. dst must not be src.
//
//	1        2        3        4        5        6        7        8
//	F        mirror   half a   upside   along    clock-   along    counter-
//	         image    turn     down     \        wise     /        clockwise
func Turn(dst, src *Image, orientation int) {
	width, height := src.Width, src.Height
	if orientation >= 5 {
		width, height = height, width
	}
	dst.Reshape(width, height, src.Channels)
	if len(src.Pix) == 0 {
		return
	}
	w, h, c := src.Width, src.Height, src.Channels
	right, down := c, w*c // offsets from a pixel of src to its neighbors
	right2, down2 := right*(w-1), down*(h-1)
	// The offset in src of the first pixel of dst, and the steps for one pixel right and down.
	from := [9]struct{ at, right, down int }{
		{0, right, down}, {0, right, down}, {right2, -right, down}, {right2 + down2, -right, -down}, {down2, right, -down},
		{0, down, right}, {down2, -down, right}, {right2 + down2, -down, -right}, {right2, down, -right},
	}[orientation]
	if orientation < 5 {
		for y := range height {
			line(dst.row(y), src.Pix, from.at+y*from.down, from.right, c)
		}
		return
	}
	// A row of dst is a column of src. Blocks of both fit the cache.
	const wide, high = 64, 16
	for y0 := 0; y0 < height; y0 += high {
		for x0 := 0; x0 < width; x0 += wide {
			for y := y0; y < min(y0+high, height); y++ {
				part := dst.row(y)[c*x0 : c*min(x0+wide, width)]
				line(part, src.Pix, from.at+y*from.down+x0*from.right, from.right, c)
			}
		}
	}
}

// line fills dst with pixels of src, beginning at offset at, each step bytes after the one
// before.
func line(dst, src []byte, at, step, channels int) {
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
