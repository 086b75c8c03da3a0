package jpeg

import "errors"

// lookupBits is the number of bits that index the lookup table of a decodeTable.
const lookupBits = 11

// atEnd is the run of the symbol that ends a block. It leads outside of every block.
const atEnd = 128

// A decodeTable decodes a symbol and, if both fit in lookupBits, the value after it. An entry of
// lookup is
//
//	bits 0–7    number of bits of the code and the value; 0: see below
//	bits 8–15   number of coefficients to skip before the value; atEnd: the block ends
//	bits 16–31  the value
//
// or, if only the code fits,
//
//	bits 8–15   the symbol
//	bits 16–31  number of bits of the code; 0: the code does not fit either
//
// All entries of a table for forRefine have the second form.
type decodeTable struct {
	lookup  [1 << lookupBits]uint32
	last    [17]int32 // last code of each length, or -1
	offset  [17]int32 // added to a code it is the index of the symbol
	book    codebook
	purpose purpose
	isReady bool // the other fields match book and purpose
}

// A purpose is the meaning of the symbols of a decodeTable.
type purpose uint8

const (
	forDC     purpose = iota // size of a value
	forAC                    // run and size
	forFirst                 // run and size in a first progressive scan, which counts ends of blocks
	forRefine                // run and one bit, in a refinement scan
)

var (
	errBadCounts = errors.New("more Huffman codes than there is room for")
	errBadSymbol = errors.New("a Huffman table for DC with a symbol above 15")
)

// use sets t to the table of a codebook. It is cheap if the codebook did not change, since most
// files have the tables of the previous file.
func (t *decodeTable) use(book *codebook, p purpose) error {
	if t.isReady && t.purpose == p && t.book == *book {
		return nil
	}
	t.book, t.purpose, t.isReady = *book, p, false
	clear(t.lookup[:])
	code, k := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		count := int32(book.counts[length-1])
		t.last[length], t.offset[length] = -1, k-code
		if count > 0 {
			// The code of only ones is not allowed.
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
			if length <= lookupBits {
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
	free := lookupBits - length
	entries := t.lookup[code<<free:][:1<<free]
	run, size := uint32(symbol>>4), int(symbol&15)
	isEnd := size == 0 && run != 15
	if isEnd && t.purpose == forAC {
		run = atEnd
	}
	codeOnly := size > free || t.purpose == forRefine || isEnd && t.purpose == forFirst
	for rest := range entries {
		switch {
		case codeOnly:
			entries[rest] = uint32(symbol)<<8 | uint32(length)<<16
		case size == 0:
			entries[rest] = uint32(length) | run<<8
		default:
			value := extend(uint32(rest)>>(free-size), size)
			entries[rest] = uint32(length+size) | run<<8 | uint32(value)<<16
		}
	}
}

// extend returns the value of v, which has size bits. A value whose first bit is 0 is negative.
func extend(v uint32, size int) int32 {
	if size > 0 && v < 1<<(size-1) {
		return int32(v) - 1<<size + 1
	}
	return int32(v)
}

// symbol decodes the symbol at the start of bits, and returns the length of its code. An
// undefined code is symbol 0 with 17 bits.
func (t *decodeTable) symbol(bits uint64) (symbol uint8, length int) {
	for length = 1; length <= 16; length++ {
		code := int32(bits >> (64 - length))
		if code <= t.last[length] {
			return t.book.symbols[(code+t.offset[length])&0xff], length
		}
	}
	return 0, 17
}
