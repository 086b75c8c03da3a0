package csv

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	lfs   = '\n' * ones
)

// stops has the highest bit set of those bytes of w that are LF, the
// delimiter or the quote, each of which is given eight times.
//
// In h^x the low seven bits of a byte are 0 where it is x or x|0x80; only
// then taking 1 away clears its highest bit, and nothing is ever borrowed
// from the next byte. Those above 0x7f are left out by w itself.
func stops(w, delim, quote uint64) uint64 {
	h := w | highs
	return highs &^ (((h^delim)-ones)&((h^lfs)-ones)&((h^quote)-ones) | w)
}

// equal has the highest bit set of those bytes of w that are the one in x.
func equal(w, x uint64) uint64 {
	return highs &^ (((w | highs) ^ x) - ones | w)
}

// running has the highest bit set of the bytes up to and with which an odd
// number of bytes is set in mask.
func running(mask uint64) uint64 {
	mask ^= mask << 8
	mask ^= mask << 16
	return mask ^ mask<<32
}

// lastWord is the last bytes of data, fewer than eight, with LF after them.
func lastWord(b []byte) uint64 {
	w := uint64(lfs)
	for i, x := range b {
		w ^= uint64(x^'\n') << (8 * i)
	}
	return w
}
