package prefetch

import "testing"

// TestLines prefetches memory of all kinds, which must not fail or change anything.
func TestLines(t *testing.T) {
	b := []byte("some bytes")
	for n := -1; n < 100; n++ {
		Lines(nil, n)
		Lines(b[:0], n)
		Lines(b, n)
	}
	if string(b) != "some bytes" {
		t.Errorf("%q", b)
	}
	if n := testing.AllocsPerRun(10, func() { Lines(b, 3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkLines reads a byte of rows at random positions, with and without prefetching.
func BenchmarkLines(b *testing.B) {
	data := make([]byte, 256<<20)
	for i := range data {
		data[i] = byte(i)
	}
	at := func(i int) int { return int(uint32(i)*2654435761) % (len(data) - 256) }
	for _, ahead := range []int{0, 16} {
		name := map[int]string{0: "without", 16: "ahead"}[ahead]
		b.Run(name, func(b *testing.B) {
			sum := byte(0)
			for i := range b.N {
				if ahead > 0 {
					Lines(data[at(i+ahead):], 2)
				}
				for k := range 128 {
					sum += data[at(i)+k]
				}
			}
			_ = sum
		})
	}
}
