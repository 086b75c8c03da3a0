package dsp

import "encoding/binary"

// The multipliers of both transforms, with 13 fractional bits.
const (
	f0298 = 2446  // 0.298631336
	f0390 = 3196  // 0.390180644
	f0541 = 4433  // 0.541196100
	f0765 = 6270  // 0.765366865
	f0899 = 7373  // 0.899976223
	f1175 = 9633  // 1.175875602
	f1501 = 12299 // 1.501321110
	f1847 = 15137 // 1.847759065
	f1961 = 16069 // 1.961570560
	f2053 = 16819 // 2.053119869
	f2562 = 20995 // 2.562915447
	f3072 = 25172 // 3.072711026
)

// The number of fractional bits of the multipliers, and of the results of the first of two passes
// over a block.
const (
	fraction     = 13
	passFraction = 2
)

// InverseDCT multiplies the coefficients b by the quantization table q, and converts them to
// samples: eight rows of eight. The rows begin at the start of dst, stride bytes apart. Both
// tables are in natural order, row by row.
//
// Damaged files have coefficients that overflow 16 bits. Products, and sums that are multiplied,
// then wrap around. The results of the first pass saturate at 16 bits, and samples at 0 and 255.
// The first pass also wraps around if rows 1 to 7 have no coefficients.
func InverseDCT(dst []byte, stride int, b *[64]int16, q *[64]uint16) {
	if dst = dst[:7*stride+8]; hasAVX2 {
		inverseDCTAVX2(&dst[0], stride, b, q)
	} else {
		inverseDCTGo(dst, stride, b, q)
	}
}

// InverseDC is InverseDCT for a block with only the DC coefficient dc. q0 is the first entry of
// the quantization table.
func InverseDC(dst []byte, stride int, dc int16, q0 uint16) {
	row := uint64(Mean(dc, q0)) * 0x0101010101010101
	dst = dst[:7*stride+8]
	for y := range 8 {
		binary.LittleEndian.PutUint64(dst[y*stride:], row)
	}
}

// Mean returns the mean sample of a block whose DC coefficient is dc.
func Mean(dc int16, q0 uint16) byte {
	return sample(int32(dc*int16(q0)<<passFraction) << fraction)
}

func inverseDCTGo(dst []byte, stride int, b *[64]int16, q *[64]uint16) {
	var w [64]int16 // result of the first pass
	if flat(b) {
		for x := range 8 {
			v := b[x] * int16(q[x]) << passFraction
			for y := 0; y < 64; y += 8 {
				w[y+x] = v
			}
		}
	} else {
		for x := range 8 {
			if b[8+x]|b[16+x]|b[24+x]|b[32+x]|b[40+x]|b[48+x]|b[56+x] == 0 {
				// The same result as of inverse8 and narrow; half of all columns have only zeros
				// here.
				v := int16(min(max(int32(b[x]*int16(q[x]))<<passFraction, -1<<15), 1<<15-1))
				w[x], w[8+x], w[16+x], w[24+x] = v, v, v, v
				w[32+x], w[40+x], w[48+x], w[56+x] = v, v, v, v
				continue
			}
			o0, o1, o2, o3, o4, o5, o6, o7 := inverse8(
				b[x]*int16(q[x]), b[8+x]*int16(q[8+x]), b[16+x]*int16(q[16+x]), b[24+x]*int16(q[24+x]),
				b[32+x]*int16(q[32+x]), b[40+x]*int16(q[40+x]), b[48+x]*int16(q[48+x]), b[56+x]*int16(q[56+x]))
			w[x], w[8+x], w[16+x], w[24+x] = narrow(o0), narrow(o1), narrow(o2), narrow(o3)
			w[32+x], w[40+x], w[48+x], w[56+x] = narrow(o4), narrow(o5), narrow(o6), narrow(o7)
		}
	}
	for y := range 8 {
		r := w[8*y : 8*y+8]
		o0, o1, o2, o3, o4, o5, o6, o7 := inverse8(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7])
		d := dst[y*stride:][:8]
		d[0], d[1], d[2], d[3] = sample(o0), sample(o1), sample(o2), sample(o3)
		d[4], d[5], d[6], d[7] = sample(o4), sample(o5), sample(o6), sample(o7)
	}
}

// flat reports whether rows 1 to 7 of a block are zero.
func flat(b *[64]int16) bool {
	var any int16
	for _, v := range b[8:] {
		any |= v
	}
	return any == 0
}

// inverse8 is the inverse transform of eight values. Its results have another fraction bits of
// fraction.
func inverse8(i0, i1, i2, i3, i4, i5, i6, i7 int16) (o0, o1, o2, o3, o4, o5, o6, o7 int32) {
	// The even part.
	t2 := int32(i2)*f0541 + int32(i6)*(f0541-f1847)
	t3 := int32(i2)*(f0541+f0765) + int32(i6)*f0541
	t0 := int32(i0+i4) << fraction
	t1 := int32(i0-i4) << fraction
	e0, e3 := t0+t3, t0-t3
	e1, e2 := t1+t2, t1-t2

	// The odd part.
	z3, z4 := int32(i7+i3), int32(i5+i1)
	z3, z4 = z3*(f1175-f1961)+z4*f1175, z3*f1175+z4*(f1175-f0390)
	u0 := int32(i7)*(f0298-f0899) - int32(i1)*f0899 + z3
	u1 := int32(i5)*(f2053-f2562) - int32(i3)*f2562 + z4
	u2 := int32(i3)*(f3072-f2562) - int32(i5)*f2562 + z3
	u3 := int32(i1)*(f1501-f0899) - int32(i7)*f0899 + z4

	return e0 + u3, e1 + u2, e2 + u1, e3 + u0, e3 - u0, e2 - u1, e1 - u2, e0 - u3
}

// narrow rounds a result of the first pass to passFraction fractional bits, and saturates it at
// 16 bits.
func narrow(v int32) int16 {
	const shift = fraction - passFraction
	return int16(min(max((v+1<<(shift-1))>>shift, -1<<15), 1<<15-1))
}

// sample rounds a result of the second pass to a sample. It removes three more bits, because the
// two passes return eight times the samples.
func sample(v int32) byte {
	const shift = fraction + passFraction + 3
	return byte(min(max((v+1<<(shift-1))>>shift+128, 0), 255))
}
