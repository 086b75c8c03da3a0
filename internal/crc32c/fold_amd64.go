package crc32c

// A foldTable has the factors and masks for folding. There is one factor for each half of 16 bytes,
// because the first half is moved by 64 bits more. The assembly uses the offsets of the fields.
type foldTable struct {
	on512, on1024, on1536, on2048 [2]uint64 // factors to move by this many bits
	on256, on768                  [2]uint64
	last                          [8]uint64 // factors to move a register's four parts to its last, by 384, 256, 128 bits; then 0

	// For z zeros before the data, folding uses eight words of each field, from index 8-z on.
	from    [16]uint32 // mask of the words after the zeros
	at      [16]uint32 // mask of the first of these words
	numbers [16]uint32 // numbers of these words
}

var folds = makeFolds()

func makeFolds() foldTable {
	t := foldTable{
		on256: shiftFactors(256), on512: shiftFactors(512), on768: shiftFactors(768),
		on1024: shiftFactors(1024), on1536: shiftFactors(1536), on2048: shiftFactors(2048),
	}
	for i, bits := range []int{384, 256, 128} {
		by := shiftFactors(bits)
		copy(t.last[2*i:], by[:])
	}
	for i := range 8 {
		t.from[8+i], t.numbers[8+i] = 0xffffffff, uint32(i)
	}
	t.at[8] = 0xffffffff
	return t
}

// shiftFactors returns the factors for both halves of 16 bytes to move them by this many bits.
func shiftFactors(bits int) [2]uint64 { return [2]uint64{shifts[bits/64+1], shifts[bits/64]} }

// fold512 updates crc with b. The CRCs are not inverted. b has at least shortestFold bytes.
//
//go:noescape
func fold512(crc uint32, b []byte, t *foldTable) uint32

// fold256 is fold512 for processors without AVX-512.
//
//go:noescape
func fold256(crc uint32, b []byte, t *foldTable) uint32
