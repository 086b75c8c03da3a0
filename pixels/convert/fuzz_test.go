package convert

import (
	"bytes"
	"image/png"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/pixels/geometry"
)

// FuzzRuns checks that runs of hostile sizes cost no more than their image allows, and that a mask has the size of the
// result.
func FuzzRuns(f *testing.F) {
	f.Add([]byte("06"), uint16(2), uint16(3), uint16(2), uint16(3), uint8(1), 0)
	f.Add([]byte("ooooooooooooo0"), uint16(40), uint16(20), uint16(10), uint16(5), uint8(6), 255)
	f.Add([]byte("P000000"), uint16(1), uint16(500), uint16(500), uint16(1), uint8(8), 1)
	f.Add(bytes.Repeat([]byte("0"), 4096), uint16(1), uint16(1), uint16(1), uint16(1), uint8(3), 256)
	f.Fuzz(func(t *testing.T, text []byte, width, height, newWidth, newHeight uint16, orientation uint8, fill int) {
		const most = 1 << 10 // so that the image itself is cheap
		side := func(n uint16) int { return 1 + int(n)%most }
		tr := geometry.Transform{Orientation: 1 + int(orientation)%8,
			From: geometry.Size{Width: side(width), Height: side(height)},
			New:  geometry.Size{Width: side(newWidth), Height: side(newHeight)}}
		tr.To = tr.New
		cost.Within(t, len(text), func() {
			runs, err := ParseRuns(nil, text)
			if err != nil {
				return
			}
			var m MaskConverter
			mask, err := m.AppendRuns(nil, runs, tr.From.Width, tr.From.Height, &tr, fill)
			if err != nil {
				return
			}
			got, err := png.DecodeConfig(bytes.NewReader(mask))
			if err != nil || got.Width != tr.To.Width || got.Height != tr.To.Height {
				t.Errorf("%+v: %+v, %v", tr, got, err)
			}
		})
	})
}
