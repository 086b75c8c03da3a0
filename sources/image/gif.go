package image

import "encoding/binary"

// The bytes that begin a block of a GIF.
const (
	gifExtension = '!'
	gifImage     = ','
	gifTrailer   = ';'
)

// readGIF reads the screen and skips the extensions before the first image.
//
//	GIF89a | u16 width | u16 height | flags | background | aspect | palette
func (f *Facts) readGIF(data []byte, limits Limits) error {
	if len(data) < 13 {
		return truncated(len(data), "GIF: the file ends after %d bytes; the header has 13", len(data))
	}
	f.Width = int(binary.LittleEndian.Uint16(data[6:]))
	f.Height = int(binary.LittleEndian.Uint16(data[8:]))
	f.Channels, f.Depth = 1, 8
	if err := f.checkSize(limits, 6); err != nil {
		return err
	}
	palette, at, err := gifPalette(data, 13, data[10])
	if err != nil {
		return err
	}
	if at, err = gifBlock(data, at); err != nil {
		return err
	}
	if data[at] == gifTrailer {
		return corrupt(at, "GIF: the trailer comes before any image")
	}
	f.body = at
	if len(data)-at < 10 {
		return truncated(len(data), "GIF: the file ends in the header of its first image")
	}
	if flags := data[at+9]; flags&0x80 != 0 {
		if palette, _, err = gifPalette(data, at+10, flags); err != nil {
			return err
		}
	}
	f.Colorspace = rgb
	if isRamp(palette) {
		f.Colorspace = gray
	}
	return nil
}

// gifPalette returns the palette that the flags announce at at, empty for none,
// and the offset after it.
func gifPalette(data []byte, at int, flags byte) ([]byte, int, error) {
	if flags&0x80 == 0 {
		return nil, at, nil
	}
	n := 3 << (flags&7 + 1)
	if n > len(data)-at {
		return nil, at, truncated(len(data), "GIF: a palette of %d bytes, the file has only %d more", n, len(data)-at)
	}
	return data[at : at+n], at + n, nil
}

// isRamp reports whether every entry is the grey of its own index, so that the
// palette says nothing.
func isRamp(palette []byte) bool {
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
			return at, corrupt(at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", data[at])
		}
	}
	return at, truncated(len(data), "GIF: the file ends after %d bytes, without its trailer", len(data))
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
	return len(data), truncated(len(data), "GIF: the file ends inside a block of data, after %d bytes", len(data))
}

// verifyGIF walks over the blocks to the trailer and counts the images.
func (f *Facts) verifyGIF(data []byte) error {
	for at, frames := f.body, 0; ; frames++ {
		next, err := gifBlock(data, at)
		if err != nil {
			return err
		}
		if data[next] == gifTrailer {
			if next+1 < len(data) {
				f.Warnings.add(Trailing)
			}
			f.Frames = frames
			return nil
		}
		if at, err = f.gifFrame(data, next, frames+1); err != nil {
			return err
		}
	}
}

// gifFrame skips the image at at, the file's nth:
//
//	',' | u16 left, top, width, height | flags | palette | code size | sub-blocks
func (f *Facts) gifFrame(data []byte, at, n int) (int, error) {
	if len(data)-at < 11 {
		return at, truncated(len(data), "GIF: the file ends in the header of image %d", n)
	}
	left, top := int(binary.LittleEndian.Uint16(data[at+1:])), int(binary.LittleEndian.Uint16(data[at+3:]))
	width, height := int(binary.LittleEndian.Uint16(data[at+5:])), int(binary.LittleEndian.Uint16(data[at+7:]))
	if left+width > f.Width || top+height > f.Height {
		return at, corrupt(at, "GIF: image %d reaches to %d x %d, outside the screen of %d x %d",
			n, left+width, top+height, f.Width, f.Height)
	}
	_, codeSize, err := gifPalette(data, at+10, data[at+9])
	if err != nil {
		return at, err
	}
	if codeSize < len(data) && data[codeSize] > 8 {
		return at, corrupt(codeSize, "GIF: image %d has codes of %d bits; at most 8 are allowed", n, data[codeSize])
	}
	return gifSubBlocks(data, codeSize+1)
}
