package raster

// A pass has the first column and row of some pixels of an image, and the distances between them.
type pass struct{ x, y, dx, dy int }

// adam7 has the passes of an interlaced image.
var adam7 = []pass{
	{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
}

// readRows reads the rows of all passes.
func (d *pngDecoder) readRows(m *Image) error {
	passes := []pass{{0, 0, 1, 1}}
	if d.Interlaced {
		passes = adam7
	}
	bpp := d.pixelSize()
	for i := range d.rows {
		d.rows[i] = sized(d.rows[i], bpp+d.rowSize(m.Width))
		clear(d.rows[i][:bpp])
	}
	d.pixels = sized(d.pixels, m.Width*m.Channels)
	for _, p := range passes {
		width := (m.Width - p.x + p.dx - 1) / p.dx
		if width <= 0 {
			continue
		}
		n := bpp + d.rowSize(width)
		above := d.rows[1][:n]
		clear(above)
		for i, y := 0, p.y; y < m.Height; i, y = i+1, y+p.dy {
			row, pixels := d.rows[i&1][:n], m.row(y)
			if p.dx > 1 {
				pixels = d.pixels[:width*m.Channels]
			}
			if err := d.readRow(row, above); err != nil {
				return err
			}
			if err := d.expand(pixels, row[bpp:]); err != nil {
				return err
			}
			if p.dx > 1 {
				scatter(m.row(y)[p.x*m.Channels:], pixels, m.Channels, p.dx)
			}
			above = row
		}
	}
	return nil
}

// scatter sets every step-th pixel of dst.
func scatter(dst, pixels []byte, channels, step int) {
	for i, at := 0, 0; i < len(pixels); i, at = i+channels, at+step*channels {
		copy(dst[at:at+channels], pixels[i:])
	}
}

// rowSize returns the bytes of a row of width pixels.
func (d *pngDecoder) rowSize(width int) int { return (width*d.Samples*d.Depth + 7) / 8 }
