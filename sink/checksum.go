package sink

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
