package sink

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// combineCRC returns the CRC32C of two texts one after the other, given the CRC
// of each and the length of the second.
//
// A CRC is the text as a polynomial, modulo another one. To append n bytes is to
// multiply by x^8n, which works on the CRC of the first text as on the text itself.
func combineCRC(first, second uint32, n int64) uint32 {
	const one, byteUp = 1 << 31, 1 << 23 // x^0 and x^8: the highest bit is x^0
	shift, power := uint32(one), uint32(byteUp)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			shift = timesMod(shift, power)
		}
		power = timesMod(power, power)
	}
	return timesMod(first, shift) ^ second
}

// timesMod multiplies two polynomials modulo that of CRC32C.
func timesMod(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a>>31 != 0 {
			product ^= b
		}
		b = b>>1 ^ crc32.Castagnoli&-(b&1)
	}
	return product
}

// combineAdler returns the Adler-32 of two texts one after the other, given that
// of each and the length of the second. Its low half is 1 plus the sum of all
// bytes, its high half the sum of all low halves on the way.
func combineAdler(first, second uint32, n int64) uint32 {
	const mod = 65521
	a1, b1 := uint64(first&0xffff), uint64(first>>16)
	a2, b2 := uint64(second&0xffff), uint64(second>>16)
	gained := (a1 + mod - 1) % mod // what each low half of the second text gains
	a := (a2 + gained) % mod
	b := (b1 + b2 + uint64(n%mod)*gained) % mod
	return uint32(b<<16 | a)
}
