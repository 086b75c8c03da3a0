package image

import "encoding/binary"

// The bytes that begin a block of a GIF.
const (
	gifExtension = '!'
	gifImage     = ','
	gifTrailer   = ';'
)

// readGIF reads the screen and skips the extensions before the first image. That
// one may reach beyond the screen, which then is as large as it needs.
//
//	GIF89a | u16 width | u16 height | flags | background | aspect | palette
func (f *Facts) readGIF(data []byte, limits Limits) error {
	if len(data) < 13 {
		return Truncated(len(data), "GIF: the file ends after %d bytes; the header has 13", len(data))
	}
	f.Width = int(binary.LittleEndian.Uint16(data[6:]))
	f.Height = int(binary.LittleEndian.Uint16(data[8:]))
	f.Channels, f.Depth = 1, 8
	palette, at, err := GIFPalette(data, 13, data[10])
	if err != nil {
		return err
	}
	if at, err = gifBlock(data, at); err != nil {
		return err
	}
	if data[at] == gifTrailer {
		return Corrupt(at, "GIF: the trailer comes before any image")
	}
	f.body = at
	if len(data)-at < 10 {
		return Truncated(len(data), "GIF: the file ends in the header of its first image")
	}
	place := gifPlaceOf(data[at:])
	if place.width == 0 || place.height == 0 {
		return Fault("IMG_DIMENSIONS", at+5, "GIF: image 1 has %d x %d pixels; expected at least 1 x 1", place.width, place.height)
	}
	f.Width, f.Height = max(f.Width, place.right()), max(f.Height, place.bottom())
	if err := f.checkSize(limits, 6); err != nil {
		return err
	}
	f.pixels = limits.most()
	if flags := data[at+9]; flags&0x80 != 0 {
		if palette, _, err = GIFPalette(data, at+10, flags); err != nil {
			return err
		}
	}
	f.Colorspace = rgb
	if IsRamp(palette) {
		f.Colorspace = gray
	}
	return nil
}

// A gifPlace is where an image stands on the screen.
type gifPlace struct{ left, top, width, height int }

// gifPlaceOf reads the place of the image that data begins with.
func gifPlaceOf(data []byte) gifPlace {
	number := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	return gifPlace{number(1), number(3), number(5), number(7)}
}

func (p gifPlace) right() int  { return p.left + p.width }
func (p gifPlace) bottom() int { return p.top + p.height }

// GIFPalette returns the palette of a GIF that the flags announce at at, empty for
// none, and the offset after it.
func GIFPalette(data []byte, at int, flags byte) ([]byte, int, error) {
	if flags&0x80 == 0 {
		return nil, at, nil
	}
	n := 3 << (flags&7 + 1)
	if n > len(data)-at {
		return nil, at, Truncated(len(data), "GIF: a palette of %d bytes, the file has only %d more", n, len(data)-at)
	}
	return data[at : at+n], at + n, nil
}

// IsRamp reports whether every entry is the grey of its own index, so that the
// palette says nothing.
func IsRamp(palette []byte) bool {
	for i, c := range palette {
		if int(c) != i/3 {
			return false
		}
	}
	return true
}

// gifBlock skips extensions from at on and returns the offset of the
// next image or of the trailer.
func gifBlock(data []byte, at int) (int, error) {
	for at < len(data) {
		switch data[at] {
		case gifImage, gifTrailer:
			return at, nil
		case gifExtension:
			var err error
			if at, err = gifSubBlocks(data, at+2); err != nil {
				return at, err
			}
		default:
			return at, Corrupt(at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", data[at])
		}
	}
	return at, Truncated(len(data), "GIF: the file ends after %d bytes, without its trailer", len(data))
}

// gifSubBlocks skips the sub-blocks at at: length, content …, 0.
func gifSubBlocks(data []byte, at int) (int, error) {
	for at < len(data) {
		n := int(data[at])
		at += 1 + n
		if n == 0 {
			return at, nil
		}
	}
	return len(data), Truncated(len(data), "GIF: the file ends inside a block of data, after %d bytes", len(data))
}

// verifyGIF walks over the blocks to the trailer and counts the images.
func (f *Facts) verifyGIF(data []byte) error {
	for at, frames := f.body, 0; ; frames++ {
		next, err := f.gifNext(data, at)
		if err != nil {
			return err
		}
		if data[next] == gifTrailer {
			if next+1 < len(data) {
				f.Warnings.Add(Trailing)
			}
			f.Frames = frames
			return nil
		}
		if at, err = f.gifFrame(data, next, frames+1); err != nil {
			return err
		}
	}
}

// gifNext is gifBlock after the first image, where bytes between blocks may be
// skipped: decoders skip them too, or end there with the images before.
func (f *Facts) gifNext(data []byte, at int) (int, error) {
	for {
		next, err := gifBlock(data, at)
		if err == nil || next >= len(data) || isGIFBlock(data[next]) {
			return next, err
		}
		f.Warnings.Add(Junk)
		for at = next; at < len(data) && !isGIFBlock(data[at]); at++ {
		}
	}
}

func isGIFBlock(c byte) bool { return c == gifImage || c == gifExtension || c == gifTrailer }

// gifFrame skips the image at at, the file's nth:
//
//	',' | u16 left, top, width, height | flags | palette | code size | sub-blocks
func (f *Facts) gifFrame(data []byte, at, n int) (int, error) {
	if len(data)-at < 11 {
		return at, Truncated(len(data), "GIF: the file ends in the header of image %d", n)
	}
	place := gifPlaceOf(data[at:])
	if right, bottom := place.right(), place.bottom(); int64(right)*int64(bottom) > f.pixels {
		return at, tooLarge(f.pixels, right, bottom, at+1, "GIF: image %d reaches to %d x %d pixels,", n, right, bottom)
	}
	_, codeSize, err := GIFPalette(data, at+10, data[at+9])
	if err != nil {
		return at, err
	}
	if codeSize < len(data) && data[codeSize] > 8 {
		return at, Corrupt(codeSize, "GIF: image %d has codes of %d bits; at most 8 are allowed", n, data[codeSize])
	}
	end, err := gifSubBlocks(data, codeSize+1)
	if err == nil && n == 1 && end == codeSize+2 {
		return at, Corrupt(codeSize+1, "GIF: image 1 has no data")
	}
	return end, err
}
