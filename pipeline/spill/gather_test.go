package spill

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A file is a spill file in memory.
type file struct{ data []byte }

var errDamaged = errors.New("damaged")

func (f *file) Differs() error { return errDamaged }

func (f *file) WriteAt(b []byte, off int64) (int, error) {
	f.data = slices.Grow(f.data, max(0, int(off)+len(b)-len(f.data)))[:max(len(f.data), int(off)+len(b))]
	return copy(f.data[off:], b), nil
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(b, off)
}

// inOrder is a set of one file, whose rows keep their order.
func inOrder(t *testing.T, size int64) *rows.Set {
	t.Helper()
	sequence, err := order.NewSequence([]order.File{{Name: "a", Size: size}})
	if err != nil {
		t.Fatal(err)
	}
	return &rows.Set{Input: rows.Input{Sequence: sequence}}
}

// TestGatheredRowsAreReadAgain gathers rows of all sizes, also larger than the memory. Each must
// be read once, in the partition of its key.
func TestGatheredRowsAreReadAgain(t *testing.T) {
	const size = 1 << 30
	e := entries{set: inOrder(t, size), mode: order.Source, header: 14}
	for _, buckets := range []int{1, 2, 7, 60} {
		r := rand.New(rand.NewPCG(uint64(buckets), 2))
		to := &file{}
		run := &runWriter{to: to}
		ranges := equalRanges(buckets, 0, size, byKey)
		g := newGatherer(e, ranges, run, 200_000)
		want := map[string]bool{}
		for i := range 3000 {
			row := rows.Row{Offset: r.Int64N(size), Split: uint8(r.IntN(3)),
				Data: []byte(strings.Repeat("x", r.IntN(300)))}
			if i%500 == 7 {
				row.Data = []byte(strings.Repeat("y", 100_000*(i/500+1)))
			}
			bad := byte(r.IntN(2))
			want[fmt.Sprintln(row.Offset, row.Split, bad, len(row.Data))] = true
			if err := g.put(uint64(row.Offset), &row, &rows.Pending{}, bad); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.flush(); err != nil {
			t.Fatal(err)
		}
		s := &runSet{[]storedRun{{Part{Segments: run.segments, Splits: []uint8{0, 1, 2}}, to}},
			g.totals}
		var rd reader
		for b := range buckets {
			p := &partition{of: s, from: b, to: b + 1}
			p.add(&g.totals[b])
			n := 0
			err := rd.each(&e, p, func(_ *storedRun, entry []byte) error {
				row, marks := e.row(entry), e.marks(entry)
				line := fmt.Sprintln(row.Offset, row.Split, marks[1], len(row.Data))
				if !want[line] || ranges.bucket(uint64(row.Offset), 0, row.Offset) != b {
					t.Errorf("bucket %d has %s", b, line)
				}
				delete(want, line)
				n++
				return nil
			})
			if err != nil || n != p.count() {
				t.Errorf("bucket %d of %d: %d rows of %d, %v", b, buckets, n, p.count(), err)
			}
		}
		if len(want) > 0 {
			t.Errorf("%d buckets: %d rows are lost", buckets, len(want))
		}
	}
}

// TestPartitionsFitTheMemory groups buckets into partitions.
func TestPartitionsFitTheMemory(t *testing.T) {
	s := &runSet{}
	for _, n := range []int64{10, 20, 30, 500, 0, 0, 90, 20} {
		s.buckets = append(s.buckets, Bucket{Bytes: n})
	}
	var got []string
	for _, p := range s.parts(0, len(s.buckets), 100) {
		got = append(got, fmt.Sprint(p.from, "-", p.to, ":", p.bytes))
	}
	if text := strings.Join(got, " "); text != "0-3:60 3-4:500 4-7:90 7-8:20" {
		t.Error(text)
	}
}

// TestRangesKeepTheOrder checks that later rows never get an earlier bucket.
func TestRangesKeepTheOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		lo, hi := r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64)
		lo, hi = min(lo, hi), max(lo, hi)
		n := 1 + r.IntN(300)
		ranges := equalRanges(n, lo, hi, byKey)
		if first, last := ranges.bucket(lo, 0, 0), ranges.bucket(hi, 0, 0); first != 0 || last >= n {
			t.Fatalf("%d buckets of %d-%d: %d and %d", n, lo, hi, first, last)
		}
		keys := []uint64{lo, hi}
		for range 50 {
			keys = append(keys, lo+r.Uint64()%max(1, hi-lo))
		}
		slices.Sort(keys)
		last := 0
		for _, key := range keys {
			b := ranges.bucket(key, 0, 0)
			if b < last {
				t.Fatalf("%d buckets of %d-%d: %d comes after %d", n, lo, hi, b, last)
			}
			last = b
		}
	}
}

// TestBuckets checks that a worker can gather a few thousand bytes per bucket.
func TestBuckets(t *testing.T) {
	for _, c := range []struct {
		text, limit, gathered int64
		want                  int
	}{
		{0, 32 << 20, 24 << 20, 1},
		{10 << 20, 32 << 20, 24 << 20, 2},
		{1 << 30, 32 << 20, 24 << 20, 193},
		{1 << 40, 32 << 20, 24 << 20, 1536},
		{1 << 40, 1 << 30, 1 << 30, 4096},
	} {
		if got := Buckets(c.text, c.limit, c.gathered); got != c.want {
			t.Errorf("%d bytes, %d at once, %d gathered: %d buckets, want %d", c.text, c.limit, c.gathered, got, c.want)
		}
	}
}
