package order

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/testenv"
)

// keyedRows returns rows of one file with random keys and splits: so many keys, and so many
// splits or none. It also returns their order by a simple sort.
func keyedRows(t *testing.T, rng *rand.Rand, n int, distinct uint64, splits int) (*Rows, [][]Entry) {
	t.Helper()
	r := table(t, n)
	r.Mode, r.Splits = Keyed, 1
	want := make([][]Entry, r.Splits)
	keys, own := map[uint64]uint64{}, map[uint64]uint8{}
	place := func(chunk, row int) uint64 {
		c := &r.Chunks[chunk]
		return r.Sequence.Position(c.File, c.Offset+int64(c.Start(row)))
	}
	for chunk := range r.Chunks {
		for row := range r.Chunks[chunk].Starts {
			at, key, split := place(chunk, row), mix(rng.Uint64N(distinct)), rng.IntN(splits+1)
			if keys[at] = key; split == splits {
				own[at] = NoSplit
				continue
			}
			own[at] = uint8(split)
			for len(want) <= split {
				want = append(want, nil)
			}
			want[split] = append(want[split], Entry{key, at})
		}
	}
	for _, w := range want {
		slices.SortFunc(w, Entry.compare)
	}
	r.Keys = func(_, chunk, from int, dst []uint64, splits []uint8) error {
		for i := range dst {
			at := place(chunk, from+i)
			dst[i], splits[i] = keys[at], own[at]
		}
		return nil
	}
	return r, want
}

// TestKeyedIsAPlainSort has columns of few values and of many, and splits that only Keys knows.
func TestKeyedIsAPlainSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for i, c := range []struct {
		rows     int
		distinct uint64
		splits   int
	}{
		{0, 1, 1}, {1, 1, 1}, {1000, 1, 0}, {1000, 1 << 60, 3}, {50_000, 1, 1}, {50_000, 3, 2}, {50_000, 40, 100},
		{50_000, 2000, 3}, {50_000, 1 << 60, 3}, {copiedRowsMax + 20_000, 1, 1}, {2*copiedRowsMax + 50_000, 2, 1},
		{70_000, 1 << 60, 254},
	} {
		r, want := keyedRows(t, rng, c.rows, c.distinct, c.splits)
		for k, workers := range []int{1, 2, 3, 16} {
			if (i+k)%testenv.Times(9, 1, 1) != 0 {
				continue
			}
			name := fmt.Sprintf("%+v, %d workers", c, workers)
			got, err := r.Index(context.Background(), workers)
			if err != nil {
				t.Fatal(name, err)
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %d splits, want %d", name, len(got), len(want))
			}
			for split, x := range got {
				if !slices.Equal(x.entries, want[split]) {
					t.Fatalf("%s: split %d is not sorted as it should be", name, split)
				}
			}
		}
	}
}

// TestSortEntries sorts entries that are sorted, reversed, or have few keys.
func TestSortEntries(t *testing.T) {
	const n = 5 * maxBucketRows
	for name, key := range map[string]func(i int) uint64{
		"sorted": func(i int) uint64 { return uint64(i) }, "reversed": func(i int) uint64 { return uint64(n - i) },
		"equal": func(int) uint64 { return 7 }, "few": func(i int) uint64 { return uint64(i % 3) },
		"rising, then falling": func(i int) uint64 { return uint64(min(i, n-i)) },
		"any":                  func(i int) uint64 { return mix(uint64(i)) },
	} {
		entries := make([]Entry, n)
		for i := range entries {
			entries[i] = Entry{key(i), uint64(i) | mix(uint64(i))%3<<placeBits}
		}
		want := slices.Clone(entries)
		slices.SortFunc(want, Entry.compare)
		for _, workers := range []int{1, 3} {
			got := slices.Clone(entries)
			var group errgroup.Group
			group.SetLimit(workers)
			group.Go(func() error { return sortEntries(t.Context(), &group, got) })
			if err := group.Wait(); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: not sorted, %v", name, workers, err)
			}
		}
	}
}

func TestKeysAreReadOnce(t *testing.T) {
	r, _ := keyedRows(t, rand.New(rand.NewPCG(25, 26)), 50_000, 1<<60, 3)
	keys := r.Keys
	var mu sync.Mutex
	asked := map[[2]int]int{}
	r.Keys = func(worker, chunk, from int, dst []uint64, splits []uint8) error {
		mu.Lock()
		for i := range dst {
			asked[[2]int{chunk, from + i}]++
		}
		mu.Unlock()
		return keys(worker, chunk, from, dst, splits)
	}
	if _, err := r.Index(context.Background(), 3); err != nil {
		t.Fatal(err)
	}
	for row, n := range asked {
		if n != 1 {
			t.Fatalf("row %v: asked for %d times", row, n)
		}
	}
	if len(asked) != 50_000 {
		t.Errorf("asked for %d rows of 50,000", len(asked))
	}
}

// Beside the 4 bytes of its start, a row takes the 16 of its entry.
func TestKeyedAllocatesLittleButTheEntries(t *testing.T) {
	const rows = 500_000
	for _, distinct := range []uint64{1, 5, 1 << 60} {
		r := table(t, rows)
		r.Mode = Keyed
		r.Keys = func(_, chunk, from int, keys []uint64, splits []uint8) error {
			for i := range keys {
				point := mix(uint64(chunk)<<32 | uint64(from+i))
				keys[i], splits[i] = mix(point%distinct), []uint8{0, 1, 2, NoSplit}[point>>62]
			}
			return nil
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := r.Index(context.Background(), 2); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		// Equal keys are sorted with up to maxBucketRows places a worker next to them, in
		// buffers that grow.
		most := uint64(16*rows + 1<<20)
		if distinct < rows {
			most += 2 * 2 * 2 * 8 * maxBucketRows
		}
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
			t.Errorf("%d keys: %d bytes next to the entries", distinct, bytes-16*rows)
		}
	}
}

func TestKeyedEndsWithItsContext(t *testing.T) {
	r, _ := keyedRows(t, rand.New(rand.NewPCG(27, 28)), 5000, 1<<60, 3)
	keys := r.Keys
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		r.Keys = func(worker, chunk, from int, dst []uint64, splits []uint8) error {
			if chunk == len(r.Chunks)-1 && from+len(dst) == len(r.Chunks[chunk].Starts) {
				cancel()
			}
			return keys(worker, chunk, from, dst, splits)
		}
		if _, err := r.Index(ctx, workers); err == nil {
			t.Errorf("%d workers go on after the end of their context", workers)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := sortEntries(ctx, nil, make([]Entry, 2*maxBucketRows)); err == nil {
		t.Error("sorting continues after the end of its context")
	}
}

func TestKeyedRefusesFilesWithoutRoomForSplits(t *testing.T) {
	files := []File{{"", "a", 1 << 55}, {"", "b", 1 << 55}}
	for over := range int64(2) {
		files[1].Size = 1<<55 + over
		sequence, err := NewSequence(files)
		if err != nil {
			t.Fatal(err)
		}
		r := &Rows{Mode: Keyed, Sequence: sequence, Splits: 1,
			Chunks: []Chunk{{File: 1, Offset: 1<<55 - 1, Starts: []uint32{0}}}}
		r.Keys = func(_, _, _ int, keys []uint64, splits []uint8) error {
			keys[0], splits[0] = 7, 254
			return nil
		}
		x, err := r.Index(context.Background(), 1)
		if over == 0 && (err != nil || len(x) != 255 || !slices.Equal(x[254].entries, []Entry{{7, 1<<56 - 1}})) {
			t.Errorf("the last place of 2^56: %v", err)
		}
		if over == 1 && (err == nil || !strings.Contains(err.Error(), "cannot be ordered by a key")) {
			t.Errorf("files of more than 2^56 bytes: %v", err)
		}
	}
}

// TestReshuffleReversesSplits reverses the rows of each split. They are sorted before Deal, and each split is dealt
// once.
func TestReshuffleReversesSplits(t *testing.T) {
	f := newField(t, rand.New(rand.NewPCG(17, 18)), 3000, 0, 700)
	for _, rule := range f.rules(t) {
		r := f.rows(Keyed, f.chunks(t, 5000, func(*Chunk, []uint8) {}), rule.split)
		want := f.want(r, rule.split)
		for _, w := range want {
			slices.Reverse(w)
		}
		dealt := 0
		r.Deal = func(n int, swap func(i, j int)) {
			dealt++
			for i := range n / 2 {
				swap(i, n-1-i)
			}
		}
		got, err := r.Index(context.Background(), 3)
		if err != nil {
			t.Fatal(err)
		}
		f.check(t, rule.name, got, want)
		if dealt != len(got) {
			t.Errorf("%s: dealt %d times for %d splits", rule.name, dealt, len(got))
		}
	}
}
