package raster_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// pictures returns images of all numbers of channels and of many sizes, smooth and noisy.
func pictures() []*raster.Image {
	var list []*raster.Image
	noise := uint32(7)
	for channels := 1; channels <= 4; channels++ {
		for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 5}, {7, 3}, {8, 8}, {61, 33}, {300, 200}} {
			m := &raster.Image{}
			m.Reshape(size[0], size[1], channels)
			for i := range m.Pix {
				noise = noise*1664525 + 1013904223
				m.Pix[i] = byte(i/channels%size[0]*2 + i%7 + int(noise>>28))
				if i > len(m.Pix)*3/4 {
					m.Pix[i] = byte(noise >> 24)
				}
			}
			list = append(list, m)
		}
	}
	return append(list, levels())
}

// TestPNG checks that the standard library's decoder and this package's read the encoder's
// output, and that the bytes depend only on the pixels.
func TestPNG(t *testing.T) {
	var e raster.Encoder
	var d raster.Decoder
	var all []byte
	for i, m := range pictures() {
		data := e.Append([]byte("before"), m)[len("before"):]
		if fresh := new(raster.Encoder).Append(nil, m); !bytes.Equal(data, fresh) {
			t.Errorf("%d: other bytes from an encoder that was used before", i)
		}
		facts, err := header.Read(data, limits)
		if err == nil {
			err = facts.Verify(data, header.Structure)
		}
		if err != nil || facts.Channels != m.Channels || facts.Warnings != 0 {
			t.Fatalf("%d: %+v, %v", i, facts, err)
		}
		got, err := d.Decode(data, &facts)
		if err != nil || !bytes.Equal(got.Pix, m.Pix) || got.Width != m.Width || got.Channels != m.Channels {
			t.Errorf("%d: decoded to other pixels: %v", i, err)
		}
		decoded, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(pixelsOf(decoded), pixelsOf(standard(m))) {
			t.Errorf("%d: the standard library decodes to other pixels", i)
		}
		all = append(all, data...)
	}
	// What it was when this was written: other bytes need a new bytes version.
	if sum := crc32.ChecksumIEEE(all); len(all) != 625621 || sum != 0xb3db3538 {
		t.Errorf("%d bytes %08x", len(all), sum)
	}
}

// standard converts m to an image of the standard library.
func standard(m *raster.Image) stdimage.Image {
	rgba := stdimage.NewNRGBA(stdimage.Rect(0, 0, m.Width, m.Height))
	var full raster.Image
	raster.RGB(&full, m)
	for i := range m.Width * m.Height {
		rgba.Pix[4*i+3] = 255
		copy(rgba.Pix[4*i:4*i+4], full.Pix[full.Channels*i:][:full.Channels])
	}
	return rgba
}

// pixelsOf returns the colors of all pixels, not multiplied by alpha.
func pixelsOf(m stdimage.Image) (pix []byte) {
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pix = append(pix, nrgba(m.At(x, y))...)
		}
	}
	return pix
}

// TestPNGInPillow reads the encoder's output with Pillow.
func TestPNGInPillow(t *testing.T) {
	tftest.Python(t) // skips
	dir := t.TempDir()
	var e raster.Encoder
	list := pictures()
	for i, m := range list {
		for name, data := range map[string][]byte{"png": e.Append(nil, m), "raw": m.Pix} {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.%s", i, name)), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	tftest.Run(t, "testdata/reads.py", dir, fmt.Sprint(len(list)))
}
