package raster

import (
	"bytes"
	"errors"
	stdimage "image"
	"io"

	"golang.org/x/image/vp8"
	"golang.org/x/image/vp8l"

	"tfr-build/pixels/header"
)

// A webpDecoder decodes WebPs: the image of a file, or a frame of an animation on its canvas.
//
//	VP8 ─► planes Y, Cb, Cr ─► upsample, convert ─► RGB   ◄─ ALPH ─► alpha
//	VP8L ─► RGBA
type webpDecoder struct {
	webpReader
	source bytes.Reader
	lossy  *vp8.Decoder
	alpha  []byte
	chroma [2][]byte // Cb and Cr of a row, upsampled
}

// decode decodes the first image, and draws it on the canvas.
func (d *webpDecoder) decode(m *Image, data []byte, facts *header.Info) error {
	if err := d.start(data, facts); err != nil {
		return err
	}
	found, err := d.next()
	if err != nil {
		return err
	}
	if !found {
		return header.Corrupt(len(data), "WEBP: no image; expected a VP8, VP8L or ANMF chunk")
	}
	m.Reshape(facts.Width, facts.Height, facts.Channels)
	if d.Width < facts.Width || d.Height < facts.Height {
		clear(m.Pix)
	}
	return d.paint(m)
}

// verify decodes all images to m, up to most pixels in total.
func (d *webpDecoder) verify(m *Image, data []byte, facts *header.Info, maxPixels int64) error {
	if err := d.decode(m, data, facts); err != nil {
		return err
	}
	for {
		maxPixels -= int64(d.Width) * int64(d.Height)
		found, err := d.next()
		if err != nil || !found || maxPixels < int64(d.Width)*int64(d.Height) {
			return err
		}
		if err := d.paint(m); err != nil {
			return err
		}
	}
}

// paint decodes the current image to its position in m.
func (d *webpDecoder) paint(m *Image) error {
	d.source.Reset(d.bits)
	if d.lossless {
		p, err := vp8l.Decode(&d.source)
		if err != nil {
			return d.decodeError(err)
		}
		d.paintRGBA(m, p.(*stdimage.NRGBA).Pix)
		return nil
	}
	p, err := d.planes()
	if err != nil {
		return d.decodeError(err)
	}
	d.paintPlanes(m, p)
	if m.Channels == 4 {
		return d.paintAlpha(m)
	}
	return nil
}

// planes decodes a VP8 image.
func (d *webpDecoder) planes() (*stdimage.YCbCr, error) {
	if d.lossy == nil {
		d.lossy = vp8.NewDecoder()
	}
	d.lossy.Init(&d.source, len(d.bits))
	if _, err := d.lossy.DecodeFrameHeader(); err != nil {
		return nil, err
	}
	return d.lossy.DecodeFrame()
}

// decodeError converts an error of a decoder.
func (d *webpDecoder) decodeError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return header.Truncated(d.at, "WEBP: the pixels end too early")
	}
	return header.Corrupt(d.at, "WEBP: the pixels cannot be decoded: %v", err)
}

// paintRGBA copies the pixels of a lossless image to m.
func (d *webpDecoder) paintRGBA(m *Image, pix []byte) {
	for y := range d.Height {
		row, from := m.row(d.Top + y)[d.Left*m.Channels:], pix[4*y*d.Width:][:4*d.Width]
		if m.Channels == 4 {
			copy(row, from)
			continue
		}
		for x := range d.Width {
			copy(row[3*x:3*x+3], from[4*x:])
		}
	}
}

// paintAlpha sets the alpha of a lossy image, which is opaque without an ALPH chunk.
func (d *webpDecoder) paintAlpha(m *Image) error {
	if err := d.readAlpha(); err != nil {
		return err
	}
	for y := range d.Height {
		row := m.row(d.Top + y)[d.Left*4:]
		for x, a := range d.alpha[y*d.Width:][:d.Width] {
			row[4*x+3] = a
		}
	}
	return nil
}

// A webpReader walks over the images of a WebP.
type webpReader struct {
	data   []byte
	after  int // offset of the next chunk
	canvas struct{ width, height int }

	// The current image.
	at int // offset of its chunk
	header.Rect
	bits      []byte // content of the VP8 or VP8L chunk
	lossless  bool
	alphaData []byte // content of the ALPH chunk
}

// start moves to the first chunk.
func (r *webpReader) start(data []byte, facts *header.Info) error {
	if len(data) < header.WebPStart {
		return header.Truncated(len(data), "WEBP: the file ends after %d bytes, inside its header", len(data))
	}
	end, err := header.WebPEnd(data)
	if err != nil {
		return err
	}
	*r = webpReader{data: data[:end], after: header.WebPStart}
	r.canvas.width, r.canvas.height = facts.Width, facts.Height
	return nil
}

// next moves to the next image, and reports whether there is one.
func (r *webpReader) next() (found bool, err error) {
	r.alphaData = nil
	for len(r.data)-r.after >= 8 {
		at := r.after
		name, body, end, err := r.chunk(r.data, at)
		if err != nil {
			return false, err
		}
		r.at, r.after = at, end
		switch string(name) {
		case "ANMF":
			return true, r.readFrame(body)
		case "ALPH":
			r.alphaData = body
		case "VP8 ", "VP8L":
			r.Rect = header.Rect{Width: r.canvas.width, Height: r.canvas.height}
			r.after = len(r.data)
			return true, r.readImage(name, body)
		}
	}
	return false, nil
}

// chunk reads the chunk at offset at of data, which must be complete.
func (r *webpReader) chunk(data []byte, at int) (name, body []byte, end int, err error) {
	name, body, n, end := header.WebPChunk(data, at)
	if n > len(body) {
		err = header.Truncated(len(r.data), "WEBP: chunk %q has %d bytes, the file only %d more", name, n, len(body))
	}
	return name, body, end, err
}

// readFrame reads a frame of an animation.
func (r *webpReader) readFrame(frame []byte) error {
	if len(frame) < 16 {
		return header.Corrupt(r.at, "WEBP: an ANMF chunk of %d bytes; expected at least 24", len(frame))
	}
	r.Rect = header.WebPFrame(frame)
	if r.Right() > r.canvas.width || r.Bottom() > r.canvas.height {
		return header.Corrupt(r.at, "WEBP: a frame reaches to %d x %d, the canvas has %d x %d", r.Right(), r.Bottom(),
			r.canvas.width, r.canvas.height)
	}
	for at := 16; len(frame)-at >= 8; {
		name, body, end, err := r.chunk(frame, at)
		if err != nil {
			return err
		}
		switch string(name) {
		case "ALPH":
			r.alphaData = body
		case "VP8 ", "VP8L":
			return r.readImage(name, body)
		}
		at = end
	}
	return header.Corrupt(r.at, "WEBP: a frame without an image")
}

// readImage reads the header of the image in a chunk. The image must have the expected size,
// because memory of that size is allocated. The decoder checks the rest.
func (r *webpReader) readImage(name, body []byte) error {
	r.bits, r.lossless = body, string(name) == "VP8L"
	if width, height, _, _ := header.WebPImage(name, body); width != r.Width || height != r.Height {
		return header.Corrupt(r.at, "WEBP: chunk %q has %d x %d pixels; expected %d x %d", name, width, height, r.Width,
			r.Height)
	}
	return nil
}
