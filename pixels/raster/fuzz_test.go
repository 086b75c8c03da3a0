package raster_test

import (
	"bytes"
	stdimage "image"
	"image/color"
	"image/png"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// FuzzDecode checks that no file makes a decoder panic or take long, or changes the size given in
// the metadata. A PNG must have the same pixels as in the standard library, if that reads it.
func FuzzDecode(f *testing.F) {
	for _, s := range samples(f) {
		if len(s.Data) <= 4<<10 {
			f.Add(s.Data)
		}
	}
	var d raster.Decoder
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := header.Read(data, header.Limits{Pixels: 1 << 16})
		if err != nil {
			return
		}
		cost.Within(t, len(data)+1<<18, func() { decodeAgainstGo(t, &d, data, &facts) })
	})
}

func decodeAgainstGo(t *testing.T, d *raster.Decoder, data []byte, facts *header.Info) {
	m, err := d.Decode(data, facts)
	if err == nil && (m.Width != facts.Width || m.Height != facts.Height || len(m.Pix) != m.Width*m.Height*m.Channels) {
		t.Errorf("%d x %d x %d with %d bytes, facts %+v", m.Width, m.Height, m.Channels, len(m.Pix), facts)
	}
	if facts.Format != header.PNG {
		return
	}
	want, goErr := png.Decode(bytes.NewReader(data))
	if goErr != nil || facts.Verify(data, header.Structure) != nil {
		return
	}
	if p, ok := want.(*stdimage.Paletted); ok && err != nil && code(err) == "IMG_CORRUPT" && len(p.Palette) > 0 {
		return // it adds black to a palette that has too few colors
	}
	if err != nil {
		t.Fatalf("%v; Go's decoder reads it", err)
	}
	if !bytes.Equal(pixelsOf(standard(m)), pixelsOf(want)) {
		t.Error("other pixels than Go's decoder gives")
	}
}

// nrgba returns an 8-bit color, from the upper bits of 16. The standard library's conversion
// would round colors with alpha.
func nrgba(c color.Color) []byte {
	switch c := c.(type) {
	case color.NRGBA:
		return []byte{c.R, c.G, c.B, c.A}
	case color.NRGBA64:
		return []byte{byte(c.R >> 8), byte(c.G >> 8), byte(c.B >> 8), byte(c.A >> 8)}
	}
	r, g, b, _ := c.RGBA()
	return []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), 255}
}
