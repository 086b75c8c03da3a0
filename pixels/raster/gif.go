package raster

import (
	"encoding/binary"
	"slices"

	"tfr-build/pixels/header"
)

// A gifDecoder decodes the images of a GIF.
//
//	header, palette ─► extension … ─► image: position, palette, blocks ─► lzw ─► indices ─► colors
type gifDecoder struct {
	gifReader
	codes   lzw
	stream  []byte // the joined blocks of an image
	indices []byte
	rows    []byte // indices of an interlaced image, in stored order
}

// decode decodes the first image, and draws it on the screen.
func (d *gifDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	err := d.first(data)
	if err == nil && (d.left+d.width > facts.Width || d.top+d.height > facts.Height) {
		err = header.Corrupt(d.start, "GIF: the facts are those of another file")
	}
	if err == nil {
		err = d.readPixels()
	}
	if err == nil {
		d.paint(m, facts.Width, facts.Height)
	}
	return err
}

// verify decodes and discards all images, up to most pixels in total.
func (d *gifDecoder) verify(data []byte, maxPixels int64) error {
	err := d.first(data)
	for more := true; more && err == nil; {
		if maxPixels -= int64(d.width) * int64(d.height); maxPixels < 0 {
			return nil
		}
		if err = d.readPixels(); err == nil {
			more, err = d.next()
		}
	}
	return err
}

// readPixels decodes the current image, and moves to the block after it.
func (d *gifDecoder) readPixels() error {
	if err := d.joinBlocks(); err != nil {
		return err
	}
	// A code has at least 2 bits and encodes less than 4,096 pixels. The check comes before the
	// allocation, because a header may claim any size.
	if d.width*d.height/(4*lzwCodes) > len(d.stream) {
		return header.Truncated(d.at, "GIF: the picture at byte %d has %d bytes, which cannot hold %d x %d pixels", d.start, len(d.stream), d.width, d.height)
	}
	d.indices = sized(d.indices, d.width*d.height)
	to := d.indices
	if d.interlaced {
		d.rows = sized(d.rows, len(d.indices))
		to = d.rows
	}
	n, ok := d.codes.decode(to, d.stream, d.codeSize)
	if !ok {
		return header.Corrupt(d.start, "GIF: the picture at byte %d has an undefined code", d.start)
	}
	if n < len(to) {
		return header.Truncated(d.at, "GIF: the picture at byte %d has %d pixels; expected %d x %d", d.start, n, d.width, d.height)
	}
	if d.interlaced {
		d.sortRows()
	}
	return d.checkIndices()
}

// joinBlocks joins the sub-blocks at d.at: length, content …, 0.
func (d *gifDecoder) joinBlocks() error {
	d.stream = d.stream[:0]
	for d.at < len(d.data) {
		n := int(d.data[d.at])
		d.at++
		if n == 0 {
			return nil
		}
		end := min(d.at+n, len(d.data))
		d.stream = append(d.stream, d.data[d.at:end]...)
		d.at = end
	}
	return header.Truncated(len(d.data), "GIF: the file ends inside a block of data, after %d bytes", len(d.data))
}

// sortRows moves the rows of an interlaced image to their positions: every eighth row first, then
// those between, and so on.
func (d *gifDecoder) sortRows() {
	from := d.rows
	for _, pass := range [4]struct{ y, dy int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}} {
		for y := pass.y; y < d.height; y += pass.dy {
			copy(d.indices[y*d.width:][:d.width], from)
			from = from[d.width:]
		}
	}
}

// checkIndices rejects an index without a color. The transparent index needs no color, and
// without a palette an index is a gray.
func (d *gifDecoder) checkIndices() error {
	if len(d.palette) == 0 || len(d.palette) == 3*256 {
		return nil
	}
	var seen [256]bool
	for _, c := range d.indices {
		seen[c] = true
	}
	if d.transparent {
		seen[d.key] = false
	}
	colors := len(d.palette) / 3
	if i := slices.Index(seen[colors:], true); i >= 0 {
		return header.Corrupt(d.start, "GIF: a pixel of the picture at byte %d has the index %d, the palette only %d colors", d.start, colors+i, colors)
	}
	return nil
}

// paint draws the image on the screen. Like in Pillow, the area around the image has the
// transparent index, or 0.
func (d *gifDecoder) paint(m *Image, width, height int) {
	gray := header.IsRamp(d.palette)
	channels := 3
	if gray {
		channels = 1
	}
	if d.transparent {
		channels++
	}
	colors := d.colors(gray)
	m.Reshape(width, height, channels)
	if d.width < width || d.height < height {
		fill(m.Pix, colors[d.key][:channels])
	}
	for y := range d.height {
		row := m.row(d.top + y)[d.left*channels:]
		for i, c := range d.indices[y*d.width:][:d.width] {
			copy(row[i*channels:(i+1)*channels], colors[c][:])
		}
	}
}

// colors returns the pixels of the indices: gray and alpha, or RGBA. Indices without a color are
// black.
func (d *gifDecoder) colors(gray bool) *[256][4]byte {
	var colors [256][4]byte
	for i := range colors {
		c := byte(i)
		alpha := opaqueUnless(d.transparent && c == d.key)
		switch {
		case gray:
			colors[i] = [4]byte{c, alpha}
		case 3*i < len(d.palette):
			p := d.palette[3*i:]
			colors[i] = [4]byte{p[0], p[1], p[2], alpha}
		default:
			colors[i][3] = alpha
		}
	}
	return &colors
}

// A gifReader walks over the blocks of a GIF. Its fields describe the current image.
type gifReader struct {
	data   []byte
	at     int
	global []byte // palette

	start                    int // offset of the image
	left, top, width, height int
	interlaced, transparent  bool
	key                      byte // transparent index, or 0
	palette                  []byte
	codeSize                 uint
}

// first moves to the first image.
func (r *gifReader) first(data []byte) error {
	*r = gifReader{data: data, at: 13}
	if len(data) < 13 {
		return header.Truncated(len(data), "GIF: the file ends after %d bytes; the header has 13", len(data))
	}
	var err error
	if r.global, r.at, err = header.GIFPalette(data, r.at, data[10]); err != nil {
		return err
	}
	found, err := r.next()
	if err == nil && !found {
		return header.Corrupt(r.at, "GIF: the trailer comes before any image")
	}
	return err
}

// next moves to the next image, and reports whether there is one. It skips bytes between blocks,
// except before the first image.
func (r *gifReader) next() (found bool, err error) {
	r.transparent, r.key = false, 0
	for r.at < len(r.data) {
		switch c := r.data[r.at]; {
		case c == ';':
			return false, nil
		case c == ',':
			return true, r.readImage()
		case c == '!':
			r.readExtension()
		case r.start == 0:
			return false, header.Corrupt(r.at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", c)
		default:
			r.at++
		}
	}
	return false, header.Truncated(len(r.data), "GIF: the file ends after %d bytes, without its trailer", len(r.data))
}

// readExtension skips an extension. A graphic control extension sets the transparent index of the
// next image:
//
//	'!' 0xf9 4 | flags | u16 delay | index | 0
func (r *gifReader) readExtension() {
	block := r.data[r.at:]
	if len(block) >= 7 && block[1] == 0xf9 && block[2] >= 4 && block[3]&1 != 0 {
		r.transparent, r.key = true, block[6]
	}
	for r.at += 2; r.at < len(r.data); {
		n := int(r.data[r.at])
		r.at += 1 + n
		if n == 0 {
			return
		}
	}
}

// readImage reads the data before the pixels:
//
//	',' | u16 left, top, width, height | flags | palette | code size
func (r *gifReader) readImage() (err error) {
	r.start = r.at
	if len(r.data)-r.at < 11 {
		return header.Truncated(len(r.data), "GIF: the file ends in the header of an image")
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint16(r.data[r.at+i:])) }
	r.left, r.top, r.width, r.height = number(1), number(3), number(5), number(7)
	flags := r.data[r.at+9]
	r.interlaced = flags&0x40 != 0
	r.at += 10
	if r.palette, r.at, err = header.GIFPalette(r.data, r.at, flags); err != nil {
		return err
	}
	if flags&0x80 == 0 {
		r.palette = r.global
	}
	if r.at >= len(r.data) {
		return header.Truncated(len(r.data), "GIF: the file ends in the header of an image")
	}
	if r.codeSize = uint(r.data[r.at]); r.codeSize < 1 || r.codeSize > 8 {
		return header.Corrupt(r.at, "GIF: codes of %d bits; expected 1 to 8", r.codeSize)
	}
	r.at++
	return nil
}
