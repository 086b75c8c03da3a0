package raster

import (
	"tfr-build/sources/image"
)

// An Image is pixels of 8 bits a sample: rows from the top without padding,
// channels interleaved: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
type Image struct {
	Width, Height, Channels int
	Pix                     []byte
}

// Reshape gives m another size. Memory that is large enough is kept; what the
// pixels are after it is not said.
func (m *Image) Reshape(width, height, channels int) {
	m.Width, m.Height, m.Channels = width, height, channels
	m.Pix = sized(m.Pix, width*height*channels)
}

// row is row y.
func (m *Image) row(y int) []byte {
	n := m.Width * m.Channels
	return m.Pix[y*n:][:n:n]
}

// sized returns b with length n, in new memory where it has too little.
func sized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// A Decoder decodes images one after the other and keeps its buffers. The zero
// Decoder is ready for use.
type Decoder struct {
	picture Image
	jpeg    jpegDecoder
	png     pngDecoder
	gif     gifDecoder
	bmp     bmpDecoder
	webp    webpDecoder
}

// Decode returns the pixels of the first picture of data, whose facts image.Read
// has read. They are valid until the next call, and may be changed. An error is a
// *schema.RowError; what is odd is added to the warnings of the facts.
//
// It takes memory for the pixels, of the size that the facts say, and for less
// than the file again; the decoder of WebP takes as much as the pixels once more,
// and that of JPEG what [tfr-build/jpeg.Header.Memory] says.
func (d *Decoder) Decode(data []byte, facts *image.Facts) (*Image, error) {
	m := &d.picture
	var err error
	switch facts.Format {
	case image.JPEG:
		m, err = d.jpeg.decode(m, data, facts)
	case image.PNG:
		err = d.png.decode(m, data, facts)
	case image.GIF:
		err = d.gif.decode(m, data, facts)
	case image.BMP:
		err = d.bmp.decode(m, data, facts)
	case image.WebP:
		err = d.webp.decode(m, data, facts)
	default:
		err = image.Fault("IMG_FORMAT", 0, "no format was read")
	}
	if err != nil {
		return nil, err
	}
	if m.Width != facts.Width || m.Height != facts.Height {
		return nil, image.Corrupt(0, "%s: the picture has %d x %d pixels, the header says %d x %d", facts.Format, m.Width, m.Height, facts.Width, facts.Height)
	}
	return m, nil
}

// Check decodes data as Decode does, and of a GIF or a WebP all pictures, as long
// as they have no more than image.DefaultPixels in sum.
func (d *Decoder) Check(data []byte, facts *image.Facts) error {
	switch {
	case facts.Format == image.GIF:
		return d.gif.verify(data, image.DefaultPixels)
	case facts.Format == image.WebP && facts.Frames > 1:
		return d.webp.verify(&d.picture, data, facts, image.DefaultPixels)
	}
	_, err := d.Decode(data, facts)
	return err
}
