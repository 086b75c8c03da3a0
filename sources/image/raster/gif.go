package raster

import (
	"encoding/binary"
	"slices"

	"tfr-build/sources/image"
)

// A gifDecoder decodes the pictures of a GIF.
//
//	header, palette ─► extension … ─► picture: place, palette, blocks ─► lzw ─► indices ─► colors
type gifDecoder struct {
	gifReader
	codes   lzw
	stream  []byte // the blocks of a picture joined
	indices []byte
	rows    []byte // indices of an interlaced picture, as they are stored
}

// decode decodes the first picture and lays it on the screen.
func (d *gifDecoder) decode(m *Image, data []byte, facts *image.Facts) error {
	err := d.first(data)
	if err == nil && (d.left+d.width > facts.Width || d.top+d.height > facts.Height) {
		err = image.Corrupt(d.start, "GIF: the facts are those of another file")
	}
	if err == nil {
		err = d.readPixels()
	}
	if err == nil {
		d.paint(m, facts.Width, facts.Height)
	}
	return err
}

// verify decodes all pictures, as long as they have no more than the given
// number of pixels in sum, and drops them.
func (d *gifDecoder) verify(data []byte, most int64) error {
	err := d.first(data)
	for more := true; more && err == nil; {
		if most -= int64(d.width) * int64(d.height); most < 0 {
			return nil
		}
		if err = d.readPixels(); err == nil {
			more, err = d.next()
		}
	}
	return err
}

// readPixels decodes the picture, and goes on to what follows it.
func (d *gifDecoder) readPixels() error {
	if err := d.joinBlocks(); err != nil {
		return err
	}
	// A code has at least 2 bits and stands for less than 4,096 pixels; a header may
	// claim any number.
	if d.width*d.height/(4*lzwCodes) > len(d.stream) {
		return image.Truncated(d.at, "GIF: the picture at byte %d has %d bytes, which cannot hold %d x %d pixels", d.start, len(d.stream), d.width, d.height)
	}
	d.indices = sized(d.indices, d.width*d.height)
	to := d.indices
	if d.interlaced {
		d.rows = sized(d.rows, len(d.indices))
		to = d.rows
	}
	n, ok := d.codes.decode(to, d.stream, d.codeSize)
	if !ok {
		return image.Corrupt(d.start, "GIF: the picture at byte %d has a code that stands for nothing", d.start)
	}
	if n < len(to) {
		return image.Truncated(d.at, "GIF: the picture at byte %d has %d pixels; expected %d x %d", d.start, n, d.width, d.height)
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
	return image.Truncated(len(d.data), "GIF: the file ends inside a block of data, after %d bytes", len(d.data))
}

// sortRows puts the rows of an interlaced picture where they belong: every
// eighth, those between, and so on.
func (d *gifDecoder) sortRows() {
	from := d.rows
	for _, pass := range [4]struct{ y, dy int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}} {
		for y := pass.y; y < d.height; y += pass.dy {
			copy(d.indices[y*d.width:][:d.width], from)
			from = from[d.width:]
		}
	}
}

// checkIndices finds an index that has no color. The transparent one needs none,
// and without a palette an index is a grey.
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
		return image.Corrupt(d.start, "GIF: a pixel of the picture at byte %d has the index %d, the palette only %d colors", d.start, colors+i, colors)
	}
	return nil
}

// paint makes the screen and lays the picture on it. Around the picture is the
// transparent index, or 0, as Pillow has it.
func (d *gifDecoder) paint(m *Image, width, height int) {
	gray := image.IsRamp(d.palette)
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

// colors are the pixels of the indices: grey and alpha, or RGBA; black is what the
// palette does not have.
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

// A gifReader walks over the blocks of a GIF. Its fields are what stands before
// the pixels of the picture that it has come to.
type gifReader struct {
	data   []byte
	at     int
	global []byte // palette

	start                    int // offset of the picture
	left, top, width, height int
	interlaced, transparent  bool
	key                      byte // the transparent index, else 0
	palette                  []byte
	codeSize                 uint
}

// first goes to the first picture.
func (r *gifReader) first(data []byte) error {
	*r = gifReader{data: data, at: 13}
	if len(data) < 13 {
		return image.Truncated(len(data), "GIF: the file ends after %d bytes; the header has 13", len(data))
	}
	var err error
	if r.global, r.at, err = image.GIFPalette(data, r.at, data[10]); err != nil {
		return err
	}
	found, err := r.next()
	if err == nil && !found {
		return image.Corrupt(r.at, "GIF: the trailer comes before any image")
	}
	return err
}

// next goes to the next picture and reports whether there is one. Bytes between
// blocks are skipped, but not before the first picture.
func (r *gifReader) next() (found bool, err error) {
	r.transparent, r.key = false, 0
	for r.at < len(r.data) {
		switch c := r.data[r.at]; {
		case c == ';':
			return false, nil
		case c == ',':
			return true, r.readPicture()
		case c == '!':
			r.readExtension()
		case r.start == 0:
			return false, image.Corrupt(r.at, "GIF: found byte 0x%02x; expected an image, an extension or the trailer", c)
		default:
			r.at++
		}
	}
	return false, image.Truncated(len(r.data), "GIF: the file ends after %d bytes, without its trailer", len(r.data))
}

// readExtension skips an extension; the one that controls the next picture names
// its transparent index:
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

// readPicture reads what comes before the pixels:
//
//	',' | u16 left, top, width, height | flags | palette | code size
func (r *gifReader) readPicture() (err error) {
	r.start = r.at
	if len(r.data)-r.at < 11 {
		return image.Truncated(len(r.data), "GIF: the file ends in the header of an image")
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint16(r.data[r.at+i:])) }
	r.left, r.top, r.width, r.height = number(1), number(3), number(5), number(7)
	flags := r.data[r.at+9]
	r.interlaced = flags&0x40 != 0
	r.at += 10
	if r.palette, r.at, err = image.GIFPalette(r.data, r.at, flags); err != nil {
		return err
	}
	if flags&0x80 == 0 {
		r.palette = r.global
	}
	if r.at >= len(r.data) {
		return image.Truncated(len(r.data), "GIF: the file ends in the header of an image")
	}
	if r.codeSize = uint(r.data[r.at]); r.codeSize < 1 || r.codeSize > 8 {
		return image.Corrupt(r.at, "GIF: codes of %d bits; expected 1 to 8", r.codeSize)
	}
	r.at++
	return nil
}
