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
	Data   []byte
	At     int  // offset where the next method reads
	Images int  // number of images found, up to the current one
	Junk   bool // bytes between blocks were skipped

	// The current image. Rect and Interlaced are not set if the file has fewer than 10 bytes of it.
	Start int // offset of the image
	Rect
	Interlaced  bool
	Transparent bool // an index is transparent
	Key         byte // the transparent index, or 0

	global []byte // palette of the screen
}

// First moves to the first image, after the palette of the screen.
func (r *GIFReader) First() (err error) {
	if len(r.Data) < 13 {
		return Truncated(len(r.Data), "GIF: the file ends after %d bytes; the header has 13", len(r.Data))
	}
	r.At = 13
	if r.global, err = r.readPalette(r.Data[10], nil); err != nil {
		return err
	}
	found, err := r.Next()
	if err == nil && !found {
		return Corrupt(r.At, "GIF: the trailer comes before any image")
	}
	return err
}

// Next moves to the next image, and reports whether there is one before the trailer. Between images,
// it skips bytes that belong to no block: decoders skip them too, or stop there.
func (r *GIFReader) Next() (found bool, err error) {
	data, at := r.Data, r.At
	r.Transparent, r.Key = false, 0
	for at < len(data) {
		switch c := data[at]; {
		case c == ';':
			r.At = at
			return false, nil
		case c == ',':
			r.readDescriptor(at)
			return true, nil
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
func (r *GIFReader) readDescriptor(at int) {
	r.Images++
	r.Start, r.At = at, at+10
	if b := r.Data[at:]; len(b) >= 10 {
		le := binary.LittleEndian
		r.Left, r.Top, r.Width, r.Height = int(le.Uint16(b[1:])), int(le.Uint16(b[3:])), int(le.Uint16(b[5:])), int(le.Uint16(b[7:]))
		r.Interlaced = b[9]&0x40 != 0
	}
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
func (r *GIFReader) SkipBlocks() error {
	if r.At = skipBlocks(r.Data, r.At); r.At < 0 {
		return endsInBlock(r.Data)
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
func (r *GIFReader) ReadPalette() ([]byte, error) {
	return r.readPalette(r.Data[r.Start+9], r.global)
}

// readPalette reads the palette at At, or returns another if flags do not announce one.
func (r *GIFReader) readPalette(flags byte, another []byte) ([]byte, error) {
	if flags&0x80 == 0 {
		return another, nil
	}
	n := 3 << (flags&7 + 1)
	if n > len(r.Data)-r.At {
		return nil, Truncated(len(r.Data), "GIF: a palette of %d bytes, the file has only %d more", n, len(r.Data)-r.At)
	}
	r.At += n
	return r.Data[r.At-n : r.At], nil
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
	r := GIFReader{Data: data}
	if err := r.First(); err != nil {
		return err
	}
	f.body = r.Start
	if len(data)-r.Start < 10 {
		return Truncated(len(data), "GIF: the file ends in the header of its first image")
	}
	if r.Width == 0 || r.Height == 0 {
		return NewError("IMG_DIMENSIONS", r.Start+5, "GIF: image 1 has %d x %d pixels; expected at least 1 x 1", r.Width, r.Height)
	}
	f.Width = max(int(binary.LittleEndian.Uint16(data[6:])), r.Right())
	f.Height = max(int(binary.LittleEndian.Uint16(data[8:])), r.Bottom())
	if err := f.checkSize(limits, 6); err != nil {
		return err
	}
	f.pixels = limits.maxPixels()
	palette, err := r.ReadPalette()
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
	r := GIFReader{Data: data, At: f.body}
	for {
		found, err := r.Next()
		if r.Junk {
			f.Warnings.Add(Junk)
		}
		if found {
			err = f.skipGIFImage(&r)
		}
		switch {
		case err != nil:
			return err
		case !found:
			if r.At+1 < len(data) {
				f.Warnings.Add(Trailing)
			}
			f.Frames = r.Images
			return nil
		}
	}
}

// skipGIFImage skips the image that r is at.
func (f *Info) skipGIFImage(r *GIFReader) error {
	if len(r.Data)-r.Start < 11 {
		return Truncated(len(r.Data), "GIF: the file ends in the header of image %d", r.Images)
	}
	if right, bottom := r.Right(), r.Bottom(); int64(right)*int64(bottom) > f.pixels {
		return tooLarge(f.pixels, right, bottom, r.Start+1, "GIF: image %d reaches to %d x %d pixels,", r.Images, right, bottom)
	}
	if _, err := r.ReadPalette(); err != nil {
		return err
	}
	codeSize := r.At
	if codeSize < len(r.Data) && r.Data[codeSize] > 8 {
		return Corrupt(codeSize, "GIF: image %d has codes of %d bits; at most 8 are allowed", r.Images, r.Data[codeSize])
	}
	r.At++
	err := r.SkipBlocks()
	if err == nil && r.Images == 1 && r.At == codeSize+2 {
		return Corrupt(codeSize+1, "GIF: image 1 has no data")
	}
	return err
}
