package raster

// plainRows reads the rows from top to bottom.
func (d *pngDecoder) plainRows(m *Image) error {
	n := d.prepare(m.Width)
	direct := d.Depth == 8 && (d.raw || !d.isIndexed() && !d.transparent)
	above := d.zeros[:n]
	for y := range m.Height {
		row := m.row(y)
		if !direct {
			row = d.rows[y&1][:n]
		}
		if err := d.readRow(row, above); err != nil {
			return err
		}
		if !direct {
			if err := d.expand(m.row(y), row); err != nil {
				return err
			}
		}
		above = row
	}
	return nil
}

// adam7 has the first column and row of each pass of an interlaced image, and the distances
// between its pixels.
var adam7 = [7]struct{ x, y, dx, dy int }{
	{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
}

// interlacedRows reads the rows of the seven passes.
func (d *pngDecoder) interlacedRows(m *Image) error {
	d.prepare(m.Width)
	d.pixels = sized(d.pixels, m.Width*m.Channels)
	for _, p := range adam7 {
		width := (m.Width - p.x + p.dx - 1) / p.dx
		if width <= 0 {
			continue
		}
		n := d.rowSize(width)
		pixels, above := d.pixels[:width*m.Channels], d.zeros[:n]
		for i, y := 0, p.y; y < m.Height; i, y = i+1, y+p.dy {
			row := d.rows[i&1][:n]
			if err := d.readRow(row, above); err != nil {
				return err
			}
			if err := d.expand(pixels, row); err != nil {
				return err
			}
			scatter(m.row(y)[p.x*m.Channels:], pixels, m.Channels, p.dx)
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

// prepare allocates rows of width pixels, and returns their size in bytes.
func (d *pngDecoder) prepare(width int) int {
	n := d.rowSize(width)
	for i := range d.rows {
		d.rows[i] = sized(d.rows[i], n)
	}
	if len(d.zeros) < n {
		d.zeros = make([]byte, n) // never written
	}
	return n
}
