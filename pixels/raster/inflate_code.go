package raster

import (
	"io"
	"math/bits"
)

// The number of bits that index the first level of a table.
const (
	literalBits  = 9
	distanceBits = 8
	lengthBits   = 7
)

// A table maps bits, the first bit lowest, to the meaning of a code:
//
//	bits 0–3 length of the code | 4 literal | 5 end of the block | 6 link
//	bits 8–11 number of extra bits | 16–31 a literal, or the base that the extra bits are added to
//
// A code that is longer than the first level begins with a link. Bits 8–11 of a link are the
// number of further bits, which index the entries beginning at bits 16–31. An entry of 0 is not a
// code.
type table []uint32

const (
	isLiteral = 1 << 4
	isEnd     = 1 << 5
	isLink    = 1 << 6
)

// The table entries of symbols, without the length of their codes.
var (
	literalSymbols  = makeLiterals()
	distanceSymbols = makeDistances()
	lengthSymbols   = makeBytes(19)
)

func makeBytes(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)<<16 | isLiteral
	}
	return list
}

// makeLiterals returns 256 bytes, the end of the block, and the match lengths. The lengths are 3
// to 10, then groups of four, each with one more extra bit, up to 257; and 258.
func makeLiterals() []uint32 {
	list := append(makeBytes(256), isEnd)
	for i, next := 0, uint32(3); i < 28; i++ {
		extra := max(0, i/4-1)
		list = append(list, next<<16|uint32(extra)<<8)
		next += 1 << extra
	}
	return append(list, 258<<16)
}

// makeDistances returns the distances: 1 to 4, then groups of two, each with one more extra bit.
func makeDistances() []uint32 {
	var list []uint32
	for i, next := 0, uint32(1); i < 30; i++ {
		extra := max(0, i/2-1)
		list = append(list, next<<16|uint32(extra)<<8)
		next += 1 << extra
	}
	return list
}

// build makes the table of a canonical code with the given lengths. root is the number of bits of
// the first level. Symbols without an entry in symbols stay undefined.
func (t *table) build(lengths []byte, symbols []uint32, root int) error {
	var counts, next [17]int
	for _, n := range lengths {
		counts[n]++
	}
	counts[0] = 0
	left, longest := 1, 0
	for n := 1; n <= 15; n++ {
		left = 2*left - counts[n]
		if left < 0 {
			return errCodeLengths
		}
		next[n+1] = (next[n] + counts[n]) << 1
		if counts[n] > 0 {
			longest = n
		}
	}
	if left > 0 && longest > 1 { // a single code of one bit is allowed
		return errCodeLengths
	}
	*t = append((*t)[:0], make([]uint32, 1<<root)...)
	if longest > root {
		t.link(lengths, next, root)
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		code := reversed(next[n], int(n))
		next[n]++
		if symbol < len(symbols) {
			t.set(code, int(n), root, symbols[symbol]|uint32(n))
		}
	}
	return nil
}

// reversed returns a code of n bits with its first bit lowest.
func reversed(code, n int) int { return int(bits.Reverse16(uint16(code)) >> (16 - n)) }

// link adds links and space for the codes longer than root. next has the first code of each
// length.
func (t *table) link(lengths []byte, next [17]int, root int) {
	var longest [1 << literalBits]byte // longest code by its first bits
	for _, n := range lengths {
		if n == 0 {
			continue
		}
		if int(n) > root {
			begin := reversed(next[n], int(n)) & (1<<root - 1)
			longest[begin] = max(longest[begin], n)
		}
		next[n]++
	}
	for begin, n := range longest[:1<<root] {
		if n > 0 {
			more := int(n) - root
			(*t)[begin] = isLink | uint32(more)<<8 | uint32(len(*t))<<16
			*t = append(*t, make([]uint32, 1<<more)...)
		}
	}
}

// set sets all entries of a code of n bits.
func (t *table) set(code, n, root int, entry uint32) {
	list := (*t)[:1<<root]
	if n > root {
		l := (*t)[code&(1<<root-1)]
		list = (*t)[l>>16:][:1<<(l>>8&15)]
		code, n = code>>root, n-root
	}
	for i := code; i < len(list); i += 1 << n {
		list[i] = entry
	}
}

// fixedCodes begins a block with the codes that the format defines.
func (z *inflater) fixedCodes() {
	var lengths [288 + 32]byte
	for i := range lengths {
		switch {
		case i < 144, 280 <= i && i < 288:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 5
		}
	}
	_ = z.literals.build(lengths[:288], literalSymbols, literalBits) // valid codes cannot fail
	_ = z.distances.build(lengths[288:], distanceSymbols, distanceBits)
	z.block = codedBlock
}

// lengthOrder is the order in which a block stores the lengths of the code-length codes.
var lengthOrder = [19]byte{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes begins a block with dynamic codes:
//
//	5 bits literals-257 | 5 bits distances-1 | 4 bits n-4 | n times 3 bits | lengths in that code
func (z *inflater) readCodes() error {
	head, err := z.bits(14)
	if err != nil {
		return err
	}
	literals, distances := head&31+257, head>>5&31+1
	if literals > 286 || distances > 30 {
		return errCodeLengths
	}
	var short [19]byte
	for _, symbol := range lengthOrder[:head>>10+4] {
		n, err := z.bits(3)
		if err != nil {
			return err
		}
		short[symbol] = byte(n)
	}
	if err := z.distances.build(short[:], lengthSymbols, lengthBits); err != nil {
		return err
	}
	var lengths [286 + 30]byte
	if err := z.readLengths(lengths[:literals+distances]); err != nil {
		return err
	}
	if lengths[256] == 0 { // the block would have no end
		return errCodeLengths
	}
	if err := z.literals.build(lengths[:literals], literalSymbols, literalBits); err != nil {
		return err
	}
	z.block = codedBlock
	return z.distances.build(lengths[literals:literals+distances], distanceSymbols, distanceBits)
}

// readLengths reads code lengths. Symbols 0 to 15 are lengths. Symbol 16 repeats the previous
// length 3 to 6 times. Symbols 17 and 18 are 3 to 10 and 11 to 138 zeros.
func (z *inflater) readLengths(lengths []byte) error {
	for i := 0; i < len(lengths); {
		if z.have < lengthBits {
			z.refill()
		}
		e := z.distances[z.acc&(1<<lengthBits-1)]
		n := uint(e & 15)
		if n > z.have {
			return io.ErrUnexpectedEOF
		}
		if n == 0 {
			return errCode
		}
		z.acc >>= n
		z.have -= n
		length := byte(e >> 16)
		if length < 16 {
			lengths[i] = length
			i++
			continue
		}
		repeat := [3]struct {
			bits  uint
			least int
		}{{2, 3}, {3, 3}, {7, 11}}[length-16]
		times, err := z.bits(repeat.bits)
		if err != nil {
			return err
		}
		if times += repeat.least; times > len(lengths)-i || length == 16 && i == 0 {
			return errCodeLengths
		}
		for range times {
			if length == 16 {
				lengths[i] = lengths[i-1]
			}
			i++
		}
	}
	return nil
}
