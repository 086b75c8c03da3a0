package raster

import (
	"bytes"
	"compress/lzw"
	"io"

	"tfr-build/pixels/header"
)

// A gifDecoder decodes the images of a GIF. It reads more files than package image/gif, which
// refuses data after the last pixel, and images that reach beyond the screen.
//
//	image: position, palette, blocks ─► lzw ─► indexes ─► colors
type gifDecoder struct {
	header.GIFReader
	palette []byte
	codes   lzw.Reader
	source  bytes.Reader
	stream  []byte // the joined blocks of an image
	indexes []byte // rows in stored order
}

// decode decodes the first image, and draws it on the screen.
func (d *gifDecoder) decode(m *Image, data []byte, facts *header.Info, raw bool) error {
	d.GIFReader = facts.GIF
	if err := d.readPixels(data); err != nil {
		return err
	}
	d.paint(m, facts.Width, facts.Height, raw)
	return nil
}

// verify decodes and discards all images, up to most pixels in total.
func (d *gifDecoder) verify(data []byte, facts *header.Info, maxPixels int64) (err error) {
	d.GIFReader = facts.GIF
	for more := true; more && err == nil; {
		if maxPixels -= int64(d.Width) * int64(d.Height); maxPixels < 0 {
			return nil
		}
		if err = d.readPixels(data); err == nil {
			more, err = d.Next(data)
		}
	}
	return err
}

// readPixels decodes the current image, and moves to the block after it.
func (d *gifDecoder) readPixels(data []byte) (err error) {
	if d.palette, err = d.ReadPalette(data); err != nil {
		return err
	}
	codeSize, err := d.ReadCodeSize(data)
	if err != nil {
		return err
	}
	at := d.At
	if err := d.SkipBlocks(data); err != nil {
		return err
	}
	d.stream = d.stream[:0]
	for n := int(data[at]); n > 0; n = int(data[at]) {
		d.stream = append(d.stream, data[at+1:][:n]...)
		at += 1 + n
	}
	// A code has at least 2 bits and encodes less than 4,096 pixels. The check comes before the
	// allocation, because a header may claim any size.
	if d.Width*d.Height/(4*4096) > len(d.stream) {
		return header.Truncated(d.At, "GIF: the image at byte %d has %d bytes, which cannot have %d x %d pixels",
			d.Start, len(d.stream), d.Width, d.Height)
	}
	d.indexes = sized(d.indexes, d.Width*d.Height)
	d.source.Reset(d.stream)
	d.codes.Reset(&d.source, lzw.LSB, codeSize)
	switch n, err := io.ReadFull(&d.codes, d.indexes); err {
	case nil:
		return d.checkIndexes()
	case io.EOF, io.ErrUnexpectedEOF:
		return header.Truncated(d.At, "GIF: the image at byte %d has %d pixels; expected %d x %d",
			d.Start, n, d.Width, d.Height)
	default:
		return header.Corrupt(d.Start, "GIF: the image at byte %d cannot be decompressed: %v", d.Start, err)
	}
}

// checkIndexes rejects an index without a color. The transparent index needs no color, and
// without a palette an index is a gray.
func (d *gifDecoder) checkIndexes() error {
	colors := len(d.palette) / 3
	for _, c := range d.indexes {
		if int(c) >= colors && colors > 0 && !(d.Transparent && c == d.Key) {
			return header.Corrupt(d.Start, "GIF: a pixel of the image at byte %d has the index %d, the palette only "+
				"%d colors", d.Start, c, colors)
		}
	}
	return nil
}

// paint draws the image on the screen. Like in Pillow, the area around the image has the
// transparent index, or 0.
func (d *gifDecoder) paint(m *Image, width, height int, raw bool) {
	gray := raw || header.IsRamp(d.palette, 3, 1)
	channels := 3
	if gray {
		channels = 1
	}
	if d.Transparent && !raw {
		channels++
	}
	colors := d.colors(gray)
	m.Reshape(width, height, channels)
	if d.Width < width || d.Height < height {
		fill(m.Pix, colors[d.Key][:channels])
	}
	passes := []struct{ y, step int }{{0, 1}}
	if d.Interlaced {
		passes = []struct{ y, step int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}}
	}
	rest := d.indexes
	for _, pass := range passes {
		for y := pass.y; y < d.Height; y += pass.step {
			colors.paint(m.row(d.Top + y)[d.Left*channels:], rest[:d.Width], channels)
			rest = rest[d.Width:]
		}
	}
}

// colors returns the pixels of the indexes. Indexes without a color are black.
func (d *gifDecoder) colors(gray bool) *palette {
	var colors palette
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
