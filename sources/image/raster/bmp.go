package raster

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/sources/image"
)

// The ways in which a BMP stores its pixels.
const (
	bmpRaw       = 0
	bmpRLE8      = 1
	bmpRLE4      = 2
	bmpBitfields = 3
)

// A bmpDecoder decodes BMPs as Pillow does, whose way with alpha it has, too: 32
// bits have one only where bit fields say so.
type bmpDecoder struct {
	data []byte
	bmpHeader
	indices []byte // of a picture that is run-length coded, or of a row
}

// A bmpHeader is what stands before the pixels.
type bmpHeader struct {
	width, height, bits, compression int
	down                             bool // the first row stored is the upper one
	pixels                           int  // their offset
	masks                            [4]uint32
	entry                            int // bytes of a color of the palette
	palette                          []byte
	gray                             bool // the palette is a plain ramp
}

// decode decodes data into m.
func (d *bmpDecoder) decode(m *Image, data []byte, facts *image.Facts) error {
	d.data = data
	if err := d.readHeader(facts); err != nil {
		return err
	}
	switch {
	case d.compression == bmpRLE8, d.compression == bmpRLE4:
		return d.runs(m)
	case d.bits <= 8:
		return d.indexed(m)
	}
	return d.direct(m)
}

// readHeader reads the header, whose lengths image.Read has checked.
//
//	"BM" | u32 file size | 4 bytes | u32 offset of the pixels
//	u32 header size | width | height | planes | u16 bits | compression | size … colors … | masks
func (d *bmpDecoder) readHeader(facts *image.Facts) error {
	d.bmpHeader = bmpHeader{entry: 4}
	if len(d.data) < 14+12 {
		return image.Truncated(len(d.data), "BMP: the file ends after %d bytes, inside its header", len(d.data))
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(d.data[at:])) }
	short := func(at int) int { return int(binary.LittleEndian.Uint16(d.data[at:])) }
	d.pixels = number(10)
	n, colors := number(14), 0
	if n == 12 {
		d.width, d.height, d.bits, d.entry = short(18), short(20), short(24), 3
	} else {
		if n < 40 || len(d.data) < 14+n {
			return image.Truncated(len(d.data), "BMP: a header of %d bytes, the file has only %d", n, len(d.data))
		}
		d.width, d.height = number(18), int(int32(number(22)))
		d.bits, d.compression, colors = short(28), number(30), number(46)
	}
	if d.height < 0 {
		d.height, d.down = -d.height, true
	}
	if d.width != facts.Width || d.height != facts.Height {
		return image.Corrupt(18, "BMP: the facts are those of another file")
	}
	if d.bits <= 8 {
		return d.takePalette(14+n, colors)
	}
	return d.takeMasks(n)
}

// takePalette takes the palette at at, of all colors where the header names no
// number.
func (d *bmpDecoder) takePalette(at, colors int) error {
	if colors == 0 {
		colors = 1 << d.bits
	}
	if colors > 1<<16 {
		return image.Corrupt(46, "BMP: a palette of %d colors; expected at most 65536", colors)
	}
	d.palette = d.data[at:min(at+colors*d.entry, len(d.data))]
	if d.pixels == at { // as some writers have it, who forget the palette
		d.pixels += colors * d.entry
	}
	d.gray = isBMPRamp(d.palette, colors, d.entry)
	return nil
}

// isBMPRamp reports whether each color is the grey of its index, or there are
// two, black and white.
func isBMPRamp(palette []byte, colors, entry int) bool {
	if colors > 256 || len(palette) < colors*entry {
		return false
	}
	for i := range colors {
		gray := byte(i)
		if colors == 2 {
			gray = byte(255 * i)
		}
		if c := palette[i*entry:]; c[0] != gray || c[1] != gray || c[2] != gray {
			return false
		}
	}
	return true
}

// takeMasks takes the bits of red, green, blue and alpha in a pixel. They stand
// behind the 40 bytes of the short header, or in a longer one at the same place;
// alpha counts only in the latter.
func (d *bmpDecoder) takeMasks(header int) error {
	d.masks = [4]uint32{0xff0000, 0xff00, 0xff}
	if d.bits == 16 {
		d.masks = [4]uint32{0x7c00, 0x3e0, 0x1f}
	}
	if d.compression != bmpBitfields {
		return nil
	}
	const at = 14 + 40
	if len(d.data) < at+12 {
		return image.Truncated(len(d.data), "BMP: the file ends in its bit fields, after %d bytes", len(d.data))
	}
	for i := range d.masks {
		d.masks[i] = 0
		if i < 3 || header >= 56 {
			d.masks[i] = binary.LittleEndian.Uint32(d.data[at+4*i:])
		}
		if run := d.masks[i] >> (bits.TrailingZeros32(d.masks[i]) & 31); run&(run+1) != 0 {
			return image.Unsupported(at+4*i, "BMP: the bit field %#x, which is not in one piece", d.masks[i])
		}
	}
	if d.masks == [4]uint32{} && d.bits == 32 && header >= 56 {
		d.masks = [4]uint32{0xff0000, 0xff00, 0xff, 0xff000000}
	}
	return nil
}

// stored returns row y of pixels that are not compressed.
func (d *bmpDecoder) stored(y int) []byte {
	if !d.down {
		y = d.height - 1 - y
	}
	n := d.rowSize()
	return d.data[d.pixels+y*n:][:n]
}

// rowSize is how many bytes a row has, a multiple of 4.
func (d *bmpDecoder) rowSize() int { return (d.width*d.bits + 31) / 32 * 4 }

// checkSize makes sure that all rows are there.
func (d *bmpDecoder) checkSize() error {
	size := d.rowSize() * d.height
	if have := max(0, len(d.data)-d.pixels); have < size {
		return image.Truncated(len(d.data), "BMP: %d bytes of pixels at byte %d, the file has %d", size, d.pixels, have)
	}
	return nil
}

// direct decodes pixels that are colors.
func (d *bmpDecoder) direct(m *Image) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	channels := 3
	if d.masks[3] != 0 {
		channels = 4
	}
	m.Reshape(d.width, d.height, channels)
	var shift, most [4]uint32
	for i, mask := range d.masks {
		shift[i] = uint32(bits.TrailingZeros32(mask)) & 31
		most[i] = max(1, mask>>shift[i])
	}
	bytes := d.bits / 8
	for y := range d.height {
		row, from := m.row(y), d.stored(y)
		for x := range d.width {
			pixel := uint32(0)
			for i, c := range from[x*bytes:][:bytes] {
				pixel |= uint32(c) << (8 * i)
			}
			for i, to := 0, row[x*channels:][:channels]; i < channels; i++ {
				to[i] = byte(uint64((pixel&d.masks[i])>>shift[i]) * 255 / uint64(most[i]))
			}
		}
	}
	return nil
}

// indexed decodes pixels that are indices.
func (d *bmpDecoder) indexed(m *Image) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	d.indices = sized(d.indices, d.width)
	m.Reshape(d.width, d.height, d.channels())
	for y := range d.height {
		unpack(d.indices, d.stored(y), d.bits)
		if err := d.paint(m.row(y), d.indices); err != nil {
			return err
		}
	}
	return nil
}

// channels is how many channels the pixels have where there is a palette.
func (d *bmpDecoder) channels() int {
	if d.gray {
		return 1
	}
	return 3
}

// paint makes colors, or greys, of indices.
func (d *bmpDecoder) paint(row, indices []byte) error {
	for i, c := range indices {
		color := d.palette[min(int(c)*d.entry, len(d.palette)):]
		if len(color) < 3 {
			return image.Corrupt(d.pixels, "BMP: a pixel has the index %d, the palette only %d colors", c, len(d.palette)/d.entry)
		}
		if d.gray {
			row[i] = color[0]
		} else {
			row[3*i], row[3*i+1], row[3*i+2] = color[2], color[1], color[0]
		}
	}
	return nil
}
