package statistics

import (
	"math"
	"math/bits"
)

// moments are the sums of numbers and a histogram of them, exact and in whole
// numbers: so they do not depend on the order in which numbers come.
//
// A number is ±u·2^e with a whole u, which of a float32 has 24 bits. Those of one sign
// and one octave, from a power of two up to the next, are kept together: the sum of
// their u, that of the squares, and how many lie in each of 128 parts of the octave.
type moments struct {
	float    bool // the numbers are floats; else they are integers
	least    uint // the exponent of the least float: 0 of float64, [leastFloat32] of float32
	zeros    int64
	nan      int64
	posInf   int64
	negInf   int64
	min, max int64 // of the finite ones, as [ordered] has them
	index    []uint16
	keys     []uint16 // of the octaves
	octaves  []octave
}

// An octave is the numbers of one sign from a power of two to the next.
type octave struct {
	sum    [2]uint64 // of u, the lower half first
	square [3]uint64 // of u²
	parts  [parts]uint32
	high   *[parts]uint32 // the upper halves of the counts, once one needs it
}

// count is how many numbers a part has.
func (o *octave) count(part int) int64 {
	if o.high == nil {
		return int64(o.parts[part])
	}
	return int64(o.high[part])<<32 | int64(o.parts[part])
}

// grow adds n numbers to a part.
func (o *octave) grow(part, n uint64) {
	n += uint64(o.parts[part])
	o.parts[part] = uint32(n)
	if n>>32 > 0 {
		o.carry(part, uint32(n>>32))
	}
}

func (o *octave) carry(part uint64, n uint32) {
	if o.high == nil {
		o.high = new([parts]uint32)
	}
	o.high[part] += n
}

// An octave has parts of one width: a number is within 0.8 % of any other of its part.
const (
	partBits = 7
	parts    = 1 << partBits
)

// The keys of octaves: the length of an integer in bits less one, or the exponent
// of a float64, and a bit for the sign.
const (
	intSign   = 1 << 6
	floatSign = 1 << 11
)

// The exponent that the least float32 has as a float64, and how many bits it lacks.
const (
	leastFloat32 = 1023 - 149
	lackedBits   = 52 - 23
)

// newMoments are those of the values of a list, or of sizes.
func newMoments(of list) moments {
	m := moments{float: of == floatList || of == doubleList, min: math.MaxInt64, max: math.MinInt64}
	if of == floatList {
		m.least = leastFloat32
	}
	return m
}

// ordered is a float64 as an integer that is in the same order as it is.
func ordered(f float64) int64 {
	b := int64(math.Float64bits(f))
	return b ^ int64(uint64(b>>63)>>1)
}

// unordered is the float64 that ordered was made of.
func unordered(v int64) float64 { return math.Float64frombits(uint64(v ^ int64(uint64(v>>63)>>1))) }

func (m *moments) bound(v int64) {
	m.min, m.max = min(m.min, v), max(m.max, v)
}

// at is the octave of a key.
func (m *moments) at(key uint) *octave {
	if place := m.place(key); place < uint(len(m.index)) {
		if i := m.index[place]; i > 0 {
			return &m.octaves[i-1]
		}
	}
	return m.begin(key)
}

// begin begins an octave.
func (m *moments) begin(key uint) *octave {
	if m.index == nil {
		m.index = make([]uint16, m.keyCount())
	}
	if len(m.octaves) == cap(m.octaves) { // few more are needed, most often
		m.octaves = append(make([]octave, 0, len(m.octaves)*5/4+4), m.octaves...)
	}
	m.keys = append(m.keys, uint16(key))
	m.octaves = append(m.octaves, octave{})
	m.index[m.place(key)] = uint16(len(m.keys))
	return &m.octaves[len(m.keys)-1]
}

// keyCount is how many keys there may be.
func (m *moments) keyCount() uint {
	switch {
	case !m.float:
		return 2 * intSign
	case m.least > 0:
		return 2 * (1<<8 + 23)
	}
	return 2 * floatSign
}

// place is where the index has a key.
func (m *moments) place(key uint) uint {
	if !m.float {
		return key
	}
	return (key&(floatSign-1)-m.least)<<1 | key/floatSign
}

// addInt counts an integer n times.
func (m *moments) addInt(v, n int64) {
	m.bound(v)
	if v == 0 {
		m.zeros += n
		return
	}
	key, part, u := intPlace(v)
	m.at(key).add(u, part, uint64(n))
}

// intPlace is where an integer that is not 0 belongs: its octave, the part of that,
// and the number without its sign.
func intPlace(v int64) (key uint, part, u uint64) {
	sign := uint64(v >> 63)
	u = (uint64(v) ^ sign) - sign
	bit := uint(bits.Len64(u)-1) & 63
	return bit | uint(sign&intSign), u << (63 - bit) >> (63 - partBits) & (parts - 1), u
}

// addInts counts integers, once each.
func (m *moments) addInts(keys []uint64) {
	for {
		n := m.addSmallInts(keys)
		if n == len(keys) {
			return
		}
		m.addInt(int64(keys[n]), 1)
		keys = keys[n+1:]
	}
}

// addSmallInts counts integers up to the first that needs more than a few steps:
// that is 0, has more than 32 bits, or begins an octave.
func (m *moments) addSmallInts(keys []uint64) int {
	least, largest := m.min, m.max
	index, octaves := m.index, m.octaves
	for i, k := range keys {
		v := int64(k)
		key, part, u := intPlace(v)
		at := uint(0)
		if u < 1<<32 && key < uint(len(index)) {
			at = uint(index[key])
		}
		if at--; at >= uint(len(octaves)) || !octaves[at].addSmall(u, part) {
			keys = keys[:i]
			break
		}
		least, largest = min(least, v), max(largest, v)
	}
	m.min, m.max = least, largest
	return len(keys)
}

// addFloat counts a float n times.
func (m *moments) addFloat(f float64, n int64) {
	b := math.Float64bits(f)
	switch {
	case b<<1 == 0:
		m.zeros += n
		m.bound(0)
	case b>>52&0x7ff == 0x7ff:
		m.addSpecial(f, n)
	default:
		m.bound(ordered(f))
		key, part, u := floatPlace(b)
		if m.least > 0 {
			u >>= lackedBits
		}
		m.at(key).add(u, part, uint64(n))
	}
}

// floatPlace is where a finite float that is not 0 belongs.
func floatPlace(b uint64) (key uint, part, u uint64) {
	exponent := b >> 52 & 0x7ff
	u = b & (1<<52 - 1)
	if exponent > 0 {
		u |= 1 << 52
	}
	// A part holds its lower bound, which of negative numbers is the one that is
	// farther from 0.
	place := b - b>>63
	if place>>52 != b>>52 && exponent > 1 {
		u <<= 1 // the octave below has half the unit
	}
	return uint(place >> 52), place >> (52 - partBits) & (parts - 1), u
}

// addSingles counts float32s by the bits of their float64, once each.
func (m *moments) addSingles(keys []uint64) {
	for {
		n := m.addUsual(keys)
		if n == len(keys) {
			return
		}
		m.addFloat(math.Float64frombits(keys[n]), 1)
		keys = keys[n+1:]
	}
}

// addUsual counts float32s up to the first that needs more than a few steps: that is
// 0, is not finite, or begins an octave. All others are normal as a float64.
func (m *moments) addUsual(keys []uint64) int {
	least, largest := m.min, m.max
	index, octaves := m.index, m.octaves
	for i, b := range keys {
		// As in [floatPlace], and [moments.place] of it.
		sign := b >> 63
		place := b - sign
		u := (place>>lackedBits&(1<<23-1) | 1<<23) + sign
		at := uint(0)
		if key := uint(place>>51&(2*floatSign-2)|sign) - 2*leastFloat32; key < uint(len(index)) {
			at = uint(index[key])
		}
		if at--; at >= uint(len(octaves)) || !octaves[at].addSmall(u, place>>(52-partBits)&(parts-1)) {
			keys = keys[:i]
			break
		}
		v := ordered(math.Float64frombits(b))
		least, largest = min(least, v), max(largest, v)
	}
	m.min, m.max = least, largest
	return len(keys)
}

// addFloats counts float64s by their bits, once each.
func (m *moments) addFloats(keys []uint64) {
	least, largest := m.min, m.max
	for _, b := range keys {
		if b<<1 == 0 || b>>52&0x7ff == 0x7ff {
			m.addFloat(math.Float64frombits(b), 1)
			if b<<1 == 0 {
				least, largest = min(least, 0), max(largest, 0)
			}
			continue
		}
		v := ordered(math.Float64frombits(b))
		least, largest = min(least, v), max(largest, v)
		key, part, u := floatPlace(b)
		m.at(key).addOne(u, part)
	}
	m.min, m.max = least, largest
}

// addSpecial counts what is not finite.
func (m *moments) addSpecial(f float64, n int64) {
	switch {
	case f > 0:
		m.posInf += n
	case f < 0:
		m.negInf += n
	default:
		m.nan += n
	}
}

// addSmall counts a number of 32 bits, unless the count of its part overflows.
func (o *octave) addSmall(u, part uint64) bool {
	n := o.parts[part] + 1
	if n == 0 {
		return false
	}
	o.parts[part] = n
	var carry uint64
	o.sum[0], carry = bits.Add64(o.sum[0], u, 0)
	o.sum[1] += carry
	o.square[0], carry = bits.Add64(o.square[0], u*u, 0)
	o.square[1] += carry
	return true
}

// addOne counts a number.
func (o *octave) addOne(u, part uint64) {
	if o.parts[part]++; o.parts[part] == 0 {
		o.carry(part, 1)
	}
	high, low := bits.Mul64(u, u)
	var carry uint64
	o.sum[0], carry = bits.Add64(o.sum[0], u, 0)
	o.sum[1] += carry
	o.square[0], carry = bits.Add64(o.square[0], low, 0)
	o.square[1], carry = bits.Add64(o.square[1], high, carry)
	o.square[2] += carry
}

// add counts a number n times.
func (o *octave) add(u, part, n uint64) {
	o.grow(part, n)
	high, low := bits.Mul64(u, u)
	h, l := bits.Mul64(u, n)
	h0, l0 := bits.Mul64(low, n)
	h1, l1 := bits.Mul64(high, n)
	middle, carry := bits.Add64(h0, l1, 0)
	o.addSums([2]uint64{l, h}, [3]uint64{l0, middle, h1 + carry})
}

func (o *octave) addSums(sum [2]uint64, square [3]uint64) {
	var carry uint64
	o.sum[0], carry = bits.Add64(o.sum[0], sum[0], 0)
	o.sum[1] += sum[1] + carry
	o.square[0], carry = bits.Add64(o.square[0], square[0], 0)
	o.square[1], carry = bits.Add64(o.square[1], square[1], carry)
	o.square[2] += square[2] + carry
}

// merge adds what others have.
func (m *moments) merge(others *moments) {
	m.zeros += others.zeros
	m.nan += others.nan
	m.posInf += others.posInf
	m.negInf += others.negInf
	m.min, m.max = min(m.min, others.min), max(m.max, others.max)
	for i, key := range others.keys {
		from, to := &others.octaves[i], m.at(uint(key))
		to.addSums(from.sum, from.square)
		to.addParts(from)
	}
}

func (o *octave) addParts(others *octave) {
	for p, n := range &others.parts {
		sum := o.parts[p] + n
		o.parts[p] = sum
		if sum < n {
			o.carry(uint64(p), 1)
		}
	}
	if others.high != nil {
		for p, n := range others.high {
			o.carry(uint64(p), n)
		}
	}
}

// reset forgets all numbers, and keeps the memory.
func (m *moments) reset() {
	for _, key := range m.keys {
		m.index[m.place(uint(key))] = 0
	}
	*m = moments{
		float: m.float, least: m.least, min: math.MaxInt64, max: math.MinInt64,
		index: m.index, keys: m.keys[:0], octaves: m.octaves[:0],
	}
}

// finite is how many numbers are finite.
func (m *moments) finite() int64 {
	n := m.zeros
	for i := range m.octaves {
		for p := range parts {
			n += m.octaves[i].count(p)
		}
	}
	return n
}
