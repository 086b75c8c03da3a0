package raster_test

import (
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"slices"
	"strings"
	"testing"

	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// TestIndexes decodes every image with a palette in all corpora. Each index has one color, and Go reads the same
// indexes from PNG files and GIFs.
func TestIndexes(t *testing.T) {
	var d, colors raster.Decoder
	d.Indexes = true
	read := map[header.Format]int{}
	for _, s := range samples(t) {
		facts, err := header.Read(s.Data, limits)
		if err != nil || !facts.HasPalette() || facts.Verify(s.Data, header.Structure) != nil {
			continue
		}
		m, err := d.Decode(s.Data, &facts)
		c, failed := colors.Decode(s.Data, &facts)
		if (err == nil) != (failed == nil) {
			t.Errorf("%s: indexes %v, colors %v", s.Name, err, failed)
		}
		if err != nil || failed != nil {
			continue
		}
		read[facts.Format]++
		if m.Channels != 1 || len(m.Pix) != m.Width*m.Height {
			t.Fatalf("%s: %d channels, %d bytes", s.Name, m.Channels, len(m.Pix))
		}
		of := map[byte][]byte{}
		for i, index := range m.Pix {
			color := c.Pix[i*c.Channels:][:c.Channels]
			if of[index] == nil {
				of[index] = color
			} else if !bytes.Equal(of[index], color) {
				t.Fatalf("%s: index %d is both %v and %v", s.Name, index, of[index], color)
			}
		}
		var decoded image.Image
		switch facts.Format {
		case header.PNG:
			decoded, err = png.Decode(bytes.NewReader(s.Data))
		case header.GIF:
			decoded, err = gif.Decode(bytes.NewReader(s.Data))
		}
		p, isPaletted := decoded.(*image.Paletted)
		if err != nil || !isPaletted || p.Bounds() != image.Rect(0, 0, m.Width, m.Height) {
			continue // a frame in a part of its screen, or a file that Go does not read
		}
		if !slices.Equal(p.Pix, m.Pix) {
			t.Errorf("%s: other indexes than Go decodes", s.Name)
		}
	}
	for _, format := range []header.Format{header.PNG, header.GIF, header.BMP, header.TIFF} {
		if read[format] == 0 {
			t.Errorf("no %s with a palette in %v", format, read)
		}
	}
}

// TestIndexBeyondPalette checks that an index without a color is an error, as it is of colors.
func TestIndexBeyondPalette(t *testing.T) {
	n := 0
	d := raster.Decoder{Indexes: true}
	for _, s := range samples(t) {
		if !strings.Contains(s.Name, "index-beyond") && !strings.HasSuffix(s.Name, "invalid-palette.png") {
			continue
		}
		facts, err := header.Read(s.Data, limits)
		if err == nil {
			_, err = d.Decode(s.Data, &facts)
		}
		if n++; err == nil || code(err) != "IMG_CORRUPT" {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if n == 0 {
		t.Error("no such file")
	}
}
