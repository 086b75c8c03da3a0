package raster

import (
	"encoding/binary"

	"tfr-build/pixels/header"
)

// expand converts the samples of a row to pixels.
func (d *pngDecoder) expand(dst, row []byte) error {
	switch {
	case d.raw && d.Depth < 8:
		unpack(dst, row, d.Depth)
	case d.raw:
		copy(dst, row)
	case d.ColorType == header.PNGPalette:
		return d.expandPalette(dst, row)
	case d.transparent && d.ColorType == header.PNGRGB:
		d.expandKeyedRGB(dst, row)
	case d.transparent:
		d.expandKeyedGray(dst, row)
	case d.Depth == 16:
		for i := range dst {
			dst[i] = row[2*i]
		}
	case d.Depth == 8:
		copy(dst, row)
	default:
		scale := grayScale(d.Depth)
		unpack(dst, row, d.Depth)
		for i := range dst {
			dst[i] *= scale
		}
	}
	return nil
}

// grayScale returns the factor that scales a gray of few bits to 0 … 255.
func grayScale(depth int) byte { return byte(255 / (1<<depth - 1)) }

// unpack sets each byte of dst to the next sample of depth bits.
func unpack(dst, row []byte, depth int) {
	switch depth {
	case 8:
		copy(dst, row)
	case 4:
		for i := range dst {
			dst[i] = row[i>>1] >> (^i & 1 << 2) & 15
		}
	case 2:
		for i := range dst {
			dst[i] = row[i>>2] >> (^i & 3 << 1) & 3
		}
	case 1:
		for i := range dst {
			dst[i] = row[i>>3] >> (^i & 7) & 1
		}
	}
}

// expandPalette replaces indices by palette colors.
func (d *pngDecoder) expandPalette(dst, row []byte) error {
	channels := d.channels()
	width := len(dst) / channels
	indices := row
	if d.Depth < 8 {
		// At the end of dst, because the pixels are written from its start and do not overtake
		// the indices.
		indices = dst[len(dst)-width:]
		unpack(indices, row, d.Depth)
	}
	highest := byte(0)
	if channels == 4 {
		for i, c := range indices[:width] {
			highest = max(highest, c)
			copy(dst[4*i:4*i+4], d.palette[c][:])
		}
	} else {
		for i, c := range indices[:width] {
			highest = max(highest, c)
			p, to := &d.palette[c], dst[3*i:3*i+3]
			to[0], to[1], to[2] = p[0], p[1], p[2]
		}
	}
	if int(highest) >= d.colors {
		return header.Corrupt(d.at, "PNG: a pixel has the index %d, the palette only %d colors", highest, d.colors)
	}
	return nil
}

// expandKeyedGray adds alpha: 0 for the transparent gray, else 255.
func (d *pngDecoder) expandKeyedGray(dst, row []byte) {
	key := d.key[0]
	if d.Depth == 16 {
		for i := range len(dst) / 2 {
			dst[2*i], dst[2*i+1] = row[2*i], opaqueUnless(binary.BigEndian.Uint16(row[2*i:]) == key)
		}
		return
	}
	grays := dst[len(dst)/2:] // the second half, which is overwritten only after it was read
	unpack(grays, row, d.Depth)
	scale := grayScale(d.Depth)
	for i, c := range grays {
		dst[2*i], dst[2*i+1] = c*scale, opaqueUnless(uint16(c) == key)
	}
}

// expandKeyedRGB adds alpha: 0 for the transparent color, else 255.
func (d *pngDecoder) expandKeyedRGB(dst, row []byte) {
	bytes := d.Depth / 8
	for i := range len(dst) / 4 {
		at, isKey := 3*bytes*i, true
		for c, key := range d.key {
			sample := uint16(row[at+c*bytes])
			dst[4*i+c] = byte(sample)
			if bytes == 2 {
				sample = sample<<8 | uint16(row[at+2*c+1])
			}
			isKey = isKey && sample == key
		}
		dst[4*i+3] = opaqueUnless(isKey)
	}
}

func opaqueUnless(transparent bool) byte {
	if transparent {
		return 0
	}
	return 255
}
