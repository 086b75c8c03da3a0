package statistics

import (
	"math"
	"math/bits"
)

// A logHistogram is a log-scale histogram of numbers with exact sums. It has only whole numbers,
// so the order of the numbers does not matter.
//
// A number is ±u·2^e with a whole number u, which has at most 24 bits for a float32. A bucket has
// the numbers of one sign from a power of two to the next. It stores the sum of their u, the sum
// of their u², and a count for each of 128 sub-buckets.
type logHistogram struct {
	float       bool // the numbers are floats; otherwise integers
	minExponent uint // the exponent of the least float: 0 for float64, [minExponent32] for float32
	zeros       int64
	nan         int64
	posInf      int64
	negInf      int64
	min, max    int64    // of the finite numbers; for floats, in the form of [ordered]
	index       []uint16 // by [logHistogram.indexOf]: the index of the bucket plus 1, or 0
	keys        []uint16 // of buckets
	buckets     []bucket
}

// A bucket has the numbers of one sign from a power of two to the next.
type bucket struct {
	sum        [2]uint64 // of u, low word first
	square     [3]uint64 // of u², low word first
	subBuckets [subBuckets]uint32
	high       *[subBuckets]uint32 // the upper halves of the counts; nil if all are 0
}

// count returns the number of values in a sub-bucket.
func (o *bucket) count(sub int) int64 {
	if o.high == nil {
		return int64(o.subBuckets[sub])
	}
	return int64(o.high[sub])<<32 | int64(o.subBuckets[sub])
}

// addCount adds n numbers to a sub-bucket.
func (o *bucket) addCount(sub, n uint64) {
	n += uint64(o.subBuckets[sub])
	o.subBuckets[sub] = uint32(n)
	if n>>32 > 0 {
		o.carry(sub, uint32(n>>32))
	}
}

func (o *bucket) carry(sub uint64, n uint32) {
	if o.high == nil {
		o.high = new([subBuckets]uint32)
	}
	o.high[sub] += n
}

// Sub-buckets of a bucket have equal widths. Numbers in the same sub-bucket differ by at most 0.8
// %.
const (
	subBucketBits = 7
	subBuckets    = 1 << subBucketBits
)

// The key of a bucket: for integers, the number of bits minus 1; for floats, the exponent field
// of the float64. A further bit is the sign.
const (
	intSign   = 1 << 6
	floatSign = 1 << 11
)

// The exponent of the least float32 in a float64, less 1: the bucket of a negative power of two is the one below.
// And the difference of the sizes of the mantissas in bits.
const (
	minExponent32 = 1023 - 150
	mantissaGap   = 52 - 23
)

// float32Exponents is the number of exponents that float32s have as float64s: 8 bits of normal
// numbers, 23 of subnormal ones, and the one below.
const float32Exponents = 1<<8 + 24

// newLogHistogram returns an empty histogram for the values of a list; for bytes, for their
// sizes.
func newLogHistogram(of list) logHistogram {
	m := logHistogram{float: of == floatList || of == doubleList, min: math.MaxInt64, max: math.MinInt64}
	if of == floatList {
		m.minExponent = minExponent32
	}
	return m
}

// ordered returns an integer with the same order as the float64.
func ordered(f float64) int64 {
	b := int64(math.Float64bits(f))
	return b ^ int64(uint64(b>>63)>>1)
}

// fromOrdered is the inverse of ordered.
func fromOrdered(v int64) float64 { return math.Float64frombits(uint64(v ^ int64(uint64(v>>63)>>1))) }

func (m *logHistogram) extend(v int64) {
	m.min, m.max = min(m.min, v), max(m.max, v)
}

// bucket returns the bucket of a key, and creates it if necessary.
func (m *logHistogram) bucket(key uint) *bucket {
	if position := m.indexOf(key); position < uint(len(m.index)) {
		if i := m.index[position]; i > 0 {
			return &m.buckets[i-1]
		}
	}
	return m.addBucket(key)
}

// addBucket creates a bucket.
func (m *logHistogram) addBucket(key uint) *bucket {
	if m.index == nil {
		m.index = make([]uint16, m.keyCount())
	}
	if len(m.buckets) == cap(m.buckets) { // grow by little: usually few more are needed
		m.buckets = append(make([]bucket, 0, len(m.buckets)*5/4+4), m.buckets...)
	}
	m.keys = append(m.keys, uint16(key))
	m.buckets = append(m.buckets, bucket{})
	m.index[m.indexOf(key)] = uint16(len(m.keys))
	return &m.buckets[len(m.keys)-1]
}

// keyCount returns the number of possible keys.
func (m *logHistogram) keyCount() uint {
	switch {
	case !m.float:
		return 2 * intSign
	case m.minExponent > 0:
		return 2 * float32Exponents
	}
	return 2 * floatSign
}

// indexOf returns the position of a key in the index.
func (m *logHistogram) indexOf(key uint) uint {
	if !m.float {
		return key
	}
	return (key&(floatSign-1)-m.minExponent)<<1 | key/floatSign
}

// addInt counts an integer n times.
func (m *logHistogram) addInt(v, n int64) {
	m.extend(v)
	if v == 0 {
		m.zeros += n
		return
	}
	key, sub, u := splitInt(v)
	m.bucket(key).add(u, sub, uint64(n))
}

// splitInt returns the bucket key and the sub-bucket of an integer that is not 0, and its
// absolute value.
func splitInt(v int64) (key uint, sub, u uint64) {
	sign := uint64(v >> 63)
	u = (uint64(v) ^ sign) - sign
	bit := uint(bits.Len64(u)-1) & 63
	return bit | uint(sign&intSign), u << (63 - bit) >> (63 - subBucketBits) & (subBuckets - 1), u
}

// addInts counts each integer once.
func (m *logHistogram) addInts(values []uint64) {
	for {
		n := m.addSmallInts(values)
		if n == len(values) {
			return
		}
		m.addInt(int64(values[n]), 1)
		values = values[n+1:]
	}
}

// addSmallInts counts integers on a fast path, and returns how many. It stops at an integer that
// is 0, has more than 32 bits, needs a new bucket, or overflows a count.
func (m *logHistogram) addSmallInts(values []uint64) int {
	least, largest := m.min, m.max
	index, buckets := m.index, m.buckets
	for i, k := range values {
		v := int64(k)
		key, sub, u := splitInt(v)
		at := uint(0) // the index of the bucket plus 1
		if u < 1<<32 && key < uint(len(index)) {
			at = uint(index[key])
		}
		if at--; at >= uint(len(buckets)) || !buckets[at].addSmall(u, sub) {
			values = values[:i]
			break
		}
		least, largest = min(least, v), max(largest, v)
	}
	m.min, m.max = least, largest
	return len(values)
}

// addFloat counts a float n times.
func (m *logHistogram) addFloat(f float64, n int64) {
	b := math.Float64bits(f)
	switch {
	case b<<1 == 0:
		m.zeros += n
		m.extend(0)
	case b>>52&0x7ff == 0x7ff:
		m.addSpecial(f, n)
	default:
		m.extend(ordered(f))
		key, sub, u := splitFloat(b)
		if m.minExponent > 0 {
			u >>= mantissaGap
		}
		m.bucket(key).add(u, sub, uint64(n))
	}
}

// splitFloat returns the bucket key, the sub-bucket, and the u of a finite float64 that is not 0.
func splitFloat(b uint64) (key uint, sub, u uint64) {
	exponent := b >> 52 & 0x7ff
	u = b & (1<<52 - 1)
	if exponent > 0 {
		u |= 1 << 52
	}
	// A sub-bucket includes its lower bound. For negative numbers that is the bound farther from
	// 0, so their position moves by one.
	position := b - b>>63
	if position>>52 != b>>52 && exponent > 1 {
		u <<= 1 // the bucket below has half the unit
	}
	return uint(position >> 52), position >> (52 - subBucketBits) & (subBuckets - 1), u
}

// addFloat32s counts each float32 once. values are the bits of the same numbers as float64.
func (m *logHistogram) addFloat32s(values []uint64) {
	for {
		n := m.addNormalFloat32s(values)
		if n == len(values) {
			return
		}
		m.addFloat(math.Float64frombits(values[n]), 1)
		values = values[n+1:]
	}
}

// addNormalFloat32s counts float32s on a fast path, and returns how many. It stops at a number
// that is 0, is not finite, needs a new bucket, or overflows a count. All
// other float32s, even subnormal ones, are normal as float64.
func (m *logHistogram) addNormalFloat32s(values []uint64) int {
	least, largest := m.min, m.max
	index, buckets := m.index, m.buckets
	for i, b := range values {
		// This is [splitFloat] and [logHistogram.indexOf] without branches.
		sign := b >> 63
		position := b - sign
		u := (position>>mantissaGap&(1<<23-1) | 1<<23) + sign // place of a negative number is 1 too small
		at := uint(0)
		if key := uint(position>>51&(2*floatSign-2)|sign) - 2*minExponent32; key < uint(len(index)) {
			at = uint(index[key])
		}
		if at--; at >= uint(len(buckets)) || !buckets[at].addSmall(u, position>>(52-subBucketBits)&(subBuckets-1)) {
			values = values[:i]
			break
		}
		v := ordered(math.Float64frombits(b))
		least, largest = min(least, v), max(largest, v)
	}
	m.min, m.max = least, largest
	return len(values)
}

// addFloats counts each float64 once. values are their bits.
func (m *logHistogram) addFloats(values []uint64) {
	least, largest := m.min, m.max
	for _, b := range values {
		if b<<1 == 0 || b>>52&0x7ff == 0x7ff {
			m.addFloat(math.Float64frombits(b), 1)
			if b<<1 == 0 { // the end overwrites the extremes that addFloat sets
				least, largest = min(least, 0), max(largest, 0)
			}
			continue
		}
		v := ordered(math.Float64frombits(b))
		least, largest = min(least, v), max(largest, v)
		key, sub, u := splitFloat(b)
		m.bucket(key).addOne(u, sub)
	}
	m.min, m.max = least, largest
}

// addSpecial counts a number that is not finite n times.
func (m *logHistogram) addSpecial(f float64, n int64) {
	switch {
	case f > 0:
		m.posInf += n
	case f < 0:
		m.negInf += n
	default:
		m.nan += n
	}
}

// addSmall counts a number of at most 32 bits. If the count of its sub-bucket overflows, it
// returns false and changes nothing.
func (o *bucket) addSmall(u, sub uint64) bool {
	n := o.subBuckets[sub] + 1
	if n == 0 {
		return false
	}
	o.subBuckets[sub] = n
	var carry uint64
	o.sum[0], carry = bits.Add64(o.sum[0], u, 0)
	o.sum[1] += carry
	o.square[0], carry = bits.Add64(o.square[0], u*u, 0)
	o.square[1] += carry
	return true
}

// addOne counts a number.
func (o *bucket) addOne(u, sub uint64) {
	if o.subBuckets[sub]++; o.subBuckets[sub] == 0 {
		o.carry(sub, 1)
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
func (o *bucket) add(u, sub, n uint64) {
	o.addCount(sub, n)
	high, low := bits.Mul64(u, u)
	h, l := bits.Mul64(u, n)
	h0, l0 := bits.Mul64(low, n)
	h1, l1 := bits.Mul64(high, n)
	middle, carry := bits.Add64(h0, l1, 0)
	o.addSums([2]uint64{l, h}, [3]uint64{l0, middle, h1 + carry})
}

func (o *bucket) addSums(sum [2]uint64, square [3]uint64) {
	var carry uint64
	o.sum[0], carry = bits.Add64(o.sum[0], sum[0], 0)
	o.sum[1] += sum[1] + carry
	o.square[0], carry = bits.Add64(o.square[0], square[0], 0)
	o.square[1], carry = bits.Add64(o.square[1], square[1], carry)
	o.square[2] += square[2] + carry
}

// merge adds the counts and sums of others.
func (m *logHistogram) merge(others *logHistogram) {
	m.zeros += others.zeros
	m.nan += others.nan
	m.posInf += others.posInf
	m.negInf += others.negInf
	m.min, m.max = min(m.min, others.min), max(m.max, others.max)
	for i, key := range others.keys {
		from, to := &others.buckets[i], m.bucket(uint(key))
		to.addSums(from.sum, from.square)
		to.addCounts(from)
	}
}

func (o *bucket) addCounts(others *bucket) {
	for p, n := range &others.subBuckets {
		sum := o.subBuckets[p] + n
		o.subBuckets[p] = sum
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

// reset sets all counts to 0, and keeps the memory.
func (m *logHistogram) reset() {
	for _, key := range m.keys {
		m.index[m.indexOf(uint(key))] = 0
	}
	*m = logHistogram{
		float: m.float, minExponent: m.minExponent, min: math.MaxInt64, max: math.MinInt64,
		index: m.index, keys: m.keys[:0], buckets: m.buckets[:0],
	}
}

// finite returns the number of finite numbers.
func (m *logHistogram) finite() int64 {
	n := m.zeros
	for i := range m.buckets {
		for p := range subBuckets {
			n += m.buckets[i].count(p)
		}
	}
	return n
}
