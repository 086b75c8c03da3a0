package raster

import "tfr-build/pixels/header"

// A Samples is an image with the samples that a PNG stores: its depth, and indexes of its palette. A
// pixel has Image.Channels bytes: one per sample, or two with 16 bits, the higher one first.
type Samples struct {
	Image
	Depth     int  // bits per sample
	ColorType byte // of PNG
	PLTE      []byte
	TRNS      []byte
}

// A SampleDecoder decodes PNGs without changing their samples.
type SampleDecoder struct{ png pngDecoder }

// Decode decodes a PNG, whose metadata was read, to s. PLTE and TRNS are parts of data.
func (d *SampleDecoder) Decode(s *Samples, data []byte, info *header.Info) error {
	d.png.raw = true
	err := d.png.decode(&s.Image, data, info)
	s.Depth, s.ColorType, s.PLTE, s.TRNS = d.png.Depth, d.png.ColorType, d.png.plte, d.png.trns
	return err
}

// AppendSamples appends s to dst as a PNG.
func (e *Encoder) AppendSamples(dst []byte, s *Samples) []byte {
	dst = appendHead(dst, s.Width, s.Height, s.Depth, s.ColorType)
	if s.PLTE != nil {
		dst = AppendChunk(dst, "PLTE", s.PLTE)
	}
	if s.TRNS != nil {
		dst = AppendChunk(dst, "tRNS", s.TRNS)
	}
	m := &s.Image
	if s.Depth < 8 {
		e.packed.Reshape((s.Width*s.Depth+7)/8, s.Height, 1)
		for y := range s.Height {
			pack(e.packed.row(y), s.row(y), s.Depth)
		}
		m = &e.packed
	}
	return e.appendPixels(dst, m)
}

// pack is the reverse of unpack.
func pack(dst, samples []byte, depth int) {
	clear(dst)
	for i, x := range samples {
		bit := i * depth
		dst[bit/8] |= x << (8 - depth - bit%8)
	}
}

// Arrange sets dst to pixels of src, which is turned by its EXIF orientation first. columns and rows
// have the position in the turned image of each pixel of dst; at -1 it is fill.
func Arrange(dst, src *Image, orientation int, columns, rows []int32, fill []byte) {
	dst.Reshape(len(columns), len(rows), src.Channels)
	from, c := stepsOf(src, orientation), src.Channels
	for i, y := range rows {
		to := dst.row(i)
		for k, x := range columns {
			pixel := fill
			if x >= 0 && y >= 0 {
				pixel = src.Pix[from.at+int(x)*from.right+int(y)*from.down:]
			}
			copy(to[k*c:(k+1)*c], pixel[:c])
		}
	}
}
