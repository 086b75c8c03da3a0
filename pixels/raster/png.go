package raster

import (
	"encoding/binary"
	"io"

	"tfr-build/pixels/header"
)

// A pngDecoder decodes PNGs.
//
//	IDAT … ─► inflate ─► filter byte, samples ─► unfilter ─► row ─► expand ─► pixels
//
// If the samples are the pixels, rows are unfiltered directly to the image.
type pngDecoder struct {
	pngHeader
	data    []byte
	stream  []byte // the joined IDAT chunks, if there are several
	inflate inflater
	rows    [2][]byte // the current and the previous row, unfiltered
	zeros   []byte    // the row above the first one
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
	d.data = data
	d.pngHeader = pngHeader{IHDR: facts.PNG}
	stream, err := d.readChunks()
	if err != nil {
		return err
	}
	if d.ColorType == header.PNGPalette && d.colors == 0 {
		return header.Corrupt(d.at, "PNG: an IDAT chunk without the PLTE chunk that the color type requires")
	}
	// Deflate expands a byte to at most 1,032. The check comes before the allocation, because a
	// header may claim any size.
	if size := d.rowSize(d.Width) * d.Height; size/1032 > len(stream) {
		return header.Truncated(d.at, "PNG: %d bytes from byte %d on cannot hold %d x %d pixels", len(stream), d.at, d.Width,
			d.Height)
	}
	if err := d.inflate.reset(stream); err != nil {
		return d.inflateError(err)
	}
	if d.ColorType == header.PNGGray && d.isIndexed() {
		d.setGrays()
	}
	m.Reshape(d.Width, d.Height, d.channels())
	if d.Interlaced {
		err = d.interlacedRows(m)
	} else {
		err = d.plainRows(m)
	}
	if err != nil {
		return err
	}
	return d.end()
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

// readChunks reads the chunks that affect pixels, and returns the compressed data.
func (d *pngDecoder) readChunks() (stream []byte, err error) {
	at := header.PNGAfterIHDR
	for idats := 0; ; {
		c, end, err := header.PNGChunk(d.data, at)
		if err != nil {
			return nil, err
		}
		isPixels := string(c.Name) == "IDAT"
		if idats > 0 && !isPixels {
			return stream, nil
		}
		switch string(c.Name) {
		case "IHDR", "PLTE", "tRNS", "IDAT":
			if err := c.Check(d.data); err != nil {
				return nil, err
			}
		case "IEND":
			return nil, header.Corrupt(at, "PNG: IEND without any IDAT chunk")
		}
		switch string(c.Name) {
		case "IHDR":
			err = header.Corrupt(at, "PNG: a second IHDR chunk")
		case "PLTE":
			d.plte = c.Body
			err = d.readPalette(c)
		case "tRNS":
			d.trns = c.Body
			err = d.readTransparency(c)
		}
		if err != nil {
			return nil, err
		}
		if isPixels {
			if idats++; idats == 1 {
				d.at, stream = at, c.Body
			} else {
				if idats == 2 {
					d.stream = append(d.stream[:0], stream...)
				}
				d.stream = append(d.stream, c.Body...)
				stream = d.stream
			}
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
