package decide

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A memoryFile is a file of skipped rows in memory.
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

// written writes n skipped rows: of the rows at 0, 3, 6 …, the row at 1 stays.
func written(t *testing.T, n int, memory int64) (*Skips, *memoryFile) {
	t.Helper()
	f := &memoryFile{}
	w := &Writer{Memory: memory, File: f}
	if _, err := w.Begin(); err != nil {
		t.Fatal(err)
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

// TestSkips writes skipped rows, reads them as another process does, and
// looks rows up in several orders.
func TestSkips(t *testing.T) {
	const inBlock = blockSize / entrySize
	for _, c := range []struct {
		n      int
		memory int64
	}{
		{0, 0},
		{1, 0},
		{inBlock, 0},
		{inBlock + 1, 0},
		{3*inBlock + 5, 0},
		{3*inBlock + 5, 1 << 20},
		{3*inBlock + 5, 2 * blockSize},
	} {
		how := fmt.Sprintf("%+v", c)
		d, f := written(t, c.n, c.memory)
		text, err := json.Marshal(d)
		if d = new(Skips); err == nil {
			err = json.Unmarshal(text, d)
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Open(f)
		if err := d.Check(1); err != nil || d.Count() != int64(c.n) {
			t.Errorf("%s: %d, %v", how, d.Count(), err)
		}
		next := uint64(0)
		err = d.Lists[0].Each(func(skipped, stays uint64) error {
			if skipped != next || stays != 1 {
				t.Errorf("%s: %d for %d, want %d", how, skipped, stays, next)
			}
			next += 3
			return nil
		})
		if err != nil || next != uint64(3*c.n) {
			t.Errorf("%s: the entries end before %d, %v", how, next, err)
		}
		positions := rand.New(rand.NewPCG(1, 2)).Perm(3*c.n + 10)[:min(200, 3*c.n+10)]
		checkPlaces(t, how, d, positions)
		slices.Sort(positions)
		checkPlaces(t, how, d, positions)
		slices.Reverse(positions)
		checkPlaces(t, how, d, positions)
	}
}

// checkPlaces looks rows up.
func checkPlaces(t *testing.T, how string, d *Skips, positions []int) {
	t.Helper()
	cursor := listCursor{of: &d.Lists[0]}
	for _, position := range positions {
		got, err := cursor.has(uint64(position))
		if want := position%3 == 0 && position < 3*int(d.Count()); got != want || err != nil {
			t.Fatalf("%s: the row at %d is skipped: %v, %v", how, position, got, err)
		}
	}
}

// TestDamagedSkips changes and truncates the file of skipped rows, and their description.
func TestDamagedSkips(t *testing.T) {
	d, f := written(t, 10_000, 0)
	f.data[blockSize+3] ^= 1
	cursor := listCursor{of: &d.Lists[0]}
	if _, err := cursor.has(3); err != nil {
		t.Errorf("an undamaged block: %v", err)
	}
	if _, err := cursor.has(d.Lists[0].Blocks[1].First); !errors.Is(err, errDiffers) {
		t.Errorf("a damaged block: %v", err)
	}
	f.data[blockSize+3] ^= 1
	f.data = f.data[:len(f.data)-1]
	if err := d.Lists[0].Each(func(_, _ uint64) error { return nil }); !errors.Is(err, errDiffers) {
		t.Errorf("a truncated file: %v", err)
	}
	for _, list := range []List{{Count: -1}, {Count: 1}, {Blocks: make([]Block, 1)}, {Offset: -1}} {
		if d := (&Skips{[]List{list}}); d.Check(1) == nil {
			t.Errorf("%+v: no error", d)
		}
	}
}

// TestListsOfSkips writes the lists of several rules to one file: a cursor finds the rule of each row.
func TestListsOfSkips(t *testing.T) {
	f := &memoryFile{}
	w := &Writer{File: f}
	const n = 9000
	for rule := range 3 {
		before, err := w.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if got := int(before.Count()); got != n*rule {
			t.Fatalf("rule %d: %d rows are skipped before", rule, got)
		}
		for i := range n {
			if err := w.Add(uint64(4*i+rule), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if s.Check(3) != nil || s.Check(2) == nil {
		t.Errorf("%v, %v", s.Check(3), s.Check(2))
	}
	cursor := s.Cursor()
	for position := range 4 * n {
		want := position % 4
		if want == 3 {
			want = -1
		}
		if got, err := cursor.Rule(uint64(position)); got != want || err != nil {
			t.Fatalf("the row at %d: rule %d, %v, want %d", position, got, err, want)
		}
	}
}
