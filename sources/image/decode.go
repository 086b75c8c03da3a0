package image

import (
	"bytes"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
)

// decode decodes the pixels and drops them.
func (f *Facts) decode(data []byte) error {
	r := bytes.NewReader(data[f.start:])
	var err error
	switch f.Format {
	case JPEG:
		// The decoder insists on an end marker, and ends at the first.
		_, err = jpeg.Decode(io.MultiReader(r, bytes.NewReader([]byte{0xff, mEOI})))
	case PNG:
		var m image.Image
		if m, err = png.Decode(r); err == nil {
			return checkPalette(data, m)
		}
	case GIF:
		if int64(f.Frames)*int64(f.Width)*int64(f.Height) <= DefaultPixels {
			_, err = gif.DecodeAll(r)
		} else {
			_, err = gif.Decode(r)
		}
	case BMP:
		_, err = bmp.Decode(r)
	case WebP:
		if f.Frames > 1 {
			return unsupported(0, "WEBP: an animation, whose frames cannot be decoded here")
		}
		_, err = webp.Decode(r)
	}
	if err == nil {
		return nil
	}
	at := len(data) - r.Len()
	switch {
	case isUnsupported(err):
		return unsupported(at, "%s: cannot be decoded here: %v", f.Format, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return truncated(at, "%s: the pixels end too early: %v", f.Format, err)
	}
	return corrupt(at, "%s: the pixels cannot be decoded: %v", f.Format, err)
}

// isUnsupported reports whether the decoder, not the file, is to blame.
func isUnsupported(err error) bool {
	var ofJPEG jpeg.UnsupportedError
	var ofPNG png.UnsupportedError
	return errors.As(err, &ofJPEG) || errors.As(err, &ofPNG) || errors.Is(err, bmp.ErrUnsupported)
}

// checkPalette finds pixels that the palette has no color for, for which the
// decoder of the standard library adds colors of its own.
func checkPalette(data []byte, m image.Image) error {
	p, ok := m.(*image.Paletted)
	if !ok {
		return nil
	}
	for at := len(pngSignature); ; {
		c, end, err := pngChunk(data, at)
		if err != nil {
			return nil
		}
		if string(c.name) == "PLTE" {
			if n := len(c.body) / 3; len(p.Palette) > n {
				return corrupt(at, "PNG: a pixel has the index %d, the palette only %d colors", len(p.Palette)-1, n)
			}
			return nil
		}
		at = end
	}
}
