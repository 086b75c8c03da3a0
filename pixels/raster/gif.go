package raster

import (
	"slices"

	"tfr-build/pixels/header"
)

// A gifDecoder decodes the images of a GIF.
//
//	header, palette ─► extension … ─► image: position, palette, blocks ─► lzw ─► indices ─► colors
type gifDecoder struct {
	header.GIFReader
	raw      bool // the pixels are indices
	palette  []byte
	codeSize uint
	codes    lzw
	stream   []byte // the joined blocks of an image
	indices  []byte
	rows     []byte // indices of an interlaced image, in stored order
}

// decode decodes the first image, and draws it on the screen.
func (d *gifDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	err := d.first(data)
	if err == nil && (d.Right() > facts.Width || d.Bottom() > facts.Height) {
		err = header.Corrupt(d.Start, "GIF: the metadata is of another file")
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
		if maxPixels -= int64(d.Width) * int64(d.Height); maxPixels < 0 {
			return nil
		}
		if err = d.readPixels(); err == nil {
			more, err = d.next()
		}
	}
	return err
}

// first moves to the pixels of the first image.
func (d *gifDecoder) first(data []byte) (err error) {
	d.GIFReader = header.GIFReader{Data: data}
	if err = d.First(); err != nil {
		return err
	}
	return d.readPalette()
}

// next moves to the pixels of the next image, and reports whether there is one.
func (d *gifDecoder) next() (found bool, err error) {
	if found, err = d.Next(); found {
		err = d.readPalette()
	}
	return found, err
}

// readPalette reads the palette and the code size of the current image.
func (d *gifDecoder) readPalette() (err error) {
	if len(d.Data)-d.Start < 11 {
		return header.Truncated(len(d.Data), "GIF: the file ends in the header of an image")
	}
	if d.palette, err = d.ReadPalette(); err != nil {
		return err
	}
	if d.At >= len(d.Data) {
		return header.Truncated(len(d.Data), "GIF: the file ends in the header of an image")
	}
	if d.codeSize = uint(d.Data[d.At]); d.codeSize < 1 || d.codeSize > 8 {
		return header.Corrupt(d.At, "GIF: codes of %d bits; expected 1 to 8", d.codeSize)
	}
	d.At++
	return nil
}

// readPixels decodes the current image, and moves to the block after it.
func (d *gifDecoder) readPixels() error {
	if err := d.joinBlocks(); err != nil {
		return err
	}
	// A code has at least 2 bits and encodes less than 4,096 pixels. The check comes before the
	// allocation, because a header may claim any size.
	if d.Width*d.Height/(4*lzwCodes) > len(d.stream) {
		return header.Truncated(d.At, "GIF: the image at byte %d has %d bytes, which cannot have %d x %d pixels", d.Start, len(d.stream), d.Width, d.Height)
	}
	d.indices = sized(d.indices, d.Width*d.Height)
	to := d.indices
	if d.Interlaced {
		d.rows = sized(d.rows, len(d.indices))
		to = d.rows
	}
	n, ok := d.codes.decode(to, d.stream, d.codeSize)
	if !ok {
		return header.Corrupt(d.Start, "GIF: the image at byte %d has an undefined code", d.Start)
	}
	if n < len(to) {
		return header.Truncated(d.At, "GIF: the image at byte %d has %d pixels; expected %d x %d", d.Start, n, d.Width, d.Height)
	}
	if d.Interlaced {
		d.sortRows()
	}
	return d.checkIndices()
}

// joinBlocks joins the sub-blocks with the pixels, and moves to the block after them.
func (d *gifDecoder) joinBlocks() error {
	at := d.At
	if err := d.SkipBlocks(); err != nil {
		return err
	}
	d.stream = d.stream[:0]
	for n := int(d.Data[at]); n > 0; n = int(d.Data[at]) {
		d.stream = append(d.stream, d.Data[at+1:][:n]...)
		at += 1 + n
	}
	return nil
}

// sortRows moves the rows of an interlaced image to their positions: every eighth row first, then
// those between, and so on.
func (d *gifDecoder) sortRows() {
	from := d.rows
	for _, pass := range [4]struct{ y, dy int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}} {
		for y := pass.y; y < d.Height; y += pass.dy {
			copy(d.indices[y*d.Width:][:d.Width], from)
			from = from[d.Width:]
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
	if d.Transparent {
		seen[d.Key] = false
	}
	colors := len(d.palette) / 3
	if i := slices.Index(seen[colors:], true); i >= 0 {
		return header.Corrupt(d.Start, "GIF: a pixel of the image at byte %d has the index %d, the palette only %d colors", d.Start, colors+i, colors)
	}
	return nil
}

// paint draws the image on the screen. Like in Pillow, the area around the image has the
// transparent index, or 0.
func (d *gifDecoder) paint(m *Image, width, height int) {
	gray := d.raw || header.IsRamp(d.palette, 3, 1)
	channels := 3
	if gray {
		channels = 1
	}
	if d.Transparent && !d.raw {
		channels++
	}
	colors := d.colors(gray)
	m.Reshape(width, height, channels)
	if d.Width < width || d.Height < height {
		fill(m.Pix, colors[d.Key][:channels])
	}
	for y := range d.Height {
		row := m.row(d.Top + y)[d.Left*channels:]
		for i, c := range d.indices[y*d.Width:][:d.Width] {
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
		alpha := opaqueUnless(d.Transparent && c == d.Key)
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
