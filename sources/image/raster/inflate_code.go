package raster

import (
	"io"
	"math/bits"
)

// How many bits of a code the first part of a table sees.
const (
	literalBits  = 9
	distanceBits = 8
	lengthBits   = 7
)

// A table has what a code of so many bits, first bit lowest, stands for:
//
//	bits 0–3 length of the code | 4 literal | 5 end of the block | 6 link
//	bits 8–11 bits that follow | 16–31 a literal, or what is added to these bits
//
// A longer code begins with one that is a link: bits 8–11 are how many bits of it
// choose among entries that begin at 16–31. 0 is no code.
type table []uint32

const (
	isLiteral = 1 << 4
	isEnd     = 1 << 5
	isLink    = 1 << 6
)

// What symbols stand for, without the length of their codes.
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

// makeLiterals has 256 bytes, the end, and the lengths of matches: 3 to 10, then
// each four with one more bit to follow, up to 257; and 258.
func makeLiterals() []uint32 {
	list := append(makeBytes(256), isEnd)
	for i, next := 0, uint32(3); i < 28; i++ {
		extra := max(0, i/4-1)
		list = append(list, next<<16|uint32(extra)<<8)
		next += 1 << extra
	}
	return append(list, 258<<16)
}

// makeDistances has the distances: 1 to 4, then each two with one more bit.
func makeDistances() []uint32 {
	var list []uint32
	for i, next := 0, uint32(1); i < 30; i++ {
		extra := max(0, i/2-1)
		list = append(list, next<<16|uint32(extra)<<8)
		next += 1 << extra
	}
	return list
}

// build makes the table of the canonical code with these lengths, of which the
// first part sees root bits. Symbols beyond those that there are have no meaning.
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
	if left > 0 && longest > 1 { // one code alone has a bit nevertheless
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

// reversed is a code of n bits with its first bit lowest.
func reversed(code, n int) int { return int(bits.Reverse16(uint16(code)) >> (16 - n)) }

// link makes room for the codes longer than root, given the first code of each
// length.
func (t *table) link(lengths []byte, next [17]int, root int) {
	var longest [1 << literalBits]byte // of the codes that begin so
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
	_ = z.literals.build(lengths[:288], literalSymbols, literalBits) // they are a code
	_ = z.distances.build(lengths[288:], distanceSymbols, distanceBits)
	z.block = codedBlock
}

// lengthOrder is the order in which the lengths of the codes for lengths come.
var lengthOrder = [19]byte{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes begins a block with codes of its own:
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

// readLengths reads lengths of codes: 0 to 15 are themselves, 16 repeats the one
// before 3 to 6 times, 17 and 18 are zeros, 3 to 10 and 11 to 138.
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
