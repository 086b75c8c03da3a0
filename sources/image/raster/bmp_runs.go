package raster

import "tfr-build/sources/image"

// runs decodes pixels that are run-length coded, one byte after the other:
//
//	n > 0, c        n times c; of 4 bits, its halves in turn
//	0, 0            the end of the row
//	0, 1            the end
//	0, 2, dx, dy    go right and up
//	0, n, …         n pixels as they are, padded to an even offset in the file
//
// As with Pillow, what is left out has index 0, a run ends with its row, and
// pixels that do not come to the end are a fault.
func (d *bmpDecoder) runs(m *Image) error {
	d.indices = sized(d.indices, d.width*d.height)
	n, end := d.readRuns(d.indices)
	if n < len(d.indices) {
		return image.Truncated(end, "BMP: the runs end after %d of %d pixels", n, len(d.indices))
	}
	m.Reshape(d.width, d.height, d.channels())
	for y := range d.height {
		from := y
		if !d.down {
			from = d.height - 1 - y
		}
		if err := d.paint(m.row(y), d.indices[from*d.width:][:d.width]); err != nil {
			return err
		}
	}
	return nil
}

// readRuns fills dst and returns how many indices there were, and the offset
// behind them.
func (d *bmpDecoder) readRuns(dst []byte) (n, at int) {
	at = min(d.pixels, len(d.data))
	x := 0 // in the row, for which runs are cut
	for n < len(dst) && len(d.data)-at >= 2 {
		count, c := int(d.data[at]), d.data[at+1]
		at += 2
		switch {
		case count > 0:
			count = min(count, max(0, d.width-x))
			for i := range min(count, len(dst)-n) {
				dst[n+i] = d.runPixel(c, i)
			}
			n, x = min(n+count, len(dst)), x+count
		case c == 0:
			if rest := n % d.width; rest > 0 {
				n += zero(dst[n:], d.width-rest)
			}
			x = 0
		case c == 1:
			return n, at
		case c == 2:
			if len(d.data)-at < 2 {
				return n, at
			}
			n += zero(dst[n:], int(d.data[at])+int(d.data[at+1])*d.width)
			x, at = n%d.width, at+2
		default:
			got := d.readLiteral(dst[n:], at, int(c))
			n, x, at = n+got, x+int(c), at+d.packed(int(c))
			at += at & 1
		}
	}
	return n, at
}

// runPixel is pixel i of a run of c.
func (d *bmpDecoder) runPixel(c byte, i int) byte {
	if d.compression == bmpRLE8 {
		return c
	}
	return c >> (^i & 1 << 2) & 15
}

// packed is how many bytes n pixels have.
func (d *bmpDecoder) packed(n int) int {
	if d.compression == bmpRLE8 {
		return n
	}
	return (n + 1) / 2
}

// readLiteral copies up to n pixels that are at at and returns how many there are.
func (d *bmpDecoder) readLiteral(dst []byte, at, n int) int {
	n = min(n, len(dst))
	have := d.data[at:min(at+d.packed(n), len(d.data))]
	if len(have) < d.packed(n) {
		return 0
	}
	unpack(dst[:n], have, d.bits)
	return n
}

// zero sets up to n bytes to 0 and returns how many.
func zero(dst []byte, n int) int {
	n = min(n, len(dst))
	clear(dst[:n])
	return n
}
