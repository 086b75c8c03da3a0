package raster

// lzwCodes is the number of codes, which have up to 12 bits.
const lzwCodes = 1 << 12

// An lzw decodes the LZW compression of GIF. A code represents a string: the string of its prefix
// code, and a last byte.
type lzw struct {
	prefix [lzwCodes]uint16
	length [lzwCodes]uint16 // of the string
	first  [lzwCodes]byte   // of the string
	last   [lzwCodes]byte
}

// decode decodes src to dst, and returns the number of bytes written. It ignores bytes of src
// after dst is full. ok is false if a code is undefined. Codes begin with codeSize+1 bits, and
// grow:
//
//	0 … clear-1   the bytes themselves
//	clear         clears the table
//	clear+1       end of the data
//	clear+2 …     the previous string, and the first byte of the string after it
func (z *lzw) decode(dst, src []byte, codeSize uint) (n int, ok bool) {
	clear := 1 << codeSize
	for i := range clear {
		z.length[i], z.first[i], z.last[i] = 1, byte(i), byte(i)
	}
	bits, next, before := codeSize+1, clear+2, -1
	acc, have := uint32(0), uint(0)
	for n < len(dst) {
		for have < bits {
			if len(src) == 0 {
				return n, true
			}
			acc |= uint32(src[0]) << have
			src = src[1:]
			have += 8
		}
		code := int(acc & (1<<bits - 1))
		acc >>= bits
		have -= bits
		switch {
		case code == clear:
			bits, next, before = codeSize+1, clear+2, -1
			continue
		case code == clear+1:
			return n, true
		case code > next, code == next && before < 0:
			return n, false
		}
		if before >= 0 && next < lzwCodes {
			begin := code
			if code == next {
				begin = before
			}
			z.prefix[next], z.length[next] = uint16(before), z.length[before]+1
			z.first[next], z.last[next] = z.first[before], z.first[begin]
			if next++; next == 1<<bits && bits < 12 {
				bits++
			}
		}
		n += z.writeString(dst[n:], code)
		before = code
	}
	return n, true
}

// writeString writes the string of a code, as far as it fits, and returns the number of bytes
// written.
func (z *lzw) writeString(dst []byte, code int) int {
	length := int(z.length[code])
	for i := length - 1; i >= 0; i-- {
		if i < len(dst) {
			dst[i] = z.last[code]
		}
		code = int(z.prefix[code])
	}
	return min(length, len(dst))
}
