package raster

import "tfr-build/pixels/header"

// The filters of PNG. A filter subtracts a prediction from each byte of a row.
const (
	filterNone  = iota
	filterSub   // the byte of the pixel to the left
	filterUp    // the byte above
	filterAvg   // the mean of both
	filterPaeth // left, above, or above left, whichever is closest to left + above - above left
)

// readRow inflates a row, and undoes its filter. Both rows begin with a pixel of zeros.
func (d *pngDecoder) readRow(row, above []byte) error {
	bpp := d.pixelSize()
	line, err := d.inflate.next(1 + len(row) - bpp)
	if err != nil {
		return d.inflateError(err)
	}
	if !unfilter(line[0], row, line[1:], above, bpp) {
		return header.Corrupt(d.at, "PNG: a row has filter %d; 0 to 4 are defined", line[0])
	}
	return nil
}

// pixelSize returns the bytes of a pixel, at least 1.
func (d *pngDecoder) pixelSize() int { return max(1, d.Samples*d.Depth/8) }

// unfilter adds the filter's prediction to src, and writes the sums to dst. The rows dst and above begin
// with a pixel of bpp zeros. It returns false if the filter is unknown.
func unfilter(filter byte, dst, src, above []byte, bpp int) bool {
	n := len(src)
	left, corner, up := dst[:n], above[:n], above[bpp:][:n]
	dst = dst[bpp:][:n]
	switch filter {
	case filterNone:
		copy(dst, src)
	case filterSub:
		for i, x := range src {
			dst[i] = x + left[i]
		}
	case filterUp:
		for i, x := range src {
			dst[i] = x + up[i]
		}
	case filterAvg:
		for i, x := range src {
			dst[i] = x + byte((int(left[i])+int(up[i]))/2)
		}
	case filterPaeth:
		for i, x := range src {
			dst[i] = x + paeth(int(left[i]), int(up[i]), int(corner[i]))
		}
	default:
		return false
	}
	return true
}

// paeth returns the Paeth predictor: left, up, or corner, whichever is closest to left + up -
// corner, and the first of these if they tie. It has no branches, which noise would make hard to
// predict.
func paeth(left, up, corner int) byte {
	p, q := up-corner, left-corner
	toLeft, toUp, toCorner := max(p, -p), max(q, -q), max(p+q, -p-q)
	if toUp < toLeft {
		left, toLeft = up, toUp
	}
	if toCorner < toLeft {
		left = corner
	}
	return byte(left)
}
