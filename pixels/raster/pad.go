package raster

// Pad sets dst to an image of width x height pixels with src at x, y on an opaque background.
// Parts of src outside dst are cropped. dst must not be src. In a gray image the background is
// converted like by [Gray].
func Pad(dst, src *Image, width, height, x, y int, background [3]byte) {
	dst.Reshape(width, height, src.Channels)
	pixel := [4]byte{background[0], background[1], background[2], 255}
	if src.Channels < 3 {
		pixel = [4]byte{luma(background[0], background[1], background[2]), 255}
	}
	fill(dst.Pix, pixel[:src.Channels])
	from, to := max(x, 0), min(x+src.Width, width)
	for i := max(y, 0); i < min(y+src.Height, height) && from < to; i++ {
		copy(dst.row(i)[from*src.Channels:to*src.Channels], src.row(i - y)[(from-x)*src.Channels:])
	}
}

// fill repeats pixel in dst, whose length is a multiple of pixel's.
func fill(dst, pixel []byte) {
	for n := copy(dst, pixel); n < len(dst); {
		n += copy(dst[n:], dst[:n])
	}
}
