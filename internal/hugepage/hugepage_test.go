package hugepage

import (
	"testing"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, minBytes - 1, minBytes, minBytes + 1, 5*Size + 12345} {
		list := Make[byte](n)
		if len(list) != n || cap(list) != n {
			t.Errorf("%d bytes: length %d, capacity %d", n, len(list), cap(list))
		}
		for i, b := range list {
			if b != 0 {
				t.Fatalf("byte %d of %d is %d", i, n, b)
			}
		}
	}
	if list := Make[uint64](minBytes / 8); len(list) != minBytes/8 {
		t.Errorf("%d numbers, want %d", len(list), minBytes/8)
	}
}

func TestHugePages(t *testing.T) {
	memory := make([]byte, 3*Size)
	for _, test := range []struct {
		at         uintptr
		size       int
		head, want int
	}{
		{0, minBytes, 0, minBytes},
		{10 * Size, 3 * Size, 0, 3 * Size},
		{10*Size + 1, minBytes, Size - 1, Size},
		{10*Size - 1, minBytes, 1, Size},
		{10*Size - 1, minBytes + 7, 1, 2 * Size},
		{10*Size + 8192, 3*Size - 1, Size - 8192, 2 * Size},
		{10*Size - 8192, 3 * Size, 8192, 2 * Size},
	} {
		got := hugePages(memory[:test.size], test.at)
		if len(got) != test.want || test.want > 0 && &got[0] != &memory[test.head] {
			t.Errorf("%d bytes at %#x: %d of them", test.size, test.at, len(got))
		}
	}
}
