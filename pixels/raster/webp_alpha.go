package raster

import (
	"bytes"
	stdimage "image"
	"io"

	"golang.org/x/image/vp8l"

	"tfr-build/pixels/header"
)

// readAlpha decodes the alpha of a lossy image:
//
//	2 bits, filter, compression | raw bytes, or the green of a VP8L image without its header
func (d *webpDecoder) readAlpha() error {
	n := d.Width * d.Height
	d.alpha = sized(d.alpha, n)
	if len(d.alphaData) == 0 {
		for i := range d.alpha {
			d.alpha[i] = 255
		}
		return nil
	}
	flags, coded := d.alphaData[0], d.alphaData[1:]
	switch flags & 3 {
	case 0:
		if len(coded) < n {
			return header.Truncated(d.at, "WEBP: %d bytes of alpha; expected %d x %d", len(coded), d.Width, d.Height)
		}
		copy(d.alpha, coded)
	case 1:
		w, h := d.Width-1, d.Height-1
		header := []byte{0x2f, byte(w), byte(w>>8 | h<<6), byte(h >> 2), byte(h >> 10)}
		m, err := vp8l.Decode(io.MultiReader(bytes.NewReader(header), bytes.NewReader(coded)))
		if err != nil {
			return d.decodeError(err)
		}
		for i, pix := 0, m.(*stdimage.NRGBA).Pix; i < n; i++ {
			d.alpha[i] = pix[4*i+1]
		}
	default:
		return header.Corrupt(d.at, "WEBP: alpha with compression %d; 0 and 1 are defined", flags&3)
	}
	unfilterAlpha(d.alpha, d.Width, flags>>2&3)
	return nil
}

// unfilterAlpha adds the prediction to each sample: the left neighbor, the one above, or left +
// above - above left. At the edges the prediction is the only neighbor.
func unfilterAlpha(alpha []byte, width int, filter byte) {
	if filter == 0 {
		return
	}
	for i := 1; i < width; i++ {
		alpha[i] += alpha[i-1]
	}
	for at := width; at < len(alpha); at += width {
		row, above := alpha[at:at+width], alpha[at-width:at]
		row[0] += above[0]
		for i := 1; i < width; i++ {
			switch filter {
			case 1:
				row[i] += row[i-1]
			case 2:
				row[i] += above[i]
			case 3:
				row[i] += clamp(int(row[i-1]) + int(above[i]) - int(above[i-1]))
			}
		}
	}
}

// clamp limits n to a byte.
func clamp(n int) byte { return byte(min(max(n, 0), 255)) }
