package raster

import (
	"bytes"
	"encoding/binary"
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
		return header.Corrupt(len(data), "WEBP: no picture; expected a VP8, VP8L or ANMF chunk")
	}
	m.Reshape(facts.Width, facts.Height, facts.Channels)
	if d.width < facts.Width || d.height < facts.Height {
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
		maxPixels -= int64(d.width) * int64(d.height)
		found, err := d.next()
		if err != nil || !found || maxPixels < int64(d.width)*int64(d.height) {
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
	for y := range d.height {
		row, from := m.row(d.top + y)[d.left*m.Channels:], pix[4*y*d.width:][:4*d.width]
		if m.Channels == 4 {
			copy(row, from)
			continue
		}
		for x := range d.width {
			copy(row[3*x:3*x+3], from[4*x:])
		}
	}
}

// paintAlpha sets the alpha of a lossy image, which is opaque without an ALPH chunk.
func (d *webpDecoder) paintAlpha(m *Image) error {
	if err := d.readAlpha(); err != nil {
		return err
	}
	for y := range d.height {
		row := m.row(d.top + y)[d.left*4:]
		for x, a := range d.alpha[y*d.width:][:d.width] {
			row[4*x+3] = a
		}
	}
	return nil
}

// A webpReader walks over the chunks of a WebP: name | u32 length | content | pad to even. The
// fields from at on describe the current image.
type webpReader struct {
	data   []byte
	after  int // offset of the next chunk
	canvas struct{ width, height int }

	at                       int // offset of the image's chunk
	left, top, width, height int
	bits                     []byte // content of the VP8 or VP8L chunk
	lossless                 bool
	alphaData                []byte // content of the ALPH chunk
}

// start moves to the first chunk. Bytes after the size in the header are not part of the image.
//
//	"RIFF" | u32 size | "WEBP" | chunk …
func (r *webpReader) start(data []byte, facts *header.Info) error {
	if len(data) < 12 {
		return header.Truncated(len(data), "WEBP: the file ends after %d bytes, inside its header", len(data))
	}
	end := 8 + int(binary.LittleEndian.Uint32(data[4:]))
	if end > len(data) {
		return header.Truncated(len(data), "WEBP: %d bytes are announced, the file has %d", end, len(data))
	}
	*r = webpReader{data: data[:end], after: 12}
	r.canvas.width, r.canvas.height = facts.Width, facts.Height
	return nil
}

// next moves to the next image, and reports whether there is one.
func (r *webpReader) next() (found bool, err error) {
	r.alphaData = nil
	for len(r.data)-r.after >= 8 {
		at := r.after
		name, body, err := r.chunk(r.data, at)
		if err != nil {
			return false, err
		}
		r.at, r.after = at, at+8+len(body)+len(body)&1
		switch name {
		case "ANMF":
			return true, r.readFrame(body)
		case "ALPH":
			r.alphaData = body
		case "VP8 ", "VP8L":
			r.left, r.top, r.width, r.height = 0, 0, r.canvas.width, r.canvas.height
			r.after = len(r.data)
			return true, r.readImage(name, body)
		}
	}
	return false, nil
}

// chunk reads the chunk at offset at of data.
func (r *webpReader) chunk(data []byte, at int) (name string, body []byte, err error) {
	n := int(binary.LittleEndian.Uint32(data[at+4:]))
	if left := len(data) - at - 8; n > left {
		return "", nil, header.Truncated(len(r.data), "WEBP: chunk %q has %d bytes, the file only %d more", data[at:at+4], n, left)
	}
	return string(data[at : at+4]), data[at+8 : at+8+n], nil
}

// readFrame reads a frame of an animation:
//
//	u24 left/2, top/2, width-1, height-1 | u24 duration | flags | chunk …
func (r *webpReader) readFrame(body []byte) error {
	if len(body) < 16 {
		return header.Corrupt(r.at, "WEBP: an ANMF chunk of %d bytes; expected at least 24", len(body))
	}
	number := func(i int) int { return int(body[i]) | int(body[i+1])<<8 | int(body[i+2])<<16 }
	r.left, r.top, r.width, r.height = 2*number(0), 2*number(3), 1+number(6), 1+number(9)
	if r.left+r.width > r.canvas.width || r.top+r.height > r.canvas.height {
		return header.Corrupt(r.at, "WEBP: a frame reaches to %d x %d, the canvas has %d x %d", r.left+r.width, r.top+r.height, r.canvas.width, r.canvas.height)
	}
	for at := 16; len(body)-at >= 8; {
		name, part, err := r.chunk(body, at)
		if err != nil {
			return err
		}
		switch name {
		case "ALPH":
			r.alphaData = part
		case "VP8 ", "VP8L":
			return r.readImage(name, part)
		}
		at += 8 + len(part) + len(part)&1
	}
	return header.Corrupt(r.at, "WEBP: a frame without a picture")
}

// readImage reads the header of the image in a chunk. The image must have the expected size,
// because memory of that size is allocated.
func (r *webpReader) readImage(name string, body []byte) error {
	r.bits, r.lossless = body, name == "VP8L"
	width, height := 0, 0
	switch {
	case r.lossless && len(body) >= 5:
		bits := binary.LittleEndian.Uint32(body[1:])
		width, height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
	case !r.lossless && len(body) >= 10:
		width = int(binary.LittleEndian.Uint16(body[6:]) & 0x3fff)
		height = int(binary.LittleEndian.Uint16(body[8:]) & 0x3fff)
	}
	if width != r.width || height != r.height {
		return header.Corrupt(r.at, "WEBP: chunk %q has %d x %d pixels; expected %d x %d", name, width, height, r.width, r.height)
	}
	return nil
}
