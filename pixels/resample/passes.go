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
	columns := [...]func(dst, src []byte, t *table, from, to int){columns1, columns2, columns3, columns4}[channels-1]
	for y := range rows {
		columns(dst.pix[y*dst.stride:], src.pix[y*src.stride:], a.table, a.from, a.to)
	}
}

func columns1(dst, src []byte, t *table, from, to int) {
	for i := from; i < to; i++ {
		weights := t.weightsOf(i)
		s := src[t.first[i]:][:len(weights)]
		sum := int32(half)
		for j, w := range weights {
			sum += int32(s[j]) * w
		}
		dst[i-from] = clip(sum)
	}
}

func columns2(dst, src []byte, t *table, from, to int) {
	for i := from; i < to; i++ {
		weights := t.weightsOf(i)
		s := src[2*t.first[i]:][:2*len(weights)]
		a, b := int32(half), int32(half)
		for _, w := range weights {
			a += int32(s[0]) * w
			b += int32(s[1]) * w
			s = s[2:]
		}
		d := dst[2*(i-from):][:2]
		d[0], d[1] = clip(a), clip(b)
	}
}

func columns3(dst, src []byte, t *table, from, to int) {
	for i := from; i < to; i++ {
		weights := t.weightsOf(i)
		s := src[3*t.first[i]:][:3*len(weights)]
		a, b, c := int32(half), int32(half), int32(half)
		for _, w := range weights {
			a += int32(s[0]) * w
			b += int32(s[1]) * w
			c += int32(s[2]) * w
			s = s[3:]
		}
		d := dst[3*(i-from):][:3]
		d[0], d[1], d[2] = clip(a), clip(b), clip(c)
	}
}

func columns4(dst, src []byte, t *table, from, to int) {
	for i := from; i < to; i++ {
		weights := t.weightsOf(i)
		s := src[4*t.first[i]:][:4*len(weights)]
		a, b, c, d := int32(half), int32(half), int32(half), int32(half)
		for _, w := range weights {
			a += int32(s[0]) * w
			b += int32(s[1]) * w
			c += int32(s[2]) * w
			d += int32(s[3]) * w
			s = s[4:]
		}
		to := dst[4*(i-from):][:4]
		to[0], to[1], to[2], to[3] = clip(a), clip(b), clip(c), clip(d)
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
