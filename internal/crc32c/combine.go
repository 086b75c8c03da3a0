package crc32c

// Combine returns the CRC-32C of two byte sequences one after the other. first and second are their
// CRC-32Cs, and n is the length of the second sequence in bytes.
//
// Appending n bytes multiplies by x^8n. Multiplying the CRC of the first sequence gives the same
// result as multiplying the sequence.
func Combine(first, second uint32, n int64) uint32 {
	for i := 0; n > 0; n >>= 1 {
		if n&1 != 0 {
			first = multiply(first, powers[i])
		}
		i++
	}
	return first ^ second
}

// powers[i] is x^8 to the power of 2^i.
var powers = makePowers()

func makePowers() (p [63]uint32) {
	p[0] = 1 << 23 // x^8
	for i := range p[1:] {
		p[i+1] = multiply(p[i], p[i])
	}
	return p
}

// multiply returns the product of two polynomials modulo the polynomial of CRC-32C.
func multiply(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		product ^= b & -(a >> 31)
		b = b>>1 ^ polynomial&-(b&1)
	}
	return product
}

// polynomial is the polynomial of CRC-32C without its highest power. So it is also x^32 modulo the
// polynomial.
const polynomial = 0x82f63b78
