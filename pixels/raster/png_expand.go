package raster

import (
	"encoding/binary"

	"tfr-build/pixels/header"
)

// expand converts the samples of a row to pixels.
func (d *pngDecoder) expand(dst, row []byte) error {
	switch {
	case d.raw:
		unpack(dst, row, min(d.Depth, 8))
	case d.isIndexed():
		// The samples are at the end of dst, because the pixels are written from its start and do not overtake them.
		indices := dst[len(dst)-len(dst)/d.channels():]
		unpack(indices, row, d.Depth)
		if err := d.checkIndexes(indices); err != nil {
			return err
		}
		d.palette.paint(dst, indices, d.channels())
	case d.transparent:
		d.expandKeyed(dst, row)
	case d.Depth == 16:
		for i := range dst {
			dst[i] = row[2*i]
		}
	default:
		copy(dst, row)
	}
	return nil
}

// isIndexed reports whether the palette has the pixel of each sample.
func (d *pngDecoder) isIndexed() bool {
	return d.ColorType == header.PNGPalette ||
		d.ColorType == header.PNGGray && (d.Depth < 8 || d.Depth == 8 && d.transparent)
}

// setGrays sets the palette to the grays of the samples.
func (d *pngDecoder) setGrays() {
	most := 1<<d.Depth - 1
	for i := range most + 1 {
		d.palette[i] = [4]byte{byte(i * 255 / most), opaqueUnless(d.transparent && i == int(d.key[0]))}
	}
}

// unpack sets each byte of dst to the next sample of up to 8 bits.
func unpack(dst, row []byte, depth int) {
	if depth == 8 {
		copy(dst, row)
		return
	}
	for i := range dst {
		bit := i * depth
		dst[i] = row[bit/8] >> (8 - depth - bit%8) & (1<<depth - 1)
	}
}

// expandKeyed adds alpha to grays of 16 bits or to colors: 0 for the transparent one, else 255.
func (d *pngDecoder) expandKeyed(dst, row []byte) {
	size := d.Depth / 8
	for ; len(dst) > 0; dst = dst[d.Samples+1:] {
		isKey := true
		for c, key := range d.key[:d.Samples] {
			sample := uint16(row[0])
			if dst[c] = row[0]; size == 2 {
				sample = binary.BigEndian.Uint16(row)
			}
			isKey, row = isKey && sample == key, row[size:]
		}
		dst[d.Samples] = opaqueUnless(isKey)
	}
}

func opaqueUnless(transparent bool) byte {
	if transparent {
		return 0
	}
	return 255
}
