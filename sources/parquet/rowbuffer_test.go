package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// many is a file of two row groups of several stretches: numbers, some of which are
// missing, a few texts and many.
func many(rows int) []byte {
	ids, halves := make([]int64, rows), make([]float64, rows)
	few, texts := make([]string, rows), make([]string, rows)
	odd, third := make([]bool, rows), make([]bool, rows)
	for i := range rows {
		ids[i], halves[i], odd[i] = int64(i)<<20, float64(i)/2, i%2 == 1
		few[i], texts[i], third[i] = fmt.Sprint("zone ", i%7), fmt.Sprint("row ", i), i%3 == 0
	}
	return parquettest.File(rows*2/3,
		parquettest.Column{Name: "id", Values: ids},
		parquettest.Column{Name: "half", Values: halves, Missing: odd},
		parquettest.Column{Name: "few", Values: few},
		parquettest.Column{Name: "text", Values: texts, Missing: third})
}

// TestBatches runs the steps of large row groups in random order, and then reads rows in random
// order. The rows must be those of the file, and no column may stay in memory next to the row
// buffer.
func TestBatches(t *testing.T) {
	rows := 5 * batchRows / 2
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.parquet"), string(many(rows)))
	names := []string{"text", "half", "id", "few"}
	for seed := range uint64(testenv.Times(2, 10, 100)) {
		in := mustOpen(t, dir, "a.parquet")
		s, vals, err := in.bind(t, names)
		if err != nil {
			t.Fatal(err)
		}
		found, err := in.Find(1)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 17))
		for _, i := range r.Perm(found.Steps()) {
			found.Step(i)
		}
		found.Chunks()
		for k := range in.decoded[0].groups {
			for n := range in.decoded[0].groups[k].columns {
				if in.decoded[0].groups[k].columns[n].block != nil {
					t.Errorf("a column of row group %d is held next to its rows", k)
				}
			}
		}
		picked := []int{0, batchRows - 1, batchRows, rows - 1} // the first and the last of a stretch
		for range 2000 {
			picked = append(picked, r.IntN(rows))
		}
		for _, i := range picked {
			s.(input.MemoryPrefetcher).PrefetchMemory(0, int64(r.IntN(rows)))
			got, err := in.row(s, 0, int64(i), nil, vals, names)
			want := []any{fmt.Sprint("s:row ", i), showNumber(schema.Float64,
				binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(i)/2))), fmt.Sprint(i << 20),
				fmt.Sprint("s:zone ", i%7)}
			if i%3 == 0 {
				want[0] = nil
			}
			if i%2 == 1 {
				want[1] = nil
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("row %d is %v, %v; want %v", i, got, err, want)
			}
		}
	}
}

// TestSerializedSize compares the computed size of a serialized row with its bytes.
func TestSerializedSize(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.parquet"), string(many(1000)))
	in := mustOpen(t, dir, "a.parquet")
	s, vals, err := in.bind(t, []string{"id"})
	if err == nil {
		_, _, err = in.bind(t, in.Columns().Names()) // another layout, of all columns
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := in.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range found.Steps() {
		found.Step(i)
	}
	list, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for i := range int64(1000) {
		rec, err := list.Next()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := s.Scan(0, i, nil, vals); err != nil || n != len(rec.Raw) {
			t.Fatalf("row %d has %d bytes, %v; its text has %d", i, n, err, len(rec.Raw))
		}
	}
}

// TestFootprint compares the memory of decoded rows with the footprint.
func TestFootprint(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.parquet"), string(many(4*batchRows)))
	in := mustOpen(t, dir, "a.parquet")
	if _, _, err := in.bind(t, in.Columns().Names()); err != nil {
		t.Fatal(err)
	}
	claimed := in.Footprint().Bytes
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools hold
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := inUse()
	found, err := in.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for i := range found.Steps() {
		found.Step(i)
		most = max(most, inUse()-before)
	}
	if after := inUse() - before; most > claimed || after > most || claimed > 2*after {
		t.Errorf("%d bytes at most and %d in the end, of %d that were claimed", most, after, claimed)
	}
	in.Release()
}

// TestStride checks that rows cross as few cache lines as possible where padding costs at most an
// eighth.
func TestStride(t *testing.T) {
	for size, want := range map[int]int{0: 0, 1: 1, 7: 7, 8: 8, 15: 16, 17: 17, 29: 32, 32: 32, 50: 50, 57: 64, 61: 64,
		64: 64, 65: 65, 100: 100, 120: 128, 1000: 1024} {
		if got := stride(size); got != want {
			t.Errorf("rows of %d bytes are %d apart, want %d", size, got, want)
		}
	}
	for size := range 1000 {
		if got := stride(size); got < size || got > size+size/8 ||
			!slices.Contains([]int{size, (size + 63) / 64 * 64, 1, 2, 4, 8, 16, 32}, got) {
			t.Errorf("rows of %d bytes are %d apart", size, got)
		}
	}
}
