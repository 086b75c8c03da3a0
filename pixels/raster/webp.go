package raster

import (
	"bytes"
	"encoding/binary"
	"errors"
	stdimage "image"
	"io"

	"golang.org/x/image/webp"

	"tfr-build/pixels/header"
)

// A webpDecoder decodes WebPs: the image of a file, or a frame of an animation on its canvas.
//
//	VP8 ─► planes Y, Cb, Cr ─► upsample, convert ─► RGB   ◄─ ALPH ─► alpha
//	VP8L ─► RGBA
//
// Package webp decodes planes and alpha, but knows no animations, and upsamples as no other program.
type webpDecoder struct {
	webpReader
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
	decoded, err := webp.Decode(d.file())
	if err != nil {
		return d.decodeError(err)
	}
	switch p := decoded.(type) {
	case *stdimage.NRGBA:
		d.paintRGBA(m, p.Pix)
	case *stdimage.NYCbCrA:
		d.paintPlanes(m, &p.YCbCr)
		d.paintAlpha(m, p.A)
	case *stdimage.YCbCr:
		d.paintPlanes(m, p)
		d.paintAlpha(m, nil)
	}
	return nil
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
func (d *webpDecoder) paintAlpha(m *Image, alpha []byte) {
	for y := 0; y < d.Height && m.Channels == 4; y++ {
		row := m.row(d.Top + y)[d.Left*4:]
		for x := range d.Width {
			if row[4*x+3] = 255; alpha != nil {
				row[4*x+3] = alpha[y*d.Width+x]
			}
		}
	}
}

// A webpReader walks over the images of a WebP.
type webpReader struct {
	data   []byte
	after  int // offset of the next chunk
	canvas struct{ width, height int }

	// The current image.
	at int // offset of its chunk
	header.Rect
	name, bits []byte // of the VP8 or VP8L chunk
	alpha      []byte // content of the ALPH chunk
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
	r.alpha = nil
	for len(r.data)-r.after >= 8 {
		at := r.after
		name, body, end, err := header.WebPChunk(r.data, at)
		if err != nil {
			return false, err
		}
		r.at, r.after = at, end
		switch string(name) {
		case "ANMF":
			return true, r.readFrame(body)
		case "ALPH":
			r.alpha = body
		case "VP8 ", "VP8L":
			r.Rect = header.Rect{Width: r.canvas.width, Height: r.canvas.height}
			r.after = len(r.data)
			return true, r.readImage(name, body)
		}
	}
	return false, nil
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
	data := r.data[:r.at+8+len(frame)]
	for at := r.at + 8 + 16; len(data)-at >= 8; {
		name, body, end, err := header.WebPChunk(data, at)
		if err != nil {
			return err
		}
		switch string(name) {
		case "ALPH":
			r.alpha = body
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
	r.name, r.bits = name, body
	if width, height, _, _ := header.WebPImage(name, body); width != r.Width || height != r.Height {
		return header.Corrupt(r.at, "WEBP: chunk %q has %d x %d pixels; expected %d x %d", name, width, height, r.Width,
			r.Height)
	}
	return nil
}

// file returns a file of only the current image.
func (r *webpReader) file() io.Reader {
	const heads = 12 + 8 + 10 + 8 + 1 + 8 + 1
	b := make([]byte, 0, heads+len(r.alpha)+len(r.bits))
	b = append(b, "RIFF\xff\xff\xff\xffWEBP"...)
	if len(r.alpha) > 0 && string(r.name) == "VP8 " {
		const hasAlpha = 0x10
		w, h := r.Width-1, r.Height-1
		b = appendChunk(b, "VP8X", []byte{hasAlpha, 0, 0, 0, byte(w), byte(w >> 8), 0, byte(h), byte(h >> 8), 0})
		b = appendChunk(b, "ALPH", r.alpha)
	}
	return bytes.NewReader(appendChunk(b, string(r.name), r.bits))
}

func appendChunk(dst []byte, name string, body []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(append(dst, name...), uint32(len(body)))
	return append(append(dst, body...), make([]byte, len(body)&1)...)
}
