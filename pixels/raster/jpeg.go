package raster

import (
	"errors"

	"tfr-build/pixels/header"
	"tfr-build/pixels/jpeg"
)

// A jpegDecoder decodes JPEGs to the same pixels as libjpeg-turbo.
type jpegDecoder struct {
	jpeg.Decoder
	image Image // its pixels are in the codec's memory
}

// decode decodes data in the codec's memory, or to m if the pixels must be converted. It adds the
// codec's warnings to the facts.
func (d *jpegDecoder) decode(m *Image, data []byte, facts *header.Info) (*Image, error) {
	d.MaxPixels = int64(facts.Width) * int64(facts.Height)
	p, err := d.Decode(data[min(facts.Start, len(data)):])
	if err != nil {
		return nil, jpegError(err, facts.Start)
	}
	addJPEGWarnings(&p.Warnings, facts)
	if p.Channels == 4 {
		m.Reshape(p.Width, p.Height, 3)
		cmykToRGB(m.Pix, p.Pix, p.Adobe)
		return m, nil
	}
	d.image = Image{Width: p.Width, Height: p.Height, Channels: p.Channels, Pix: p.Pix}
	return &d.image, nil
}

// jpegError converts an error of the codec to a *header.Error.
func jpegError(err error, start int) error {
	bad, ok := errors.AsType[*jpeg.Error](err)
	if !ok {
		return header.Corrupt(start, "JPEG: %v", err)
	}
	switch at := start + bad.Offset; bad.Kind {
	case jpeg.Truncated:
		return header.Truncated(at, "JPEG: %s", bad.Message)
	case jpeg.Unsupported:
		return header.Unsupported(at, "JPEG: %s", bad.Message)
	default:
		return header.Corrupt(at, "JPEG: %s", bad.Message)
	}
}

// addJPEGWarnings adds the codec's warnings to the facts. Odd versions and transforms are
// ignored.
func addJPEGWarnings(w *jpeg.Warnings, facts *header.Info) {
	for _, damage := range []jpeg.Warning{jpeg.ShortScan, jpeg.BadCode, jpeg.LostRestart, jpeg.BadProgression,
		jpeg.BadScanHeader} {
		if w[damage] > 0 {
			facts.Warnings.Add(header.Damaged)
		}
	}
	if w[jpeg.ExtraBytes] > 0 {
		facts.Warnings.Add(header.Junk)
	}
	if w[jpeg.EarlyEnd] > 0 {
		facts.Warnings.Add(header.NoEnd)
	}
}

// cmykToRGB converts cyan, magenta, yellow, and black to RGB, like TensorFlow's decode_jpeg
// (jpeg_mem.cc). Adobe stores the inks inverted.
func cmykToRGB(dst, inks []byte, inverted bool) {
	invert := byte(255)
	if inverted {
		invert = 0
	}
	for i := range len(dst) / 3 {
		from, to := inks[4*i:4*i+4], dst[3*i:3*i+3]
		white := uint32(from[3] ^ invert)
		to[0] = byte(uint32(from[0]^invert) * white / 255)
		to[1] = byte(uint32(from[1]^invert) * white / 255)
		to[2] = byte(uint32(from[2]^invert) * white / 255)
	}
}
