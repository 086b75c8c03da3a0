package raster

import (
	"tfr-build/pixels/header"
	"tfr-build/pixels/jpeg"
)

// An Image is an image of 8-bit samples. Rows are stored from top to bottom without padding, and
// channels are interleaved: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
type Image struct {
	Width, Height, Channels int
	Pix                     []byte
}

// Reshape changes the size of m. It reuses memory that is large enough. The pixels are undefined
// afterwards.
func (m *Image) Reshape(width, height, channels int) {
	m.Width, m.Height, m.Channels = width, height, channels
	m.Pix = sized(m.Pix, width*height*channels)
}

// row returns row y.
func (m *Image) row(y int) []byte {
	n := m.Width * m.Channels
	return m.Pix[y*n:][:n:n]
}

// sized returns b with length n. It allocates if the capacity is too small.
func sized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// A Decoder decodes images one after the other, and reuses its buffers. The zero Decoder is ready
// for use.
type Decoder struct {
	Indexes bool // return the indexes of an image with a palette, as gray
	Small   bool // return an eighth of the width and height of a JPEG, rounded up

	frame Image
	jpeg  jpegDecoder
	png   pngDecoder
	gif   gifDecoder
	webp  webpDecoder
}

// Decode returns the pixels of the first frame of data, whose metadata header.Read returned. The
// result is valid until the next call, and may be changed. An error is a *header.Error. Decode
// adds warnings to the metadata.
//
// Decode allocates what [Memory] returns, and besides it less than the size of the file.
func (d *Decoder) Decode(data []byte, facts *header.Info) (*Image, error) {
	if facts.Unsupported != nil {
		return nil, facts.Unsupported
	}
	m := &d.frame
	raw := d.Indexes && facts.HasPalette()
	d.png.raw = raw
	var err error
	switch facts.Format {
	case header.JPEG:
		d.jpeg.Small = d.Small
		m, err = d.jpeg.decode(m, data, facts)
	case header.PNG:
		err = d.png.decode(m, data, facts)
		if err == nil && raw {
			err = d.png.checkIndexes(m.Pix)
		}
	case header.GIF:
		err = d.gif.decode(m, data, facts, raw)
	case header.BMP:
		err = decodeBMP(m, data, facts, raw)
	case header.WebP:
		err = d.webp.decode(m, data, facts)
	case header.TIFF:
		err = decodeTIFF(m, data, facts, raw)
	default:
		err = header.NewError("IMG_FORMAT", 0, "no format was read")
	}
	if err != nil {
		return nil, err
	}
	if !d.Small && (m.Width != facts.Width || m.Height != facts.Height) {
		return nil, header.Corrupt(0, "%s: the image has %d x %d pixels, the header says %d x %d",
			facts.Format, m.Width, m.Height, facts.Width, facts.Height)
	}
	return m, nil
}

// Memory returns about how many bytes a Decoder allocates for an image. Package tiff decompresses
// blocks, which may be the image, to up to 8 bytes per pixel, in a buffer that grows.
func Memory(data []byte, facts *header.Info) int64 {
	perPixel := 8
	switch facts.Format {
	case header.JPEG:
		h, err := jpeg.ReadHeader(data)
		if err != nil {
			return 0 // the decoder says why
		}
		return h.Memory()
	case header.TIFF:
		perPixel = 28
	}
	return int64(facts.Width) * int64(facts.Height) * int64(perPixel)
}

// Check decodes data like Decode. It decodes all frames of a GIF or a WebP, up to
// header.DefaultPixels pixels in total.
func (d *Decoder) Check(data []byte, facts *header.Info) error {
	switch {
	case facts.Format == header.GIF:
		return d.gif.verify(data, facts, header.DefaultPixels)
	case facts.Format == header.WebP && facts.Frames > 1:
		return d.webp.verify(&d.frame, data, facts, header.DefaultPixels)
	}
	_, err := d.Decode(data, facts)
	return err
}
