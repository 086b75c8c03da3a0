package resample

// The two passes in Go. A sum begins with a half, so that the shift rounds. It fits 32 bits,
// because a filter's weights never add up to much more than 1.

const half = 1 << (precision - 1)

// clip converts a sum to a byte.
func clip(sum int32) byte {
	sum >>= precision
	if uint32(sum) > 255 {
		sum = ^(sum >> 31) // 0 below, 255 above
	}
	return byte(sum)
}

// columnsGo resamples the rows of src horizontally to dst.
func columnsGo(dst, src plane, channels, rows int, a axis) {
	for y := range rows {
		d := dst.pix[y*dst.stride:]
		for i := a.from; i < a.to; i++ {
			weights := a.table.weightsOf(i)
			from := src.pix[y*src.stride+channels*int(a.table.first[i]):][:channels*len(weights)]
			for c := range channels {
				sum := int32(half)
				for j, w := range weights {
					sum += int32(from[j*channels+c]) * w
				}
				d[c] = clip(sum)
			}
			d = d[channels:]
		}
	}
}

// rowGo sets dst to the weighted sum of the first len(weights) rows of src. It adds two rows at a
// time, to traverse the sums half as often.
func rowGo(dst []byte, src plane, weights, sums []int32) {
	n := len(dst)
	sums = sums[:n]
	for i := range sums {
		sums[i] = half
	}
	for y := 0; y < len(weights); y += 2 {
		u, v := y, min(y+1, len(weights)-1)
		a, b := src.pix[u*src.stride:][:n], src.pix[v*src.stride:][:n]
		wa, wb := weights[u], weights[v]
		if u == v {
			wb = 0
		}
		for i := range sums {
			sums[i] += int32(a[i])*wa + int32(b[i])*wb
		}
	}
	for i, sum := range sums {
		dst[i] = clip(sum)
	}
}
