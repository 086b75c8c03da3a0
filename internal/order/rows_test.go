package order

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestCompleteFilesAreRows(t *testing.T) {
	const n = 5000
	files := make([]File, n)
	all, odd := Chunk{Files: true}, Chunk{Files: true, File: 1000}
	marks := []uint8{}
	for i := range files {
		files[i] = File{"", fmt.Sprintf("%05d.jpg", i), 1}
		all.Starts = append(all.Starts, uint32(i))
		if i >= 1000 {
			odd.Starts, marks = append(odd.Starts, uint32(i-1000)), append(marks, []uint8{NoSplit, 0}[i%2])
		}
	}
	if err := odd.Mark(marks); err != nil {
		t.Fatal(err)
	}
	space, err := NewSpace(files)
	if err != nil {
		t.Fatal(err)
	}
	sequence, err := NewSequence(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []Mode{Shuffled, Source} {
		r := &Rows{Mode: mode, Shuffle: NewShuffle(1), Space: space, Sequence: sequence, Splits: 1}
		for _, v := range []struct {
			chunk            Chunk
			first, step, len int
		}{{all, 0, 1, n}, {odd, 1001, 2, 2000}} {
			r.Chunks = []Chunk{v.chunk}
			x, err := r.Index(context.Background(), 2)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []int
			for _, p := range x[0].Positions(nil, 0, x[0].Len()) {
				got = append(got, p.File)
			}
			for i := v.first; len(want) < v.len; i += v.step {
				want = append(want, i)
			}
			if mode == Shuffled {
				slices.SortFunc(want, func(i, j int) int {
					return Entry{r.Shuffle.Key(space.Address(i, 0)),
						0}.compare(Entry{r.Shuffle.Key(space.Address(j, 0)), 0})
				})
			}
			if !slices.Equal(got, want) {
				t.Errorf("mode %d: files %v…, want %v…", mode, got[:5], want[:5])
			}
		}
	}
}

func TestIndexRefuses(t *testing.T) {
	r := &Rows{Splits: 256}
	if _, err := r.Index(context.Background(), 2); err == nil || err.Error() != "256 splits are more than 255" {
		t.Errorf("got %v", err)
	}
}

func TestMarkRefuses(t *testing.T) {
	c := Chunk{Starts: []uint32{0, MaxMarked}}
	if err := c.Mark([]uint8{0}); err == nil {
		t.Error("one split for two rows is accepted")
	}
	if err := c.Mark([]uint8{0, 0}); err == nil || c.marked {
		t.Error("a row far away is accepted")
	}
	c.Starts[1] = MaxMarked - 1
	if err := c.Mark([]uint8{NoSplit, 7}); err != nil || c.Start(0) != 0 || c.Start(1) != MaxMarked-1 {
		t.Errorf("%v; rows are at %d and %d", err, c.Start(0), c.Start(1))
	}
	if err := c.Mark([]uint8{0, 0}); err == nil {
		t.Error("a second mark is accepted")
	}
}

func TestIndexEndsWithItsContext(t *testing.T) {
	f := newField(t, rand.New(rand.NewPCG(17, 18)), 10_000)
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancelCause(context.Background())
		r := f.rows(Keyed, f.chunks(t, 1000, func(*Chunk, []uint8) {}), splitZero)
		var calls atomic.Int64
		r.Keys = func(_, _, _ int, _ []uint64, _ []uint8) error {
			if calls.Add(1) >= 5 { // a late call ends it, too: the fifth may wait for a processor
				cancel(errors.New("enough"))
			}
			return nil
		}
		if _, err := r.Index(ctx, workers); err == nil || err.Error() != "enough" {
			t.Errorf("got %v", err)
		}
		if n := calls.Load(); n > int64(5+workers) {
			t.Errorf("%d workers took %d batches after the end", workers, n-5)
		}
	}
}

func TestIndexReturnsTheErrorOfKeys(t *testing.T) {
	f := newField(t, rand.New(rand.NewPCG(19, 20)), 10_000)
	bad := errors.New("bad")
	for _, workers := range []int{1, 2, 8} {
		r := f.rows(Keyed, f.chunks(t, 1000, func(*Chunk, []uint8) {}), splitZero)
		var done atomic.Bool
		var after atomic.Int64
		r.Keys = func(_, chunk, _ int, _ []uint64, _ []uint8) error {
			if done.Load() {
				after.Add(1)
				time.Sleep(time.Millisecond)
			}
			if chunk == 300 {
				done.Store(true)
				return bad
			}
			return nil
		}
		if _, err := r.Index(context.Background(), workers); !errors.Is(err, bad) {
			t.Errorf("got %v", err)
		}
		if n := after.Load(); n > int64(2*workers) {
			t.Errorf("%d workers asked for the keys of %d batches after the error", workers, n)
		}
	}
}

// Beside the keys an index takes only what a worker needs.
func TestIndexAllocatesLittleButTheKeys(t *testing.T) {
	const rows = 200_000
	r := table(t, rows)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := r.Index(context.Background(), 2); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	bytes, times := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	if bytes > 8*rows+512<<10 || times > 200 {
		t.Errorf("%d bytes next to the keys, in %d allocations", bytes-8*rows, times)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("\x01\x00\x02\x09\xff\x03"), uint16(100), uint8(2))
	f.Add([]byte{}, uint16(1), uint8(0))
	f.Fuzz(func(t *testing.T, gaps []byte, size uint16, workers uint8) {
		fd := newField(t, rand.New(rand.NewPCG(0, 0)), 0)
		at := int64(0)
		for _, g := range gaps {
			fd.starts[0], fd.splits[0] = append(fd.starts[0], at), append(fd.splits[0], []uint8{0, 1, 2, NoSplit}[g%4])
			at += 1 + int64(g)
		}
		for _, mode := range []Mode{Shuffled, Source, Keyed} {
			bySplits := func(_, i int, _ uint64) uint8 { return fd.splits[0][i] }
			r := fd.rows(mode, fd.chunks(t, 1+int64(size), func(c *Chunk, splits []uint8) {
				if err := c.Mark(splits); err != nil {
					t.Fatal(err)
				}
			}), bySplits)
			got, err := r.Index(context.Background(), int(workers%9))
			if err != nil {
				t.Fatal(err)
			}
			fd.check(t, fmt.Sprint("mode ", mode), got, fd.want(r, bySplits))
		}
	})
}
