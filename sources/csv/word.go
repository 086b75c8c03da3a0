package csv

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	lfs   = '\n' * ones
)

// stops returns a mask with the highest bit set of the bytes of w that are LF, the delimiter, or
// the quote. The arguments delim and quote have their byte eight times.
//
// In h^x the low seven bits of a byte are 0 if it is x or x|0x80. Only then does subtracting 1
// clear its highest bit, and it never borrows from the next byte. The final |w excludes bytes above
// 0x7f.
func stops(w, delim, quote uint64) uint64 {
	h := w | highs
	return highs &^ (((h^delim)-ones)&((h^lfs)-ones)&((h^quote)-ones) | w)
}

// lastWord returns the last bytes of data, which are fewer than eight, followed by LFs.
func lastWord(b []byte) uint64 {
	w := uint64(lfs)
	for i, x := range b {
		w ^= uint64(x^'\n') << (8 * i)
	}
	return w
}
