package sink

// combineAdler returns the Adler-32 (RFC 1950) of two byte strings in sequence, from the
// checksum of each and the length n of the second. The low half of a checksum is 1 plus the sum
// of all bytes. The high half is the sum of all intermediate low halves.
func combineAdler(first, second uint32, n int64) uint32 {
	const mod = 65521 // the largest prime below 2^16
	a1, b1 := uint64(first&0xffff), uint64(first>>16)
	a2, b2 := uint64(second&0xffff), uint64(second>>16)
	gained := (a1 + mod - 1) % mod // what the first string adds to each low half of the second
	a := (a2 + gained) % mod
	b := (b1 + b2 + uint64(n%mod)*gained) % mod
	return uint32(b<<16 | a)
}
