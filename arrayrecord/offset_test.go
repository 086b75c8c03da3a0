package arrayrecord

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestFileHeader(t *testing.T) {
	want := "83af70d10d884a3f 0000000000000000 4000000000000000" +
		"91bac23c9287e1a9 0000000000000000 e19f13c0e9b1c372 7300000000000000 0000000000000000"
	if got := hex.EncodeToString(appendHead(nil)); got != strings.ReplaceAll(want, " ", "") {
		t.Errorf("a file begins with %s, want %s", got, want)
	}
}

// naiveEnd goes byte by byte, following the description of the format.
func naiveEnd(pos, n int64) int64 {
	for ; n > 0; n-- {
		if pos%blockSize == 0 {
			pos += blockHeaderSize
		}
		pos++
	}
	return pos
}

func TestAddWithOverhead(t *testing.T) {
	for _, pos := range []int64{0, 64, 1000, blockSize - 1, blockSize, blockSize + blockHeaderSize + 1,
		3*blockSize - 40} {
		for _, n := range []int64{0, 1, 40, usable - 1, usable, usable + 1, blockSize, 2 * usable, 200_000} {
			if got, want := addWithOverhead(pos, n), naiveEnd(pos, n); got != want {
				t.Errorf("addWithOverhead(%d, %d) = %d, want %d", pos, n, got, want)
			}
		}
	}
}

func TestRoundUp(t *testing.T) {
	for pos, want := range map[int64]int64{
		0: 0, 64: 64, blockSize: blockSize, blockSize + 1: blockSize + 25, blockSize + 24: blockSize + 25,
		blockSize + 25: blockSize + 25, 2*blockSize - 1: 2*blockSize - 1,
	} {
		if got := roundUp(pos); got != want {
			t.Errorf("roundUp(%d) = %d, want %d", pos, got, want)
		}
	}
}

func TestHash(t *testing.T) {
	if got := hash(nil); got != 0x72c3b1e9c0139fe1 {
		t.Errorf("the hash of nothing is %016x", got)
	}
}

func TestChunkEnd(t *testing.T) {
	if got := chunkEnd(64, chunkHeaderSize+4, 1); got != 108 {
		t.Errorf("a chunk ends at %d, want 108", got)
	}
	if got := chunkEnd(64, chunkHeaderSize+4, 1000); got != 1064 {
		t.Errorf("a chunk of many records ends at %d, want 1064", got)
	}
}
