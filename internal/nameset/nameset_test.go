package nameset

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLikeAMap compares random sets with a map.
func TestLikeAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range testenv.Times(2, 16, 500) {
		var s Set
		numbers, names := map[string]int{}, []string(nil)
		for range rng.IntN(3000) {
			name := strings.Repeat(fmt.Sprint(rng.IntN(1000)), 1+rng.IntN(3)*rng.IntN(200)*rng.IntN(200))
			n, known := numbers[name]
			if !known {
				n = len(names)
				numbers[name], names = n, append(names, name)
			}
			if got, added := s.Add([]byte(name)); got != n || added == known {
				t.Fatalf("%.20q: number %d, added %t; expected %d, %t", name, got, added, n, !known)
			}
		}
		of, _, second := Of(names)
		if !slices.Equal(s.Names(), names) || s.Len() != len(names) || second >= 0 {
			t.Fatalf("%d names, expected %d; %d is there twice", s.Len(), len(names), second)
		}
		for name, n := range numbers {
			for _, set := range []*Set{&s, of} {
				if got, ok := set.Find([]byte(name)); got != n || !ok {
					t.Fatalf("%.20q: %d, %t; expected %d", name, got, ok, n)
				}
				if _, ok := set.Find([]byte(name + "x")); ok {
					t.Fatalf("%.20qx was found", name)
				}
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	var s Set
	if _, ok := s.Find(nil); ok || s.Len() != 0 {
		t.Error("an empty set has names")
	}
	if n, added := s.Add(nil); n != 0 || !added {
		t.Error("a name may be empty")
	}
	if n, ok := s.Find([]byte{}); n != 0 || !ok {
		t.Error("the empty name was not found")
	}
}

func TestDuplicates(t *testing.T) {
	s, first, second := Of([]string{"a", "b", "c", "b", "a"})
	if first != 1 || second != 3 {
		t.Errorf("%d and %d, expected 1 and 3", first, second)
	}
	if n, ok := s.Find([]byte("a")); n != 0 || !ok {
		t.Errorf("a: %d, %t", n, ok)
	}
}

// TestMemory checks the memory of a million names: their bytes, 16 bytes each in the list and up to 4 for its
// growth, and up to 60 in the map.
func TestMemory(t *testing.T) {
	const most = 16 + 16 + 4 + 60
	many := testenv.Times(200_000, 1_000_000, 1_000_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s Set
	for i := range many {
		s.Add(fmt.Appendf(nil, "class-%010d", i))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n := after.HeapAlloc - before.HeapAlloc; n > uint64(most*many) {
		t.Errorf("%d bytes for each name, expected at most %d", n/uint64(many), most)
	}
	runtime.KeepAlive(&s)
}
