package raster

import (
	"encoding/binary"
	"io"

	"tfr-build/sources/image"
)

// The color types of PNG.
const (
	pngGray      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGrayAlpha = 4
	pngRGBA      = 6
)

// A pngDecoder decodes PNGs.
//
//	IDAT … ─► inflate ─► filter byte, samples ─► unfilter ─► row ─► expand ─► pixels
//
// A row whose samples are the pixels is unfiltered where the pixels belong.
type pngDecoder struct {
	pngHeader
	data    []byte
	stream  []byte // the IDAT chunks joined, where there are several
	inflate inflater
	rows    [2][]byte // the row and the one above it, unfiltered
	zeros   []byte    // above the first row
	pixels  []byte    // of a row of an interlaced image
	at      int       // offset of the first IDAT, for errors
}

// A pngHeader is what the chunks before the pixels say.
type pngHeader struct {
	width, height, depth, samples int
	colorType                     byte
	interlaced                    bool
	transparent                   bool         // there is a tRNS chunk that counts
	key                           [3]uint16    // the transparent grey or color
	colors                        int          // of the palette
	palette                       [256][4]byte // RGBA
}

// decode decodes data into m.
func (d *pngDecoder) decode(m *Image, data []byte, facts *image.Facts) error {
	d.data = data
	d.pngHeader = pngHeader{}
	stream, err := d.readChunks(facts)
	if err != nil {
		return err
	}
	if d.colorType == pngPalette && d.colors == 0 {
		return image.Corrupt(d.at, "PNG: an IDAT chunk without the PLTE chunk that the color type requires")
	}
	// Of a byte deflate makes at most 1,032; a header may claim any size.
	if size := d.rowSize(d.width) * d.height; size/1032 > len(stream) {
		return image.Truncated(d.at, "PNG: %d bytes from byte %d on cannot hold %d x %d pixels", len(stream), d.at, d.width, d.height)
	}
	if err := d.inflate.reset(stream); err != nil {
		return d.inflated(err)
	}
	m.Reshape(d.width, d.height, d.channels())
	if d.interlaced {
		err = d.interlacedRows(m)
	} else {
		err = d.plainRows(m)
	}
	if err != nil {
		return err
	}
	return d.end()
}

// channels is how many channels the pixels have.
func (h *pngHeader) channels() int {
	n := h.samples
	if h.colorType == pngPalette {
		n = 3
	}
	if h.transparent {
		n++
	}
	return n
}

// readChunks reads what matters for the pixels and returns the compressed data.
func (d *pngDecoder) readChunks(facts *image.Facts) (stream []byte, err error) {
	idats := 0
	for at := image.PNGStart; ; {
		c, end, err := image.PNGChunk(d.data, at)
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
			return nil, image.Corrupt(at, "PNG: IEND without any IDAT chunk")
		}
		switch string(c.Name) {
		case "IHDR":
			err = d.takeHeader(c, facts)
		case "PLTE":
			err = d.takePalette(c)
		case "tRNS":
			err = d.takeTransparency(c)
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

// takeHeader takes the header, which image.Read has checked.
func (d *pngDecoder) takeHeader(c image.Chunk, facts *image.Facts) error {
	if len(c.Body) != 13 || d.width != 0 {
		return image.Corrupt(c.At, "PNG: a second IHDR chunk")
	}
	d.width = int(binary.BigEndian.Uint32(c.Body))
	d.height = int(binary.BigEndian.Uint32(c.Body[4:]))
	d.depth, d.colorType, d.interlaced = int(c.Body[8]), c.Body[9], c.Body[12] != 0
	if d.width != facts.Width || d.height != facts.Height || d.depth != facts.Depth {
		return image.Corrupt(c.At, "PNG: the facts are those of another file")
	}
	d.samples = [7]int{pngGray: 1, pngRGB: 3, pngPalette: 1, pngGrayAlpha: 2, pngRGBA: 4}[d.colorType]
	return nil
}

// takePalette takes the colors, opaque.
func (d *pngDecoder) takePalette(c image.Chunk) error {
	if d.colorType != pngPalette {
		return nil // a proposal of colors for screens that have few
	}
	n := len(c.Body)
	if n == 0 || n%3 != 0 || n > 3*256 || d.colors > 0 {
		return image.Corrupt(c.At, "PNG: a PLTE chunk of %d bytes; expected one of 1 to 256 times 3", n)
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

// takeTransparency takes the alpha of the palette's colors, or the one grey or
// color that is transparent. An image with alpha has no use for either.
func (d *pngDecoder) takeTransparency(c image.Chunk) error {
	switch d.colorType {
	case pngPalette:
		d.transparent = true
		for i := range d.palette {
			d.palette[i][3] = 255
			if i < len(c.Body) {
				d.palette[i][3] = c.Body[i]
			}
		}
	case pngGray, pngRGB:
		if len(c.Body) < 2*d.samples {
			return image.Corrupt(c.At, "PNG: a tRNS chunk of %d bytes; expected %d", len(c.Body), 2*d.samples)
		}
		d.transparent = true
		for i := range d.samples {
			d.key[i] = binary.BigEndian.Uint16(c.Body[2*i:]) & (1<<d.depth - 1)
		}
	}
	return nil
}

// inflated is the error for one of inflating.
func (d *pngDecoder) inflated(err error) error {
	if err == io.ErrUnexpectedEOF {
		return image.Truncated(d.at, "PNG: the pixels, compressed from byte %d on, end too early", d.at)
	}
	return image.Corrupt(d.at, "PNG: the pixels, compressed from byte %d on, cannot be decompressed: %v", d.at, err)
}

// end makes sure that there is nothing more, and has the checksum compared.
func (d *pngDecoder) end() error {
	more, rest, err := d.inflate.end()
	switch {
	case more:
		return image.Corrupt(d.at, "PNG: there are more pixels than %d x %d", d.width, d.height)
	case err != nil:
		return d.inflated(err)
	case rest > 0:
		return image.Corrupt(d.at, "PNG: %d bytes follow the compressed pixels", rest)
	}
	return nil
}
