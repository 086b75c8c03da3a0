package header

import "encoding/binary"

// A GIFReader walks over the blocks of a GIF, and stops at each image:
//
//	GIF89a | u16 width | u16 height | flags | background | aspect | palette
//	'!' | kind | sub-blocks                               an extension
//	',' | u16 left, top, width, height | flags | palette | code size | sub-blocks
//	';'                                                   the trailer
//	sub-blocks: length | content | … | 0
type GIFReader struct {
	At     int  // offset where the next method reads
	Images int  // number of images found, up to the current one
	Junk   bool // bytes between blocks were skipped

	// The current image.
	Start int // offset of the image
	Rect
	Interlaced  bool
	Transparent bool // an index is transparent
	Key         byte // the transparent index, or 0
}

// screen is the offset after the size of the screen, where its palette is.
const screen = 13

// first moves to the first image, after the palette of the screen.
func (r *GIFReader) first(data []byte) error {
	if len(data) < screen {
		return Truncated(len(data), "GIF: the file ends after %d bytes; the header has %d", len(data), screen)
	}
	r.At = screen
	if _, err := r.readPalette(data, 10); err != nil {
		return err
	}
	found, err := r.Next(data)
	if err == nil && !found {
		return Corrupt(r.At, "GIF: the trailer comes before any image")
	}
	return err
}

// Next moves to the next image, and reports whether there is one before the trailer. Between images,
// it skips bytes that belong to no block: decoders skip them too, or stop there.
func (r *GIFReader) Next(data []byte) (found bool, err error) {
	at := r.At
	r.Transparent, r.Key = false, 0
	for at < len(data) {
		switch c := data[at]; {
		case c == ';':
			r.At = at
			return false, nil
		case c == ',':
			return true, r.readDescriptor(data, at)
		case c == '!':
			r.readExtension(data[at:])
			if at = skipBlocks(data, at+2); at < 0 {
				return false, endsInBlock(data)
			}
		case r.Images == 0:
			return false, Corrupt(at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", c)
		default:
			r.Junk = true
			at++
		}
	}
	return false, Truncated(len(data), "GIF: the file ends after %d bytes, without its trailer", len(data))
}

// readDescriptor reads the position of the image at offset at, and whether it is interlaced.
func (r *GIFReader) readDescriptor(data []byte, at int) error {
	r.Images++
	r.Start, r.At = at, at+10
	b := data[at:]
	if len(b) < 10 {
		return Truncated(len(data), "GIF: the file ends in the header of image %d", r.Images)
	}
	le := binary.LittleEndian
	r.Left, r.Top = int(le.Uint16(b[1:])), int(le.Uint16(b[3:]))
	r.Width, r.Height = int(le.Uint16(b[5:])), int(le.Uint16(b[7:]))
	r.Interlaced = b[9]&0x40 != 0
	return nil
}

// readExtension reads a graphic control extension, which sets the transparent index of the next
// image:
//
//	'!' 0xf9 4 | flags | u16 delay | index | 0
func (r *GIFReader) readExtension(b []byte) {
	if len(b) >= 7 && b[1] == 0xf9 && b[2] >= 4 && b[3]&1 != 0 {
		r.Transparent, r.Key = true, b[6]
	}
}

// SkipBlocks skips the sub-blocks at At.
func (r *GIFReader) SkipBlocks(data []byte) error {
	if r.At = skipBlocks(data, r.At); r.At < 0 {
		return endsInBlock(data)
	}
	return nil
}

// skipBlocks returns the offset after the sub-blocks at offset at, or -1 if the file ends before.
func skipBlocks(data []byte, at int) int {
	for at < len(data) {
		n := int(data[at])
		if at += 1 + n; n == 0 {
			return at
		}
	}
	return -1
}

func endsInBlock(data []byte) error {
	return Truncated(len(data), "GIF: the file ends inside a block of data, after %d bytes", len(data))
}

// ReadPalette returns the palette of the current image, which is its own or the screen's, and moves
// to the code size.
func (r *GIFReader) ReadPalette(data []byte) ([]byte, error) {
	own, err := r.readPalette(data, r.Start+9)
	if err != nil || len(own) > 0 {
		return own, err
	}
	after := r.At
	r.At = screen
	palette, err := r.readPalette(data, 10)
	r.At = after
	return palette, err
}

// readPalette reads the palette at At, which is empty unless the flags at an offset announce it.
func (r *GIFReader) readPalette(data []byte, flagsAt int) ([]byte, error) {
	flags, n := data[flagsAt], 0
	if flags&0x80 != 0 {
		n = 3 << (flags&7 + 1)
	}
	if n > len(data)-r.At {
		return nil, Truncated(len(data), "GIF: a palette of %d bytes, the file has only %d more", n, len(data)-r.At)
	}
	r.At += n
	return data[r.At-n : r.At], nil
}

// ReadCodeSize reads the code size of the current image, and moves to its sub-blocks.
func (r *GIFReader) ReadCodeSize(data []byte) (int, error) {
	if r.At >= len(data) {
		return 0, Truncated(len(data), "GIF: the file ends in the header of image %d", r.Images)
	}
	n := int(data[r.At])
	if n < 2 || n > 8 {
		return 0, Corrupt(r.At, "GIF: image %d has codes of %d bits; expected 2 to 8", r.Images, n)
	}
	r.At++
	return n, nil
}

// IsRamp reports whether each color of a palette is the gray of its index times step. A color has
// size bytes.
func IsRamp(palette []byte, size, step int) bool {
	for i := 0; len(palette) >= size; i++ {
		if c, gray := palette[:3], byte(i*step); c[0] != gray || c[1] != gray || c[2] != gray {
			return false
		}
		palette = palette[size:]
	}
	return true
}

// readGIF reads the screen and the palette of the first image. If this image reaches beyond the
// screen, the screen is enlarged.
func (f *Info) readGIF(data []byte, limits Limits) error {
	var r GIFReader
	if err := r.first(data); err != nil {
		return err
	}
	if r.Width == 0 || r.Height == 0 {
		return NewError("IMG_DIMENSIONS", r.Start+5, "GIF: image 1 has %d x %d pixels; expected at least 1 x 1",
			r.Width, r.Height)
	}
	f.Width = max(int(binary.LittleEndian.Uint16(data[6:])), r.Right())
	f.Height = max(int(binary.LittleEndian.Uint16(data[8:])), r.Bottom())
	if err := f.checkSize(limits, 6); err != nil {
		return err
	}
	f.GIF, f.pixels = r, limits.maxPixels()
	palette, err := r.ReadPalette(data)
	if err != nil {
		return err
	}
	f.Channels, f.Depth, f.Colorspace = 1, 8, rgb
	if IsRamp(palette, 3, 1) {
		f.Colorspace = gray
	}
	return nil
}

// verifyGIF walks over the blocks to the trailer, and counts the images.
func (f *Info) verifyGIF(data []byte) error {
	r := f.GIF
	for found := true; found; {
		err := f.skipGIFImage(data, &r)
		if err == nil {
			found, err = r.Next(data)
		}
		if r.Junk {
			f.Warnings.Add(Junk)
		}
		if err != nil {
			return err
		}
	}
	if r.At+1 < len(data) {
		f.Warnings.Add(Trailing)
	}
	f.Frames = r.Images
	return nil
}

// skipGIFImage skips the image that r is at.
func (f *Info) skipGIFImage(data []byte, r *GIFReader) error {
	if right, bottom := r.Right(), r.Bottom(); int64(right)*int64(bottom) > f.pixels {
		return tooLarge(f.pixels, right, bottom, r.Start+1, "GIF: image %d reaches to %d x %d pixels,", r.Images, right,
			bottom)
	}
	if _, err := r.ReadPalette(data); err != nil {
		return err
	}
	if _, err := r.ReadCodeSize(data); err != nil {
		return err
	}
	blocks := r.At
	err := r.SkipBlocks(data)
	if err == nil && r.Images == 1 && r.At == blocks+1 {
		return Corrupt(blocks, "GIF: image 1 has no data")
	}
	return err
}
