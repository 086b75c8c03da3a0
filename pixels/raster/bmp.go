package raster

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/pixels/header"
)

// The compression methods of a BMP.
const (
	bmpRaw       = 0
	bmpRLE8      = 1
	bmpRLE4      = 2
	bmpBitfields = 3
)

// A bmpDecoder decodes BMPs like Pillow. As in Pillow, 32-bit pixels have alpha only if bit
// fields say so.
type bmpDecoder struct {
	data []byte
	bmpHeader
	indices []byte // of a run-length coded image, or of a row
}

// A bmpHeader is the data before the pixels.
type bmpHeader struct {
	width, height, bits, compression int
	down                             bool // rows are stored from top to bottom
	pixels                           int  // offset of the pixels
	masks                            [4]uint32
	entry                            int // bytes per palette color
	palette                          []byte
	gray                             bool // the palette is the plain gray ramp
}

// decode decodes data to m.
func (d *bmpDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	d.data = data
	if err := d.readHeader(facts); err != nil {
		return err
	}
	switch {
	case d.compression == bmpRLE8, d.compression == bmpRLE4:
		return d.decodeRuns(m)
	case d.bits <= 8:
		return d.decodeIndexed(m)
	}
	return d.decodeDirect(m)
}

// readHeader reads the header. header.Read has checked its lengths.
//
//	"BM" | u32 file size | 4 bytes | u32 offset of the pixels
//	u32 header size | width | height | planes | u16 bits | compression | size … colors … | masks
func (d *bmpDecoder) readHeader(facts *header.Info) error {
	d.bmpHeader = bmpHeader{entry: 4}
	if len(d.data) < 14+12 {
		return header.Truncated(len(d.data), "BMP: the file ends after %d bytes, inside its header", len(d.data))
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(d.data[at:])) }
	short := func(at int) int { return int(binary.LittleEndian.Uint16(d.data[at:])) }
	d.pixels = number(10)
	n, colors := number(14), 0
	if n == 12 {
		d.width, d.height, d.bits, d.entry = short(18), short(20), short(24), 3
	} else {
		if n < 40 || len(d.data) < 14+n {
			return header.Truncated(len(d.data), "BMP: a header of %d bytes, the file has only %d", n, len(d.data))
		}
		d.width, d.height = number(18), int(int32(number(22)))
		d.bits, d.compression, colors = short(28), number(30), number(46)
	}
	if d.height < 0 {
		d.height, d.down = -d.height, true
	}
	if d.width != facts.Width || d.height != facts.Height {
		return header.Corrupt(18, "BMP: the facts are those of another file")
	}
	if d.bits <= 8 {
		return d.readPalette(14+n, colors)
	}
	return d.readMasks(n)
}

// readPalette reads the palette at offset at. colors is 0 if the header gives no number, which
// means all colors.
func (d *bmpDecoder) readPalette(at, colors int) error {
	if colors == 0 {
		colors = 1 << d.bits
	}
	if colors > 1<<16 {
		return header.Corrupt(46, "BMP: a palette of %d colors; expected at most 65536", colors)
	}
	d.palette = d.data[at:min(at+colors*d.entry, len(d.data))]
	if d.pixels == at { // some writers do not count the palette
		d.pixels += colors * d.entry
	}
	d.gray = isBMPRamp(d.palette, colors, d.entry)
	return nil
}

// isBMPRamp reports whether each color is the gray of its index, or the palette is black and
// white.
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

// readMasks reads the bit masks of red, green, blue, and alpha. They follow the 40 bytes of the
// short header, or are at the same offset in a longer header. Only the longer header can have
// alpha.
func (d *bmpDecoder) readMasks(size int) error {
	d.masks = [4]uint32{0xff0000, 0xff00, 0xff}
	if d.bits == 16 {
		d.masks = [4]uint32{0x7c00, 0x3e0, 0x1f}
	}
	if d.compression != bmpBitfields {
		return nil
	}
	const at = 14 + 40
	if len(d.data) < at+12 {
		return header.Truncated(len(d.data), "BMP: the file ends in its bit fields, after %d bytes", len(d.data))
	}
	for i := range d.masks {
		d.masks[i] = 0
		if i < 3 || size >= 56 {
			d.masks[i] = binary.LittleEndian.Uint32(d.data[at+4*i:])
		}
		if run := d.masks[i] >> (bits.TrailingZeros32(d.masks[i]) & 31); run&(run+1) != 0 {
			return header.Unsupported(at+4*i, "BMP: the bit field %#x, which is not in one piece", d.masks[i])
		}
	}
	if d.masks == [4]uint32{} && d.bits == 32 && size >= 56 {
		d.masks = [4]uint32{0xff0000, 0xff00, 0xff, 0xff000000}
	}
	return nil
}

// storedRow returns row y of uncompressed pixels.
func (d *bmpDecoder) storedRow(y int) []byte {
	if !d.down {
		y = d.height - 1 - y
	}
	n := d.rowSize()
	return d.data[d.pixels+y*n:][:n]
}

// rowSize returns the bytes of a row, a multiple of 4.
func (d *bmpDecoder) rowSize() int { return (d.width*d.bits + 31) / 32 * 4 }

// checkSize checks that the file has all rows.
func (d *bmpDecoder) checkSize() error {
	size := d.rowSize() * d.height
	if have := max(0, len(d.data)-d.pixels); have < size {
		return header.Truncated(len(d.data), "BMP: %d bytes of pixels at byte %d, the file has %d", size, d.pixels, have)
	}
	return nil
}

// decodeDirect decodes pixels that are colors.
func (d *bmpDecoder) decodeDirect(m *Image) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	channels := 3
	if d.masks[3] != 0 {
		channels = 4
	}
	m.Reshape(d.width, d.height, channels)
	var shift, maxValue [4]uint32
	for i, mask := range d.masks {
		shift[i] = uint32(bits.TrailingZeros32(mask)) & 31
		maxValue[i] = max(1, mask>>shift[i])
	}
	bytes := d.bits / 8
	for y := range d.height {
		row, from := m.row(y), d.storedRow(y)
		for x := range d.width {
			pixel := uint32(0)
			for i, c := range from[x*bytes:][:bytes] {
				pixel |= uint32(c) << (8 * i)
			}
			for i, to := 0, row[x*channels:][:channels]; i < channels; i++ {
				to[i] = byte(uint64((pixel&d.masks[i])>>shift[i]) * 255 / uint64(maxValue[i]))
			}
		}
	}
	return nil
}

// decodeIndexed decodes pixels that are palette indices.
func (d *bmpDecoder) decodeIndexed(m *Image) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	d.indices = sized(d.indices, d.width)
	m.Reshape(d.width, d.height, d.channels())
	for y := range d.height {
		unpack(d.indices, d.storedRow(y), d.bits)
		if err := d.paint(m.row(y), d.indices); err != nil {
			return err
		}
	}
	return nil
}

// channels returns the number of channels of an image with a palette.
func (d *bmpDecoder) channels() int {
	if d.gray {
		return 1
	}
	return 3
}

// paint converts indices to colors, or grays.
func (d *bmpDecoder) paint(row, indices []byte) error {
	for i, c := range indices {
		color := d.palette[min(int(c)*d.entry, len(d.palette)):]
		if len(color) < 3 {
			return header.Corrupt(d.pixels, "BMP: a pixel has the index %d, the palette only %d colors", c, len(d.palette)/d.entry)
		}
		if d.gray {
			row[i] = color[0]
		} else {
			row[3*i], row[3*i+1], row[3*i+2] = color[2], color[1], color[0]
		}
	}
	return nil
}
