package jpeg

import "errors"

// lookBits is the number of bits that one look into a decodeTable takes.
const lookBits = 11

// atEnd is the run of the symbol that ends a block: it leads beyond every block.
const atEnd = 128

// A decodeTable decodes symbols and, where both fit into one look, the value
// behind a symbol with it. An entry of look is
//
//	bits 0–7    the bits to take, code and value; 0: see short and long
//	bits 8–15   how many coefficients to leave out before the value; atEnd: the block ends
//	bits 16–31  the value
//
// or, where only the code fits,
//
//	bits 8–15   the symbol
//	bits 16–31  the bits of the code; 0: not even the code fits
//
// which is all that there is for a purpose of forRefine.
type decodeTable struct {
	look    [1 << lookBits]uint32
	last    [17]int32 // the last code of each length, -1 for none
	offset  [17]int32 // what to add to a code for its place among the symbols
	book    codebook
	purpose purpose
	isReady bool // all else is that of book and purpose
}

// A purpose is what the symbols of a decodeTable say.
type purpose uint8

const (
	forDC     purpose = iota // the size of a value
	forAC                    // a run and a size
	forFirst                 // the same in a progressive scan, where ends of blocks are counted
	forRefine                // a run and one bit, in a scan that refines
)

var (
	errBadCounts = errors.New("more Huffman codes than there is room for")
	errBadSymbol = errors.New("a Huffman table for DC with a symbol above 15")
)

// use makes t the table of a codebook. Most files have the tables of the file
// before, which costs little.
func (t *decodeTable) use(book *codebook, p purpose) error {
	if t.isReady && t.purpose == p && t.book == *book {
		return nil
	}
	t.book, t.purpose, t.isReady = *book, p, false
	clear(t.look[:])
	code, k := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		count := int32(book.counts[length-1])
		t.last[length], t.offset[length] = -1, k-code
		if count > 0 {
			// No code is of ones only.
			if code+count >= 1<<length {
				return errBadCounts
			}
			t.last[length] = code + count - 1
		}
		for ; count > 0; count-- {
			symbol := book.symbols[k&0xff]
			if p == forDC && symbol > 15 {
				return errBadSymbol
			}
			if length <= lookBits {
				t.fill(code, length, symbol)
			}
			code++
			k++
		}
		code <<= 1
	}
	t.isReady = true
	return nil
}

// fill sets all entries that begin with a code.
func (t *decodeTable) fill(code int32, length int, symbol uint8) {
	free := lookBits - length
	entries := t.look[code<<free:][:1<<free]
	run, size := uint32(symbol>>4), int(symbol&15)
	isEnd := size == 0 && run != 15
	if isEnd && t.purpose == forAC {
		run = atEnd
	}
	bare := size > free || t.purpose == forRefine || isEnd && t.purpose == forFirst
	for rest := range entries {
		switch {
		case bare:
			entries[rest] = uint32(symbol)<<8 | uint32(length)<<16
		case size == 0:
			entries[rest] = uint32(length) | run<<8
		default:
			value := extend(uint32(rest)>>(free-size), size)
			entries[rest] = uint32(length+size) | run<<8 | uint32(value)<<16
		}
	}
}

// extend gives the value that the size bits v stand for: those that begin with 0
// are the negative ones.
func extend(v uint32, size int) int32 {
	if size > 0 && v < 1<<(size-1) {
		return int32(v) - 1<<size + 1
	}
	return int32(v)
}

// symbol decodes the symbol at the start of bits, and returns its length. Bits that
// are no code are 17 bits and symbol 0.
func (t *decodeTable) symbol(bits uint64) (symbol uint8, length int) {
	for length = 1; length <= 16; length++ {
		code := int32(bits >> (64 - length))
		if code <= t.last[length] {
			return t.book.symbols[(code+t.offset[length])&0xff], length
		}
	}
	return 0, 17
}
