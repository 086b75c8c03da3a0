package raster

import (
	"math/bits"

	"tfr-build/pixels/header"
)

// A bmpDecoder decodes BMPs like Pillow. As in Pillow, 32-bit pixels have alpha only if bit
// fields say so.
type bmpDecoder struct {
	header.DIB
	data    []byte
	gray    bool   // the palette is the plain gray ramp, or raw
	raw     bool   // the pixels are indices
	indices []byte // of a run-length coded image, or of a row
}

// decode decodes data to m.
func (d *bmpDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	if err := d.readHeader(data, facts); err != nil {
		return err
	}
	switch {
	case d.RunLength:
		return d.decodeRuns(m)
	case d.Bits <= 8:
		return d.decodeIndexed(m)
	}
	return d.decodeDirect(m)
}

// readHeader reads the header, and checks the palette or the bit masks.
func (d *bmpDecoder) readHeader(data []byte, facts *header.Info) (err error) {
	d.data = data
	if d.DIB, err = header.ReadDIB(data); err != nil {
		return err
	}
	if d.Width != facts.Width || d.Height != facts.Height {
		return header.Corrupt(18, "BMP: the metadata is of another file")
	}
	if err := d.Check(); err != nil { // a caller may accept such files
		return err
	}
	switch {
	case d.Bits > 8:
		return d.checkMasks()
	case d.Colors > 1<<16:
		return header.Corrupt(46, "BMP: a palette of %d colors; expected at most 65536", d.Colors)
	}
	if d.Pixels == d.PaletteAt { // some writers do not count the palette
		d.Pixels += d.Colors * d.ColorSize
	}
	d.gray = d.raw || d.IsGray()
	return nil
}

// checkMasks checks that the file has its bit masks, and that each is in one piece.
func (d *bmpDecoder) checkMasks() error {
	if d.BitFields && len(d.data) < header.BMPMasks+12 {
		return header.Truncated(len(d.data), "BMP: the file ends in its bit fields, after %d bytes", len(d.data))
	}
	for i, mask := range d.Masks {
		if run := mask >> (bits.TrailingZeros32(mask) & 31); run&(run+1) != 0 {
			return header.Unsupported(header.BMPMasks+4*i, "BMP: the bit field %#x, which is not in one piece", mask)
		}
	}
	return nil
}

// storedRow returns row y of uncompressed pixels.
func (d *bmpDecoder) storedRow(y int) []byte {
	if !d.TopDown {
		y = d.Height - 1 - y
	}
	n := d.RowSize()
	return d.data[d.Pixels+y*n:][:n]
}

// checkSize checks that the file has all rows.
func (d *bmpDecoder) checkSize() error {
	return header.CheckBMPPixels(d.data, d.Pixels, d.RowSize()*d.Height)
}

// decodeDirect decodes pixels that are colors.
func (d *bmpDecoder) decodeDirect(m *Image) error {
	if err := d.checkSize(); err != nil {
		return err
	}
	channels := 3
	if d.Masks[3] != 0 {
		channels = 4
	}
	m.Reshape(d.Width, d.Height, channels)
	var shift, maxValue [4]uint32
	for i, mask := range d.Masks {
		shift[i] = uint32(bits.TrailingZeros32(mask)) & 31
		maxValue[i] = max(1, mask>>shift[i])
	}
	bytes := d.Bits / 8
	for y := range d.Height {
		row, from := m.row(y), d.storedRow(y)
		for x := range d.Width {
			pixel := uint32(0)
			for i, c := range from[x*bytes:][:bytes] {
				pixel |= uint32(c) << (8 * i)
			}
			for i, to := 0, row[x*channels:][:channels]; i < channels; i++ {
				to[i] = byte(uint64((pixel&d.Masks[i])>>shift[i]) * 255 / uint64(maxValue[i]))
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
	d.indices = sized(d.indices, d.Width)
	m.Reshape(d.Width, d.Height, d.channels())
	for y := range d.Height {
		unpack(d.indices, d.storedRow(y), d.Bits)
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
	palette, size := d.Palette, d.ColorSize
	for i, c := range indices {
		color := palette[min(int(c)*size, len(palette)):]
		if len(color) < 3 {
			return header.Corrupt(d.Pixels, "BMP: a pixel has the index %d, the palette only %d colors", c, len(palette)/size)
		}
		if d.raw {
			row[i] = c
		} else if d.gray {
			row[i] = color[0]
		} else {
			row[3*i], row[3*i+1], row[3*i+2] = color[2], color[1], color[0]
		}
	}
	return nil
}
