package raster

import (
	"encoding/binary"

	"tfr-build/pixels/header"
)

// The filters of PNG. A filter subtracts a prediction from each byte of a row.
const (
	filterNone  = iota
	filterSub   // the byte of the pixel to the left
	filterUp    // the byte above
	filterAvg   // the mean of both
	filterPaeth // left, above, or above left, whichever is closest to left + above - above left
	filterCount
)

// readRow inflates a row, and undoes its filter.
func (d *pngDecoder) readRow(row, above []byte) error {
	line, err := d.inflate.next(1 + len(row))
	if err != nil {
		return d.inflateError(err)
	}
	bpp := max(1, d.Samples*d.Depth/8)
	if !unfilter(line[0], row, line[1:], above, bpp) {
		return header.Corrupt(d.at, "PNG: a row has filter %d; 0 to 4 are defined", line[0])
	}
	return nil
}

// unfilter adds the filter's prediction to src, and writes the sums to dst. The slices dst, src,
// and above have the same length, and the pixel to the left is bpp bytes before. It returns false
// if the filter is unknown.
func unfilter(filter byte, dst, src, above []byte, bpp int) bool {
	n := min(bpp, len(src))
	switch filter {
	case filterNone:
		copy(dst, src)
	case filterSub:
		copy(dst[:n], src)
		for i := n; i < len(dst); i++ {
			dst[i] = src[i] + dst[i-bpp]
		}
	case filterUp:
		addBytes(dst, src, above)
	case filterAvg:
		for i := range n {
			dst[i] = src[i] + above[i]/2
		}
		for i := n; i < len(dst); i++ {
			dst[i] = src[i] + byte((int(dst[i-bpp])+int(above[i]))/2)
		}
	case filterPaeth:
		addBytes(dst[:n], src[:n], above[:n])
		switch bpp {
		case 3:
			unpaeth3(dst, src, above)
		case 4:
			unpaeth4(dst, src, above)
		default:
			for i := range n {
				unpaeth(dst[i:], src[i:], above[i:], bpp)
			}
		}
	default:
		return false
	}
	return true
}

// unpaeth undoes the Paeth filter of one channel from the second pixel on.
func unpaeth(dst, src, above []byte, bpp int) {
	left, corner := int(dst[0]), int(above[0])
	for i := bpp; i < len(dst) && i < len(src) && i < len(above); i += bpp {
		up := int(above[i])
		left = int(src[i] + paeth(left, up, corner))
		dst[i] = byte(left)
		corner = up
	}
}

// unpaeth3 is unpaeth for all channels of 3-byte pixels. The processor computes the three
// independent chains of sums in parallel.
func unpaeth3(dst, src, above []byte) {
	l0, l1, l2 := int(dst[0]), int(dst[1]), int(dst[2])
	c0, c1, c2 := int(above[0]), int(above[1]), int(above[2])
	for dst, src, above = dst[3:], src[3:], above[3:]; len(dst) >= 3 && len(src) >= 3 && len(above) >= 3; {
		u0, u1, u2 := int(above[0]), int(above[1]), int(above[2])
		l0 = int(src[0] + paeth(l0, u0, c0))
		l1 = int(src[1] + paeth(l1, u1, c1))
		l2 = int(src[2] + paeth(l2, u2, c2))
		dst[0], dst[1], dst[2] = byte(l0), byte(l1), byte(l2)
		c0, c1, c2 = u0, u1, u2
		dst, src, above = dst[3:], src[3:], above[3:]
	}
}

// unpaeth4 is unpaeth3 for 4-byte pixels.
func unpaeth4(dst, src, above []byte) {
	l0, l1, l2, l3 := int(dst[0]), int(dst[1]), int(dst[2]), int(dst[3])
	c0, c1, c2, c3 := int(above[0]), int(above[1]), int(above[2]), int(above[3])
	for dst, src, above = dst[4:], src[4:], above[4:]; len(dst) >= 4 && len(src) >= 4 && len(above) >= 4; {
		u0, u1, u2, u3 := int(above[0]), int(above[1]), int(above[2]), int(above[3])
		l0 = int(src[0] + paeth(l0, u0, c0))
		l1 = int(src[1] + paeth(l1, u1, c1))
		l2 = int(src[2] + paeth(l2, u2, c2))
		l3 = int(src[3] + paeth(l3, u3, c3))
		dst[0], dst[1], dst[2], dst[3] = byte(l0), byte(l1), byte(l2), byte(l3)
		c0, c1, c2, c3 = u0, u1, u2, u3
		dst, src, above = dst[4:], src[4:], above[4:]
	}
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

func abs(n int) int {
	sign := n >> 63
	return (n ^ sign) - sign
}

// addBytes sets dst to a plus b, eight bytes at a time. The upper bit of each byte is added
// separately, so that no carry reaches the next byte.
func addBytes(dst, a, b []byte) {
	const low = 0x7f7f7f7f7f7f7f7f
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		binary.LittleEndian.PutUint64(dst, (x&low+y&low)^(x^y)&^low)
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}
