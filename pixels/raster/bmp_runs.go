package raster

import "tfr-build/pixels/header"

// decodeRuns decodes run-length coded pixels:
//
//	n > 0, c        n times c; with 4 bits, its halves in turn
//	0, 0            end of the row
//	0, 1            end of the image
//	0, 2, dx, dy    move right and up
//	0, n, …         n literal pixels, padded to an even offset in the file
//
// As in Pillow, skipped pixels have index 0, a run ends at the end of its row, and missing pixels
// are an error.
func (d *bmpDecoder) decodeRuns(m *Image) error {
	d.indices = sized(d.indices, d.Width*d.Height)
	n, end := d.readRuns(d.indices)
	if n < len(d.indices) {
		return header.Truncated(end, "BMP: the runs end after %d of %d pixels", n, len(d.indices))
	}
	m.Reshape(d.Width, d.Height, d.channels())
	for y := range d.Height {
		from := y
		if !d.TopDown {
			from = d.Height - 1 - y
		}
		if err := d.paint(m.row(y), d.indices[from*d.Width:][:d.Width]); err != nil {
			return err
		}
	}
	return nil
}

// readRuns fills dst. It returns the number of indices and the offset after them.
func (d *bmpDecoder) readRuns(dst []byte) (n, at int) {
	at = min(d.Pixels, len(d.data))
	x := 0 // column, at which runs are truncated to the row
	for n < len(dst) && len(d.data)-at >= 2 {
		count, c := int(d.data[at]), d.data[at+1]
		at += 2
		switch {
		case count > 0:
			count = min(count, max(0, d.Width-x))
			for i := range min(count, len(dst)-n) {
				dst[n+i] = d.runPixel(c, i)
			}
			n, x = min(n+count, len(dst)), x+count
		case c == 0:
			if rest := n % d.Width; rest > 0 {
				n += clearBytes(dst[n:], d.Width-rest)
			}
			x = 0
		case c == 1:
			return n, at
		case c == 2:
			if len(d.data)-at < 2 {
				return n, at
			}
			n += clearBytes(dst[n:], int(d.data[at])+int(d.data[at+1])*d.Width)
			x, at = n%d.Width, at+2
		default:
			got := d.readLiteral(dst[n:], at, int(c))
			n, x, at = n+got, x+int(c), at+d.packedSize(int(c))
			at += at & 1
		}
	}
	return n, at
}

// runPixel returns the i-th pixel of a run of c.
func (d *bmpDecoder) runPixel(c byte, i int) byte {
	if d.Bits == 8 {
		return c
	}
	return c >> (^i & 1 << 2) & 15
}

// packedSize returns the bytes of n pixels.
func (d *bmpDecoder) packedSize(n int) int {
	if d.Bits == 8 {
		return n
	}
	return (n + 1) / 2
}

// readLiteral copies up to n pixels at offset at, and returns their number. It returns 0 if the
// file is too short.
func (d *bmpDecoder) readLiteral(dst []byte, at, n int) int {
	n = min(n, len(dst))
	have := d.data[at:min(at+d.packedSize(n), len(d.data))]
	if len(have) < d.packedSize(n) {
		return 0
	}
	unpack(dst[:n], have, d.Bits)
	return n
}

// clearBytes clears up to n bytes, and returns their number.
func clearBytes(dst []byte, n int) int {
	n = min(n, len(dst))
	clear(dst[:n])
	return n
}
