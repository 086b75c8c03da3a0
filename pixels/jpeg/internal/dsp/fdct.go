package dsp

import "math/bits"

// Divisors is a quantization table in the form that ForwardDCT uses for division.
type Divisors struct {
	// (v + correction) * reciprocal >> 16 * scale >> 16 is v / (8*q), rounded. The transform
	// returns eight times the coefficients.
	reciprocal, correction, scale [64]uint16
}

// MaxQuantizer is the largest value of a quantization table that ForwardDCT supports.
const MaxQuantizer = 1<<13 - 1

// NewDivisors prepares a quantization table, in natural order. A value of 0 is replaced by 1, and
// a value above MaxQuantizer by MaxQuantizer.
//
// The numbers are libjpeg-turbo's, after Robert Alverson's "Integer Division Using Reciprocals".
func NewDivisors(q *[64]uint16) *Divisors {
	d := new(Divisors)
	for i, v := range q {
		n := uint32(min(max(v, 1), MaxQuantizer)) << 3
		shift := 16 + bits.Len32(n) - 1
		reciprocal, rest := uint32(1<<shift/uint64(n)), uint32(1<<shift%uint64(n))
		correction := n / 2
		switch {
		case rest == 0: // a power of two, whose reciprocal has one bit too many
			reciprocal >>= 1
			shift--
		case rest <= n/2:
			correction++
		default:
			reciprocal++
		}
		d.reciprocal[i] = uint16(reciprocal)
		d.correction[i] = uint16(correction)
		d.scale[i] = uint16(1 << (32 - shift))
	}
	return d
}

// ForwardDCT converts a block of samples to quantized coefficients in natural order. The samples
// are eight rows of eight. The rows begin at the start of src, stride bytes apart.
func ForwardDCT(out *[64]int16, src []byte, stride int, d *Divisors) {
	if src = src[:7*stride+8]; hasAVX2 {
		forwardDCTAVX2(out, &src[0], stride, d)
	} else {
		forwardDCTGo(out, src, stride, d)
	}
}

func forwardDCTGo(out *[64]int16, src []byte, stride int, d *Divisors) {
	var w [64]int32 // result of the first pass
	for y := range 8 {
		s := src[y*stride:][:8]
		v := w[8*y:][:8]
		var even0, even4 int32
		even0, v[1], v[2], v[3], even4, v[5], v[6], v[7] = forward8(
			int32(s[0])-128, int32(s[1])-128, int32(s[2])-128, int32(s[3])-128,
			int32(s[4])-128, int32(s[5])-128, int32(s[6])-128, int32(s[7])-128, fraction-passFraction)
		v[0], v[4] = even0<<passFraction, even4<<passFraction
	}
	for x := range 8 {
		o0, o1, o2, o3, o4, o5, o6, o7 := forward8(w[x], w[8+x], w[16+x], w[24+x], w[32+x], w[40+x], w[48+x], w[56+x],
			fraction+passFraction)
		out[x], out[32+x] = d.quantize(x, round(o0, passFraction)), d.quantize(32+x, round(o4, passFraction))
		out[8+x], out[16+x], out[24+x] = d.quantize(8+x, o1), d.quantize(16+x, o2), d.quantize(24+x, o3)
		out[40+x], out[48+x], out[56+x] = d.quantize(40+x, o5), d.quantize(48+x, o6), d.quantize(56+x, o7)
	}
}

// forward8 is the transform of eight values. It rounds its results by shift bits, except o0 and
// o4, which are unscaled sums of the values.
func forward8(i0, i1, i2, i3, i4, i5, i6, i7 int32, shift int) (o0, o1, o2, o3, o4, o5, o6, o7 int32) {
	t0, t1, t2, t3 := i0+i7, i1+i6, i2+i5, i3+i4
	t7, t6, t5, t4 := i0-i7, i1-i6, i2-i5, i3-i4

	// The even part.
	e0, e1, e2, e3 := t0+t3, t1+t2, t1-t2, t0-t3
	o0, o4 = e0+e1, e0-e1
	o2 = round(e3*(f0541+f0765)+e2*f0541, shift)
	o6 = round(e3*f0541+e2*(f0541-f1847), shift)

	// The odd part.
	z3, z4 := t4+t6, t5+t7
	z3, z4 = z3*(f1175-f1961)+z4*f1175, z3*f1175+z4*(f1175-f0390)
	o7 = round(t4*(f0298-f0899)-t7*f0899+z3, shift)
	o5 = round(t5*(f2053-f2562)-t6*f2562+z4, shift)
	o3 = round(t6*(f3072-f2562)-t5*f2562+z3, shift)
	o1 = round(t7*(f1501-f0899)-t4*f0899+z4, shift)
	return
}

// round removes fractional bits.
func round(v int32, bits int) int32 { return (v + 1<<(bits-1)) >> bits }

// quantize divides the coefficient v, which has index i in its block.
func (d *Divisors) quantize(i int, v int32) int16 {
	sign := v >> 31
	v = (v ^ sign) - sign
	u := (uint32(v) + uint32(d.correction[i])) * uint32(d.reciprocal[i]) >> 16 * uint32(d.scale[i]) >> 16
	return int16((int32(u) ^ sign) - sign)
}
