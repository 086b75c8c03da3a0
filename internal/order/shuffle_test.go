package order

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var someSeeds = []uint64{0, 1, 2, 12345, 1 << 63, 1<<64 - 1}

func TestKeysAndSplitPointsAreFrozen(t *testing.T) {
	for _, v := range []struct{ seed, address, key, point uint64 }{
		{0, 0x0, 0x6393d51c06c618dc, 0xf24c4ff5f1592379},
		{0, 0x1, 0x8d82751399f55d54, 0x4da08932faa3b303},
		{1, 0x0, 0x3a3c7f8ad167625a, 0xf24c4ff5f1592379},
		{12345, 0xdeadbeef, 0x7cb1c95c0a288818, 0x98275d6504637ed9},
		{1<<64 - 1, 0xffffffffffffffff, 0x67278deb051c0808, 0x1216c4b253e691c9},
	} {
		if k, p := NewShuffle(v.seed).Key(v.address), SplitPoint(v.address); k != v.key || p != v.point {
			t.Errorf("{%d, %#x, %#x, %#x},", v.seed, v.address, k, p)
		}
	}
}

// The hashes come from xxhash's own library.
func TestStringHashesAreFrozen(t *testing.T) {
	for _, v := range []struct {
		text      string
		hash, key uint64 // the key of seed 0
	}{
		{"", 0x2d06800538d394c2, 0xe1ec21ab7b2b3a8c},
		{"a", 0xe6c632b61e964e1f, 0xd2243d84eda6a371},
		{"user-1", 0x7c7615c11438e5c9, 0xf8ff5fc72175b30d},
		{"Zürich", 0xba44fcc12cca74e, 0x7493166a65edd34c},
		{strings.Repeat("x", 16), 0xdf76ff0d7f0d9edf, 0x4c332721755c8faa},
		{strings.Repeat("x", 17), 0x89975e6b7d2f5a11, 0xd5fd23e68d56c421},
		{strings.Repeat("x", 240), 0x3e16ca8a0c6ccb68, 0x97d8d50db73d255e},
		{strings.Repeat("x", 241), 0x14da9e5c301a6a1d, 0xe3619c6888d1c0e6},
		{strings.Repeat("x", 1025), 0x9cd2e05a61b8a761, 0xf6ae57d55bec4cd1},
	} {
		if h := HashText([]byte(v.text)); h != v.hash || NewShuffle(0).Key(h) != v.key {
			t.Errorf("{%.20q…, %#x, %#x},", v.text, h, NewShuffle(0).Key(h))
		}
	}
}

func TestKeyIsABijection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, seed := range someSeeds {
		s := NewShuffle(seed)
		for range 10_000 {
			a := rng.Uint64()
			if got := s.Address(s.Key(a)); got != a {
				t.Fatalf("seed %d: %#x comes back as %#x", seed, a, got)
			}
			if got := s.Key(s.Address(a)); got != a {
				t.Fatalf("seed %d: key %#x comes back as %#x", seed, a, got)
			}
		}
	}
}

func TestSeedsGiveDifferentOrders(t *testing.T) {
	const rows = 100
	orders := map[string]uint64{}
	for _, seed := range someSeeds {
		s := NewShuffle(seed)
		order := make([]byte, rows)
		for i := range order {
			order[i] = byte(i)
		}
		slices.SortFunc(order, func(a, b byte) int {
			if s.Key(uint64(a)) < s.Key(uint64(b)) {
				return -1
			}
			return 1
		})
		if slices.IsSorted(order) {
			t.Errorf("seed %d leaves the rows as they are", seed)
		}
		if other, found := orders[string(order)]; found {
			t.Errorf("seeds %d and %d give one order", seed, other)
		}
		orders[string(order)] = seed
	}
}

func TestKeysOfARowAreNotAllocated(t *testing.T) {
	s, text, sum := NewShuffle(1), []byte("user-1"), uint64(0)
	if n := testing.AllocsPerRun(100, func() { sum += s.Key(HashText(text)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
