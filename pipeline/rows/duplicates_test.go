package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A memoryFile is a file of duplicates in memory.
type memoryFile struct{ data []byte }

var errDiffers = errors.New("another content")

func (f *memoryFile) Differs() error { return errDiffers }

func (f *memoryFile) WriteAt(b []byte, off int64) (int, error) {
	f.data = append(f.data[:off], b...)
	return len(b), nil
}

func (f *memoryFile) ReadAt(b []byte, off int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(b, off)
}

// written writes n duplicates: of the rows at 0, 3, 6 …, the row at 1 stays.
func written(t *testing.T, n int, memory int64, toFile bool) (*Duplicates, *memoryFile) {
	t.Helper()
	f := &memoryFile{}
	w := &DuplicateWriter{Memory: memory}
	if toFile {
		w.Create = func() (File, error) { return f, nil }
	}
	for i := range n {
		if err := w.Add(uint64(3*i), 1); err != nil {
			t.Fatal(err)
		}
	}
	d, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return d, f
}

// TestDuplicates writes duplicates to memory and to a file, reads them as another process does, and
// looks rows up in several orders.
func TestDuplicates(t *testing.T) {
	const inBlock = duplicateBlock / duplicateSize
	for _, c := range []struct {
		n      int
		memory int64
		toFile bool
	}{
		{0, 0, false},
		{0, 0, true},
		{1, 0, false},
		{inBlock, 0, true},
		{inBlock + 1, 0, true},
		{3*inBlock + 5, 0, false},
		{3*inBlock + 5, 1 << 20, true},
		{3*inBlock + 5, 2 * duplicateBlock, true},
	} {
		how := fmt.Sprintf("%+v", c)
		d, f := written(t, c.n, c.memory, c.toFile)
		if isFile := d.file != nil; isFile != c.toFile {
			t.Fatalf("%s: in a file: %v", how, isFile)
		}
		if c.toFile {
			text, err := json.Marshal(d)
			if d = new(Duplicates); err == nil {
				err = json.Unmarshal(text, d)
			}
			if err != nil {
				t.Fatal(err)
			}
			d.Open(f)
		}
		if err := d.Check(); err != nil || d.Count != int64(c.n) {
			t.Errorf("%s: %d, %v", how, d.Count, err)
		}
		next := uint64(0)
		err := d.Each(func(skipped, stays uint64) error {
			if skipped != next || stays != 1 {
				t.Errorf("%s: %d for %d, want %d", how, skipped, stays, next)
			}
			next += 3
			return nil
		})
		if err != nil || next != uint64(3*c.n) {
			t.Errorf("%s: the entries end before %d, %v", how, next, err)
		}
		places := rand.New(rand.NewPCG(1, 2)).Perm(3*c.n + 10)[:min(200, 3*c.n+10)]
		checkPlaces(t, how, d, places)
		slices.Sort(places)
		checkPlaces(t, how, d, places)
		slices.Reverse(places)
		checkPlaces(t, how, d, places)
	}
}

// checkPlaces looks rows up.
func checkPlaces(t *testing.T, how string, d *Duplicates, places []int) {
	t.Helper()
	cursor := duplicateCursor{of: d}
	for _, place := range places {
		got, err := cursor.has(uint64(place))
		if want := place%3 == 0 && place < 3*int(d.Count); got != want || err != nil {
			t.Fatalf("%s: the row at %d is skipped: %v, %v", how, place, got, err)
		}
	}
}

// TestDamagedDuplicates changes and truncates the file of duplicates, and their description.
func TestDamagedDuplicates(t *testing.T) {
	d, f := written(t, 10_000, 0, true)
	f.data[duplicateBlock+3] ^= 1
	cursor := duplicateCursor{of: d}
	if _, err := cursor.has(3); err != nil {
		t.Errorf("an undamaged block: %v", err)
	}
	if _, err := cursor.has(d.Blocks[1].First); !errors.Is(err, errDiffers) {
		t.Errorf("a damaged block: %v", err)
	}
	f.data[duplicateBlock+3] ^= 1
	f.data = f.data[:len(f.data)-1]
	if err := d.Each(func(_, _ uint64) error { return nil }); !errors.Is(err, errDiffers) {
		t.Errorf("a truncated file: %v", err)
	}
	for _, d := range []*Duplicates{{Count: -1}, {Count: 1}, {Blocks: make([]DuplicateBlock, 1)}} {
		if d.Check() == nil {
			t.Errorf("%+v: no error", d)
		}
	}
}
