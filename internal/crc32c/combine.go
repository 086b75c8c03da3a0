package crc32c

// Combine returns the CRC-32C of two texts one after the other, given that of each
// and the length of the second in bytes.
//
// To append n bytes is to multiply by x^8n, which works on the CRC of the first
// text as on the text itself.
func Combine(first, second uint32, n int64) uint32 {
	for i := 0; n > 0; n >>= 1 {
		if n&1 != 0 {
			first = times(first, powers[i])
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
		p[i+1] = times(p[i], p[i])
	}
	return p
}

// times multiplies two polynomials modulo that of CRC-32C.
func times(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		product ^= b & -(a >> 31)
		b = b>>1 ^ polynomial&-(b&1)
	}
	return product
}

// polynomial is that of CRC-32C without its highest power, so that it is x^32
// modulo that, too.
const polynomial = 0x82f63b78
