package order

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
)

// A field has rows of some files, with the expected index, computed in a slow and simple way.
type field struct {
	files    []File
	space    *Space
	sequence *Sequence
	starts   [][]int64 // by file
	splits   [][]uint8 // by file, for marks
}

func newField(t *testing.T, rng *rand.Rand, rows ...int) *field {
	t.Helper()
	f := &field{}
	for i, n := range rows {
		var starts []int64
		var splits []uint8
		at := rng.Int64N(3)
		for range n {
			starts, splits = append(starts, at), append(splits, []uint8{0, 0, 1, 2, NoSplit}[rng.IntN(5)])
			at += 1 + rng.Int64N(200)
		}
		f.files = append(f.files, File{"", fmt.Sprintf("%d.csv", i), at})
		f.starts, f.splits = append(f.starts, starts), append(f.splits, splits)
	}
	var err error
	if f.space, err = NewSpace(f.files); err != nil {
		t.Fatal(err)
	}
	if f.sequence, err = NewSequence(f.files); err != nil {
		t.Fatal(err)
	}
	return f
}

// chunks are the field's rows in ranges of so many bytes.
func (f *field) chunks(t *testing.T, size int64, change func(c *Chunk, splits []uint8)) []Chunk {
	t.Helper()
	var chunks []Chunk
	for file, starts := range f.starts {
		for i := 0; i < len(starts); {
			c := Chunk{File: file, Offset: starts[i] / size * size}
			from := i
			for ; i < len(starts) && starts[i] < c.Offset+size; i++ {
				c.Starts = append(c.Starts, uint32(starts[i]-c.Offset))
			}
			change(&c, f.splits[file][from:i])
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// textKey is a column in which many rows have the same string.
func textKey(place uint64) uint64 { return mix(place/7) >> 60 << 60 }

// A splitter says the split of the i-th row of a file, which has that address.
type splitter func(file, i int, address uint64) uint8

func splitZero(int, int, uint64) uint8 { return 0 }

// rows are the rows of the field in some mode, and in ranges of some size; split
// is what Keys says, while the chunks speak for themselves in other modes.
func (f *field) rows(mode Mode, chunks []Chunk, split splitter) *Rows {
	r := &Rows{Mode: mode, Shuffle: NewShuffle(99), Space: f.space, Sequence: f.sequence, Splits: 3, Chunks: chunks}
	if mode == Keyed {
		r.Keys = func(_, chunk, from int, keys []uint64, splits []uint8) error {
			c := &chunks[chunk]
			for i := range keys {
				at := c.Offset + int64(c.Start(from+i))
				row, _ := slices.BinarySearch(f.starts[c.File], at)
				keys[i] = textKey(f.sequence.Position(c.File, at))
				splits[i] = split(c.File, row, f.space.Address(c.File, at))
			}
			return nil
		}
	}
	return r
}

// want is the order of each split, by a plain sort.
func (f *field) want(r *Rows, split splitter) [][]Entry {
	want := make([][]Entry, r.Splits)
	for file, starts := range f.starts {
		for i, at := range starts {
			address, place := f.space.Address(file, at), f.sequence.Position(file, at)
			s := split(file, i, address)
			if s == NoSplit {
				continue
			}
			key := map[Mode]uint64{Shuffled: r.Shuffle.Key(address), Source: place, Keyed: textKey(place)}[r.Mode]
			want[s] = append(want[s], Entry{key, place})
		}
	}
	for _, w := range want {
		slices.SortFunc(w, Entry.compare)
	}
	return want
}

func (f *field) check(t *testing.T, name string, got []*Index, want [][]Entry) {
	t.Helper()
	for s, x := range got {
		if x.Len() != len(want[s]) {
			t.Fatalf("%s: split %d has %d rows, want %d", name, s, x.Len(), len(want[s]))
		}
		places := x.Positions(nil, 0, x.Len())
		for rank, w := range want[s] {
			if x.keys != nil && x.keys[rank] != w.Key || x.entries != nil && x.entries[rank] != w {
				t.Fatalf("%s: split %d, rank %d is not %#x", name, s, rank, w)
			}
			if p := places[rank]; f.sequence.Position(p.File, p.Offset) != w.Seq {
				t.Fatalf("%s: split %d, rank %d is at %v, want place %d", name, s, rank, p, w.Seq)
			}
		}
	}
}

// A rule assigns splits to rows.
type rule struct {
	name   string
	change func(c *Chunk, splits []uint8)
	split  splitter
}

func (f *field) rules(t *testing.T) []rule {
	cuts, err := NewCuts(shares(80_000_000, 10_000_000, 10_000_000))
	if err != nil {
		t.Fatal(err)
	}
	return []rule{
		{"fixed", func(c *Chunk, _ []uint8) { c.Split = 1 }, func(int, int, uint64) uint8 { return 1 }},
		{"by file", func(c *Chunk, _ []uint8) { c.Split = uint8(c.File % 3) },
			func(file, _ int, _ uint64) uint8 { return uint8(file % 3) }},
		{"cuts", func(c *Chunk, _ []uint8) { c.Cuts = cuts },
			func(_, _ int, a uint64) uint8 { return cuts.Split(SplitPoint(a)) }},
		{"marks", func(c *Chunk, splits []uint8) {
			c.Cuts = cuts
			if err := c.Mark(splits); err != nil {
				t.Fatal(err)
			}
		}, func(file, i int, _ uint64) uint8 { return f.splits[file][i] }},
	}
}

func TestIndexIsAPlainSort(t *testing.T) {
	rng, n := rand.New(rand.NewPCG(11, 12)), 0
	for _, counts := range [][]int{{}, {0}, {1}, {5, 0, 3}, {600, 1, 2000}, {40_000}, {7000, 9000}} {
		f := newField(t, rng, counts...)
		for _, rule := range f.rules(t) {
			for _, mode := range []Mode{Shuffled, Source, Keyed} {
				var want [][]Entry
				for _, size := range []int64{1 << 20, 1 << 13, 300} {
					r := f.rows(mode, f.chunks(t, size, rule.change), rule.split)
					if want == nil {
						want = f.want(r, rule.split)
					}
					for _, workers := range []int{1, 2, 3, 8} {
						if n++; n%testenv.Times(7, 1, 1) != 0 {
							continue
						}
						name := fmt.Sprintf("%v rows, %s, mode %d, chunks of %d, %d workers", counts, rule.name, mode,
							size, workers)
						got, err := r.Index(context.Background(), workers)
						if err != nil {
							t.Fatal(name, err)
						}
						f.check(t, name, got, want)
					}
				}
			}
		}
	}
}

func TestIndexTakesChunksInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	f := newField(t, rng, 3000, 50, 9000)
	for _, mode := range []Mode{Shuffled, Source, Keyed} {
		chunks := f.chunks(t, 5000, func(c *Chunk, _ []uint8) {})
		rng.Shuffle(len(chunks), func(i, j int) { chunks[i], chunks[j] = chunks[j], chunks[i] })
		r := f.rows(mode, chunks, splitZero)
		got, err := r.Index(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		f.check(t, fmt.Sprint("mode ", mode), got, f.want(r, splitZero))
	}
}

// The figures were computed by a program in another language.
func TestSmallIndexIsFrozen(t *testing.T) {
	c := Chunk{}
	for at := uint32(0); at < 1000; at += 50 {
		c.Starts = append(c.Starts, at)
	}
	var err error
	if c.Cuts, err = NewCuts(shares(80_000_000, 10_000_000, 10_000_000)); err != nil {
		t.Fatal(err)
	}
	space, err := NewSpace([]File{{"", "trips.csv", 1000}})
	if err != nil {
		t.Fatal(err)
	}
	r := &Rows{Shuffle: NewShuffle(7), Space: space, Splits: 3, Chunks: []Chunk{c}}
	got, err := r.Index(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for split, want := range []struct {
		keys    []uint64
		offsets []int64
	}{
		{[]uint64{
			0x224f5192e58fe0f, 0x535979dda9ef68f, 0x69edc1c6db16656, 0x10b8ef88c1f87c65, 0x16fcdf08b51c39fd,
			0x1a1f57701a801656, 0x1b9a0688a4ba517c, 0x24ca84a9419ec3d8, 0x65c29a98fe7351f7, 0x9d8bc97252378c67,
			0xc760c9815d851e27, 0xdff92b6fdf76d1f9, 0xf6c3679b7a02aef0,
		}, []int64{150, 700, 300, 750, 500, 650, 50, 350, 850, 450, 550, 600, 200}},
		{[]uint64{0x186d2781d587bb7c, 0x5c67f7e1034475ed, 0x7777fb672b7a64c3, 0xb921225d5318cfa7},
			[]int64{800, 250, 400, 0}},
		{[]uint64{0x1b98a0dd41db3ee1, 0x27f2625e56a4e142, 0xdc27faa15d2999cf}, []int64{900, 950, 100}},
	} {
		var offsets []int64
		for _, p := range got[split].Positions(nil, 0, got[split].Len()) {
			offsets = append(offsets, p.Offset)
		}
		if !slices.Equal(got[split].keys, want.keys) || !slices.Equal(offsets, want.offsets) {
			t.Errorf("split %d: %#x at %v", split, got[split].keys, offsets)
		}
	}
}

func TestSplitsAreStable(t *testing.T) {
	cuts, err := NewCuts(shares(70_000_000, 30_000_000))
	if err != nil {
		t.Fatal(err)
	}
	splits := func(seed uint64, files []File, rows []uint32) map[string]int {
		space, err := NewSpace(files)
		if err != nil {
			t.Fatal(err)
		}
		r := &Rows{Shuffle: NewShuffle(seed), Space: space, Splits: 2}
		for i := range files {
			r.Chunks = append(r.Chunks, Chunk{File: i, Starts: rows, Cuts: cuts})
		}
		indexes, err := r.Index(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]int{}
		for s, x := range indexes {
			for _, p := range x.Positions(nil, 0, x.Len()) {
				of[fmt.Sprint(files[p.File].Name, "+", p.Offset)] = s
			}
		}
		return of
	}
	few := splits(1, []File{{"", "b.csv", 1000}}, []uint32{0, 10, 20, 30, 40, 50, 60, 70, 80, 90})
	for _, seed := range someSeeds {
		many := splits(seed, []File{{"", "a.csv", 700}, {"", "b.csv", 2000}, {"", "c.csv", 9000}},
			[]uint32{0, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100, 300, 301})
		if len(many) != 3*14 {
			t.Fatalf("%d rows in all splits", len(many))
		}
		for row, split := range few {
			if many[row] != split {
				t.Errorf("seed %d: row %s went from split %d to %d", seed, row, split, many[row])
			}
		}
	}
}

func TestSampleIsTheLowestKeysInEveryMode(t *testing.T) {
	f := newField(t, rand.New(rand.NewPCG(15, 16)), 20_000, 0, 500)
	var want []Position
	for _, mode := range []Mode{Shuffled, Source, Keyed} {
		x, err := f.rows(mode, f.chunks(t, 1<<16, func(*Chunk, []uint8) {}), splitZero).Index(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if mode == Shuffled {
			want = x[0].Positions(nil, 0, x[0].Len())
		}
		for _, n := range []int{-1, 0, 1, 1024, 20_499, 20_500, 1 << 20} {
			if got := x[0].Sample(n); !slices.Equal(got, want[:max(0, min(n, len(want)))]) {
				t.Errorf("mode %d: a sample of %d is not the lowest keys", mode, n)
			}
		}
		if got := x[1].Sample(10); len(got) != 0 {
			t.Errorf("mode %d: an empty split has the sample %v", mode, got)
		}
	}
}

// TestDivide divides an index of each mode: both parts have their rows in the order of the index.
func TestDivide(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	f := newField(t, rng, 200, 100)
	for _, mode := range []Mode{Shuffled, Source, Keyed} {
		r := &Rows{Mode: mode, Shuffle: NewShuffle(3), Space: f.space, Sequence: f.sequence, Splits: 1}
		for file, starts := range f.starts {
			c := Chunk{File: file}
			for _, at := range starts {
				c.Starts = append(c.Starts, uint32(at))
			}
			r.Chunks = append(r.Chunks, c)
		}
		r.Keys = func(_, _, from int, keys []uint64, splits []uint8) error {
			for i := range keys {
				keys[i], splits[i] = uint64((from+i)%7), 0
			}
			return nil
		}
		indexes, err := r.Index(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		x := indexes[0]
		all := x.Positions(nil, 0, x.Len())
		var want [2][]Position
		for rank, p := range all {
			want[min(1, rank%3)] = append(want[min(1, rank%3)], p)
		}
		kept, others := x.Divide(100, func(rank int) bool { return rank%3 == 0 })
		for i, part := range []*Index{kept, others} {
			if got := part.Positions(nil, 0, part.Len()); !slices.Equal(got, want[i]) {
				t.Errorf("mode %d, part %d: %v, expected %v", mode, i, got, want[i])
			}
		}
		if !slices.Equal(x.Positions(nil, 0, x.Len()), all) {
			t.Errorf("mode %d: the index itself changed", mode)
		}
	}
}
