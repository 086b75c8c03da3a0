package order

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// table is one file of rows of about 88 bytes, found in chunks of 1 MiB.
func table(tb testing.TB, rows int) *Rows {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	var chunks []Chunk
	at := int64(0)
	for range rows {
		if piece := at &^ (1<<20 - 1); len(chunks) == 0 || chunks[len(chunks)-1].Offset != piece {
			chunks = append(chunks, Chunk{Offset: piece})
		}
		c := &chunks[len(chunks)-1]
		c.Starts = append(c.Starts, uint32(at-c.Offset))
		at += 60 + rng.Int64N(56)
	}
	files := []File{{Name: "trips.csv", Size: at}}
	space, err := NewSpace(files)
	if err != nil {
		tb.Fatal(err)
	}
	sequence, err := NewSequence(files)
	if err != nil {
		tb.Fatal(err)
	}
	return &Rows{Shuffle: NewShuffle(12345), Space: space, Sequence: sequence, Splits: 1, Chunks: chunks}
}

func BenchmarkIndex(b *testing.B) {
	for _, rows := range []int{1_000_000, 10_000_000} {
		r := table(b, rows)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=%d/workers=%d", rows, workers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := r.Index(context.Background(), workers); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			})
		}
	}
}

func BenchmarkIndexByFractions(b *testing.B) {
	r := table(b, 1_000_000)
	cuts, err := NewCuts([]Share{{0, 80_000_000}, {1, 10_000_000}, {2, 10_000_000}})
	if err != nil {
		b.Fatal(err)
	}
	for i := range r.Chunks {
		r.Chunks[i].Cuts = cuts
	}
	r.Splits = 3
	for b.Loop() {
		if _, err := r.Index(context.Background(), 2); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIndexInSourceOrder(b *testing.B) {
	r := table(b, 1_000_000)
	r.Mode = Source
	for b.Loop() {
		if _, err := r.Index(context.Background(), 2); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIndexByKeys(b *testing.B) {
	const rows = 1_000_000
	r := table(b, rows)
	r.Mode = Keyed
	for _, distinct := range []uint64{1, 100, rows} {
		r.Keys = func(_, chunk, from int, keys []uint64, splits []uint8) error {
			clear(splits)
			for i := range keys {
				keys[i] = r.Shuffle.Key((uint64(chunk)<<32 | uint64(from+i)) % distinct)
			}
			return nil
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("distinct=%d/workers=%d", distinct, workers), func(b *testing.B) {
				for b.Loop() {
					if _, err := r.Index(context.Background(), workers); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			})
		}
	}
}

func BenchmarkPlaces(b *testing.B) {
	x, err := table(b, 1_000_000).Index(context.Background(), 2)
	if err != nil {
		b.Fatal(err)
	}
	var places []Position
	for b.Loop() {
		for _, block := range Blocks(Range{0, x[0].Len()}) {
			places = x[0].Positions(places[:0], block.From, block.To)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(x[0].Len()), "ns/row")
}

func BenchmarkLocate(b *testing.B) {
	for _, n := range []int{1, 1000, 60_000, 1_000_000} {
		files := make([]File, n)
		for i := range files {
			files[i] = File{Name: fmt.Sprintf("n%07d.jpg", i), Size: 1}
		}
		s, err := NewSpace(files)
		if err != nil {
			b.Fatal(err)
		}
		addresses := make([]uint64, 1<<16)
		for i := range addresses {
			addresses[i] = s.Address(rand.IntN(n), 0)
		}
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			i, sum := 0, 0
			for b.Loop() {
				file, _ := s.Locate(addresses[i%len(addresses)])
				sum += file
				i++
			}
			_ = sum
		})
	}
}

func BenchmarkNewSpace(b *testing.B) {
	files := make([]File, 60_000)
	for i := range files {
		files[i] = File{Name: fmt.Sprintf("n%04d/%07d.jpg", i%1000, i), Size: 1}
	}
	for b.Loop() {
		if _, err := NewSpace(files); err != nil {
			b.Fatal(err)
		}
	}
}
