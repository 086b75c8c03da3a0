package raster

import (
	stdimage "image"

	"tfr-build/pixels/header"
)

// A palette has the pixel of each index: gray and alpha, or RGBA.
type palette [256][4]byte

// paint sets a row to the pixels of indexes.
func (p *palette) paint(row, indexes []byte, channels int) {
	for i, c := range indexes {
		color, to := &p[c], row[i*channels:(i+1)*channels]
		if channels == 3 { // most palettes
			to[0], to[1], to[2] = color[0], color[1], color[2]
			continue
		}
		copy(to, color[:])
	}
}

// take sets m to an image of Go's decoders, whose colors are not multiplied by alpha. Of 16 bits, it
// takes the upper 8. With raw, it takes indexes, not colors.
func (m *Image) take(p stdimage.Image, facts *header.Info, raw bool) {
	m.Reshape(facts.Width, facts.Height, facts.Channels)
	switch p := p.(type) {
	case *stdimage.Paletted:
		var colors palette
		for i, c := range p.Palette {
			r, g, b, _ := c.RGBA()
			colors[i] = [4]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)}
			if raw {
				colors[i][0] = byte(i)
			}
		}
		if facts.HasPalette() && !raw {
			m.Reshape(facts.Width, facts.Height, 3)
		}
		colors.paint(m.Pix, p.Pix, m.Channels)
	case *stdimage.Gray:
		copy(m.Pix, p.Pix)
	case *stdimage.Gray16:
		m.takeSamples(p.Pix, 2, 2)
	case *stdimage.RGBA: // opaque
		m.takeSamples(p.Pix, 4, 1)
	case *stdimage.RGBA64: // opaque
		m.takeSamples(p.Pix, 8, 2)
	case *stdimage.NRGBA:
		m.takeSamples(p.Pix, 4, 1)
	case *stdimage.NRGBA64:
		m.takeSamples(p.Pix, 8, 2)
	}
}

// takeSamples sets the samples of m to the first bytes of samples, which are step bytes apart. A
// pixel has size bytes.
func (m *Image) takeSamples(pix []byte, size, step int) {
	for i, n := 0, m.Channels; i < len(m.Pix); i += n {
		from := pix[i/n*size:]
		for c := range n {
			m.Pix[i+c] = from[c*step]
		}
	}
}
