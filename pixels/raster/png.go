package raster

import (
	"encoding/binary"
	"io"
	"slices"

	"tfr-build/pixels/header"
)

// A pngDecoder decodes PNGs.
//
//	IDAT … ─► inflate ─► filter byte, samples ─► unfilter ─► row ─► expand ─► pixels
type pngDecoder struct {
	pngHeader
	stream  []byte // the joined IDAT chunks
	inflate inflater
	rows    [2][]byte // the current and the previous row, unfiltered, after a pixel of zeros
	pixels  []byte    // pixels of a row of an interlaced image
	raw     bool      // samples, or indexes, keep their values
	at      int       // offset of the first IDAT, for errors
}

// A pngHeader is the data of the chunks before the pixels.
type pngHeader struct {
	header.IHDR
	transparent bool      // a tRNS chunk applies
	key         [3]uint16 // the transparent gray or color
	colors      int       // number of palette colors
	palette     palette   // of indexes, or of grays
	plte, trns  []byte    // bodies of the chunks
}

// decode decodes data to m.
func (d *pngDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	d.pngHeader = pngHeader{IHDR: facts.PNG}
	if err := d.readChunks(data); err != nil {
		return err
	}
	if d.ColorType == header.PNGPalette && d.colors == 0 {
		return header.Corrupt(d.at, "PNG: an IDAT chunk without the PLTE chunk that the color type requires")
	}
	// Deflate expands a byte to at most 1,032. The check comes before the allocation, because a
	// header may claim any size.
	if size := d.rowSize(d.Width) * d.Height; size/1032 > len(d.stream) {
		return header.Truncated(d.at, "PNG: %d bytes from byte %d on cannot hold %d x %d pixels", len(d.stream), d.at,
			d.Width, d.Height)
	}
	if err := d.inflate.reset(d.stream); err != nil {
		return d.inflateError(err)
	}
	if d.ColorType == header.PNGGray && d.isIndexed() {
		d.setGrays()
	}
	m.Reshape(d.Width, d.Height, d.channels())
	if err := d.readRows(m); err != nil {
		return err
	}
	return d.end()
}

// checkIndexes rejects an index without a color.
func (d *pngDecoder) checkIndexes(indexes []byte) error {
	if highest := slices.Max(indexes); d.ColorType == header.PNGPalette && int(highest) >= d.colors {
		return header.Corrupt(d.at, "PNG: a pixel has the index %d, the palette only %d colors", highest, d.colors)
	}
	return nil
}

// channels returns the number of channels of the pixels; of raw samples their bytes.
func (d *pngDecoder) channels() int {
	n := d.Samples
	switch {
	case d.raw && d.Depth == 16:
		return 2 * n
	case d.raw:
		return n
	case d.ColorType == header.PNGPalette:
		n = 3
	}
	if d.transparent {
		n++
	}
	return n
}

// readChunks reads the chunks that affect pixels, and joins the compressed data.
func (d *pngDecoder) readChunks(data []byte) error {
	d.stream = d.stream[:0]
	hasPixels := false
	for at := header.PNGAfterIHDR; ; {
		c, end, err := header.PNGChunk(data, at)
		if err != nil {
			return err
		}
		name := string(c.Name)
		if hasPixels && name != "IDAT" {
			return nil
		}
		switch name {
		case "IHDR", "PLTE", "tRNS", "IDAT":
			err = c.Check(data)
		case "IEND":
			err = header.Corrupt(at, "PNG: IEND without any IDAT chunk")
		}
		if err != nil {
			return err
		}
		switch name {
		case "IHDR":
			err = header.Corrupt(at, "PNG: a second IHDR chunk")
		case "PLTE":
			d.plte = c.Body
			err = d.readPalette(c)
		case "tRNS":
			d.trns = c.Body
			err = d.readTransparency(c)
		case "IDAT":
			if !hasPixels {
				hasPixels, d.at = true, at
			}
			d.stream = append(d.stream, c.Body...)
		}
		if err != nil {
			return err
		}
		at = end
	}
}

// readPalette reads the palette's colors, which are opaque.
func (d *pngDecoder) readPalette(c header.Chunk) error {
	if d.ColorType != header.PNGPalette {
		return nil // the chunk only suggests colors for screens with few colors
	}
	n := len(c.Body)
	if n == 0 || n%3 != 0 || n > 3*256 || d.colors > 0 {
		return header.Corrupt(c.At, "PNG: a PLTE chunk of %d bytes; expected one of 1 to 256 times 3", n)
	}
	d.colors = n / 3
	for i := range d.colors {
		p := &d.palette[i]
		p[0], p[1], p[2] = c.Body[3*i], c.Body[3*i+1], c.Body[3*i+2]
		if !d.transparent {
			p[3] = 255
		}
	}
	return nil
}

// readTransparency reads the alpha of the palette's colors, or the one transparent gray or color.
// It ignores the chunk if the image has an alpha channel.
func (d *pngDecoder) readTransparency(c header.Chunk) error {
	switch d.ColorType {
	case header.PNGPalette:
		d.transparent = true
		for i := range d.palette {
			d.palette[i][3] = 255
			if i < len(c.Body) {
				d.palette[i][3] = c.Body[i]
			}
		}
	case header.PNGGray, header.PNGRGB:
		if len(c.Body) < 2*d.Samples {
			return header.Corrupt(c.At, "PNG: a tRNS chunk of %d bytes; expected %d", len(c.Body), 2*d.Samples)
		}
		d.transparent = true
		for i := range d.Samples {
			d.key[i] = binary.BigEndian.Uint16(c.Body[2*i:]) & (1<<d.Depth - 1)
		}
	}
	return nil
}

// inflateError converts an error of the inflater.
func (d *pngDecoder) inflateError(err error) error {
	if err == io.ErrUnexpectedEOF {
		return header.Truncated(d.at, "PNG: the pixels, compressed from byte %d on, end too early", d.at)
	}
	return header.Corrupt(d.at, "PNG: the pixels, compressed from byte %d on, cannot be decompressed: %v", d.at, err)
}

// end checks that all data was read, and compares the checksum.
func (d *pngDecoder) end() error {
	more, rest, err := d.inflate.end()
	switch {
	case more:
		return header.Corrupt(d.at, "PNG: there are more pixels than %d x %d", d.Width, d.Height)
	case err != nil:
		return d.inflateError(err)
	case rest > 0:
		return header.Corrupt(d.at, "PNG: %d bytes follow the compressed pixels", rest)
	}
	return nil
}
