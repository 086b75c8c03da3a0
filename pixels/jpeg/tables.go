package jpeg

import "slices"

// order is the zigzag order. It has the index in a block, in row order, of each coefficient in
// file order, from the lowest frequency to the highest. Damaged data may exceed the end; those
// coefficients have the last index.
var order = [64 + 16]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
	63, 63, 63, 63, 63, 63, 63, 63,
	63, 63, 63, 63, 63, 63, 63, 63,
}

// A codebook is a Huffman table as stored in a file. It has the number of codes of 1 to 16 bits,
// and the symbols in the order of their codes.
type codebook struct {
	counts  [16]uint8
	symbols [256]uint8
}

// size returns the number of symbols.
func (c *codebook) size() (n int) {
	for _, count := range c.counts {
		n += int(count)
	}
	return n
}

// The example codebooks of the standard (ITU-T T.81, K.3), for luma and chroma. Most encoders use
// them, and frames of Motion JPEG omit them.
var (
	standardDC = [2]codebook{
		{
			counts:  [16]uint8{1: 1, 5, 1, 1, 1, 1, 1, 1},
			symbols: [256]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		},
		{
			counts:  [16]uint8{1: 3, 1, 1, 1, 1, 1, 1, 1, 1, 1},
			symbols: [256]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		},
	}
	standardAC = [2]codebook{
		acBook([16]uint8{0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
			0x01, 0x02,
			0x03,
			0x00, 0x04, 0x11,
			0x05, 0x12, 0x21,
			0x31, 0x41,
			0x06, 0x13, 0x51, 0x61,
			0x07, 0x22, 0x71,
			0x14, 0x32, 0x81, 0x91, 0xa1,
			0x08, 0x23, 0x42, 0xb1, 0xc1,
			0x15, 0x52, 0xd1, 0xf0,
			0x24, 0x33, 0x62, 0x72,
			0x82),
		acBook([16]uint8{0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
			0x00, 0x01,
			0x02,
			0x03, 0x11,
			0x04, 0x05, 0x21, 0x31,
			0x06, 0x12, 0x41, 0x51,
			0x07, 0x61, 0x71,
			0x13, 0x22, 0x32, 0x81,
			0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1,
			0x09, 0x23, 0x33, 0x52, 0xf0,
			0x15, 0x62, 0x72, 0xd1,
			0x0a, 0x16, 0x24, 0x34,
			0xe1,
			0x25, 0xf1),
	}
)

// acBook returns a codebook of AC coefficients with values of at most 10 bits. After the first symbols, it has the
// others in ascending order.
func acBook(counts [16]uint8, first ...uint8) codebook {
	book := codebook{counts: counts}
	n := copy(book.symbols[:], first)
	for symbol := range 256 {
		if size := symbol & 15; 0 < size && size <= 10 && !slices.Contains(first, uint8(symbol)) {
			book.symbols[n] = uint8(symbol)
			n++
		}
	}
	return book
}

// standardQuantizers are the example quantization tables of the standard (ITU-T T.81, K.1), for
// luma and chroma, in row order. They are the tables of quality 50.
var standardQuantizers = [2][64]uint8{
	{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	},
	{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	},
}
