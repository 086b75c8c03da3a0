package header

import "encoding/binary"

// The first bytes of the blocks of a GIF.
const (
	gifExtension = '!'
	gifImage     = ','
	gifTrailer   = ';'
)

// readGIF reads the screen, and skips the extensions before the first image. If the first image
// reaches beyond the screen, the screen is enlarged.
//
//	GIF89a | u16 width | u16 height | flags | background | aspect | palette
func (f *Info) readGIF(data []byte, limits Limits) error {
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
	if at, err = skipGIFExtensions(data, at); err != nil {
		return err
	}
	if data[at] == gifTrailer {
		return Corrupt(at, "GIF: the trailer comes before any image")
	}
	f.body = at
	if len(data)-at < 10 {
		return Truncated(len(data), "GIF: the file ends in the header of its first image")
	}
	rect := readGIFRect(data[at:])
	if rect.width == 0 || rect.height == 0 {
		return NewError("IMG_DIMENSIONS", at+5, "GIF: image 1 has %d x %d pixels; expected at least 1 x 1", rect.width, rect.height)
	}
	f.Width, f.Height = max(f.Width, rect.right()), max(f.Height, rect.bottom())
	if err := f.checkSize(limits, 6); err != nil {
		return err
	}
	f.pixels = limits.maxPixels()
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

// A gifRect is the rectangle of an image on the screen.
type gifRect struct{ left, top, width, height int }

// readGIFRect reads the rectangle of the image at the start of data.
func readGIFRect(data []byte) gifRect {
	number := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	return gifRect{number(1), number(3), number(5), number(7)}
}

func (p gifRect) right() int  { return p.left + p.width }
func (p gifRect) bottom() int { return p.top + p.height }

// GIFPalette returns the palette of a GIF at offset at, and the offset after it. The palette is
// empty if flags do not announce one.
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

// IsRamp reports whether every palette entry is the gray of its own index, so that indices are
// gray values.
func IsRamp(palette []byte) bool {
	for i, c := range palette {
		if int(c) != i/3 {
			return false
		}
	}
	return true
}

// skipGIFExtensions skips extensions, and returns the offset of the next image or of the trailer.
func skipGIFExtensions(data []byte, at int) (int, error) {
	for at < len(data) {
		switch data[at] {
		case gifImage, gifTrailer:
			return at, nil
		case gifExtension:
			var err error
			if at, err = skipSubBlocks(data, at+2); err != nil {
				return at, err
			}
		default:
			return at, Corrupt(at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", data[at])
		}
	}
	return at, Truncated(len(data), "GIF: the file ends after %d bytes, without its trailer", len(data))
}

// skipSubBlocks skips the sub-blocks at offset at: length, content …, 0.
func skipSubBlocks(data []byte, at int) (int, error) {
	for at < len(data) {
		n := int(data[at])
		at += 1 + n
		if n == 0 {
			return at, nil
		}
	}
	return len(data), Truncated(len(data), "GIF: the file ends inside a block of data, after %d bytes", len(data))
}

// verifyGIF walks over the blocks to the trailer, and counts the images.
func (f *Info) verifyGIF(data []byte) error {
	for at, frames := f.body, 0; ; frames++ {
		next, err := f.nextGIFBlock(data, at)
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
		if at, err = f.skipGIFFrame(data, next, frames+1); err != nil {
			return err
		}
	}
}

// nextGIFBlock skips extensions after the first image. It also skips bytes between blocks, with a
// warning: decoders skip them too, or stop there with the images before.
func (f *Info) nextGIFBlock(data []byte, at int) (int, error) {
	for {
		next, err := skipGIFExtensions(data, at)
		if err == nil || next >= len(data) || isGIFBlock(data[next]) {
			return next, err
		}
		f.Warnings.Add(Junk)
		for at = next; at < len(data) && !isGIFBlock(data[at]); at++ {
		}
	}
}

func isGIFBlock(c byte) bool { return c == gifImage || c == gifExtension || c == gifTrailer }

// skipGIFFrame skips the n-th image of the file, and returns the offset after it:
//
//	',' | u16 left, top, width, height | flags | palette | code size | sub-blocks
func (f *Info) skipGIFFrame(data []byte, at, n int) (int, error) {
	if len(data)-at < 11 {
		return at, Truncated(len(data), "GIF: the file ends in the header of image %d", n)
	}
	rect := readGIFRect(data[at:])
	if right, bottom := rect.right(), rect.bottom(); int64(right)*int64(bottom) > f.pixels {
		return at, tooLarge(f.pixels, right, bottom, at+1, "GIF: image %d reaches to %d x %d pixels,", n, right, bottom)
	}
	_, codeSize, err := GIFPalette(data, at+10, data[at+9])
	if err != nil {
		return at, err
	}
	if codeSize < len(data) && data[codeSize] > 8 {
		return at, Corrupt(codeSize, "GIF: image %d has codes of %d bits; at most 8 are allowed", n, data[codeSize])
	}
	end, err := skipSubBlocks(data, codeSize+1)
	if err == nil && n == 1 && end == codeSize+2 {
		return at, Corrupt(codeSize+1, "GIF: image 1 has no data")
	}
	return end, err
}
