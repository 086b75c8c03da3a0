package crc32c

// A foldTable is what the functions of folding multiply by, for both halves of 16
// bytes each: the first has 64 bits more to go. Assembly knows where each stands.
type foldTable struct {
	on512, on1024, on1536, on2048 [2]uint64 // moves on by so many bits
	on256, on768                  [2]uint64
	last                          [8]uint64 // moves the four of a register to its last, by 384, 256, 128 bits; nothing for that

	// Eight words of each, from 8-z on, are for z zeros before the text.
	from    [16]uint32 // all bits of the words after the zeros
	at      [16]uint32 // of the first of them
	numbers [16]uint32 // their numbers
}

var folds = makeFolds()

func makeFolds() foldTable {
	t := foldTable{
		on256: onBy(256), on512: onBy(512), on768: onBy(768),
		on1024: onBy(1024), on1536: onBy(1536), on2048: onBy(2048),
	}
	for i, bits := range []int{384, 256, 128} {
		by := onBy(bits)
		copy(t.last[2*i:], by[:])
	}
	for i := range 8 {
		t.from[8+i], t.numbers[8+i] = 0xffffffff, uint32(i)
	}
	t.at[8] = 0xffffffff
	return t
}

// onBy is what both halves of 16 bytes are multiplied by to move on.
func onBy(bits int) [2]uint64 { return [2]uint64{shifts[bits/64+1], shifts[bits/64]} }

// fold512 is the CRC of b after a text, neither inverted. b has at least
// shortestFold bytes.
//
//go:noescape
func fold512(crc uint32, b []byte, t *foldTable) uint32

// fold256 is the same for processors without AVX-512.
//
//go:noescape
func fold256(crc uint32, b []byte, t *foldTable) uint32
