package plan

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// random returns a listing with random content, including extreme numbers.
func random(r *rand.Rand) *input.Listing {
	text := func() string {
		pieces := []string{"a", "b/", "é", "\xff", "\n", "\x00", "train/", strings.Repeat("x", 300)}
		var s strings.Builder
		for range r.IntN(6) {
			s.WriteString(pieces[r.IntN(len(pieces))])
		}
		return s.String()
	}
	texts := func() (list []string) {
		for range r.IntN(4) {
			list = append(list, text())
		}
		return list
	}
	number := func() int64 {
		return []int64{0, 1, r.Int64N(1000), r.Int64(), math.MaxInt64}[r.IntN(5)]
	}
	l := &input.Listing{Label: text(), Sized: r.IntN(2) == 0, Dirs: texts(), Inputs: texts()}
	withPaths, withHeads := r.IntN(2) == 0, r.IntN(2) == 0
	for range r.IntN(30) {
		l.Files = append(l.Files, files.File{
			Name: text(), Size: number(), ModTime: number() - r.Int64N(1000), Inode: r.Uint64() >> r.IntN(64),
			ETag: []string{"", text()}[r.IntN(2)], Regular: r.IntN(2) == 0,
		})
		if withPaths {
			l.Paths = append(l.Paths, text())
		}
		if withHeads {
			l.Heads = append(l.Heads, text())
		}
	}
	if withPaths && r.IntN(2) == 0 {
		l.Inputs = l.Paths
	}
	count := func() int { return r.IntN(4) * r.IntN(1000) }
	l.Skipped = files.Skipped{Hidden: count(), Links: count(), Loops: count(), Extensions: count(), Empty: count(),
		Duplicates: count()}
	if r.IntN(2) == 0 {
		l.Skipped.Others, l.Skipped.Excluded = map[string]int{text(): count(), "": 1}, map[string]int{text(): 0}
	}
	for range r.IntN(4) {
		l.Watched = append(l.Watched, input.Directory{Path: text(), Depth: r.IntN(5) - 1})
	}
	return l
}

func TestListings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var list []*input.Listing
		for range r.IntN(4) {
			list = append(list, random(r))
		}
		stored := EncodeListings(list)
		got, err := ParseListings(stored)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(list) {
			t.Fatalf("%d listings of %d", len(got), len(list))
		}
		for i := range list {
			if !reflect.DeepEqual(got[i], list[i]) {
				t.Fatalf("listing\n got %+v\nwant %+v", got[i], list[i])
			}
		}
		if again := EncodeListings(got); string(again) != string(stored) {
			t.Fatal("encoded once more it is another")
		}
	}
}

// TestListingsOfTables checks that a table without files stays the same.
func TestListingsOfTables(t *testing.T) {
	stored := EncodeListings([]*input.Listing{{Files: []files.File{}, Paths: []string{}, Inputs: []string{}}})
	got, err := ParseListings(stored)
	if err != nil {
		t.Fatal(err)
	}
	if again := EncodeListings(got); string(again) != string(stored) {
		t.Errorf("%q became %q", stored, again)
	}
}

// TestListingsAreSmall checks the promise of the format: about 20 bytes per file.
func TestListingsAreSmall(t *testing.T) {
	l := &input.Listing{Sized: true}
	for i := range 10_000 {
		l.Files = append(l.Files, files.File{Name: fmt.Sprintf("train/class_%02d/%08d.jpg", i/1000, i*7),
			Size: 100_000 + int64(i), ModTime: 1_700_000_000_000_000_000 + int64(i)*4_000_000, Inode: uint64(1e7 + i),
			Regular: true})
	}
	if n := len(EncodeListings([]*input.Listing{l})); n > 20*len(l.Files) {
		t.Errorf("%d bytes a file", n/len(l.Files))
	}
}

// seal adds the magic and the checksum to a body.
func seal(body []byte) []byte {
	text := append([]byte(magic), body...)
	return binary.LittleEndian.AppendUint32(text, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

func TestDamagedListings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := []*input.Listing{random(r), random(r)}
	for len(list[0].Files) < 3 || len(list[1].Files) < 3 {
		list = []*input.Listing{random(r), random(r)}
	}
	stored := EncodeListings(list)
	refused := func(what string, at int, text []byte) {
		t.Helper()
		if got, err := ParseListings(text); err == nil || !strings.HasPrefix(err.Error(), errListing.Error()) {
			t.Errorf("%s at %d: %v, %v", what, at, got, err)
		}
	}
	for i := range stored {
		flipped := append([]byte(nil), stored...)
		flipped[i] ^= 1 << r.IntN(8)
		refused("flipped", i, flipped)
		refused("cut", i, stored[:i])
	}
	body := stored[len(magic) : len(stored)-crc32.Size]
	for i := range body { // with a checksum that fits
		refused("cut and sealed", i, seal(body[:i]))
	}
	refused("longer", len(body), seal(append(body[:len(body):len(body)], 0)))
	refused("a text longer than the one before", 0, seal([]byte{1, 5, 0, 0, 0, 0, 0, 0}))
	huge := binary.AppendUvarint(nil, math.MaxUint64)
	refused("huge", 0, seal(huge))
	refused("a huge text", 0, seal(append([]byte{1, 0}, huge...)))
	refused("huge and more files", 0, seal(append([]byte{1, 0, 0, 0}, huge...)))
}

// FuzzParseListings checks that parsing does not panic, and does not allocate memory by a number
// that is not checked.
func FuzzParseListings(f *testing.F) {
	seeds := []*input.Listing{ // short ones: the tool takes a minute to shorten a long one
		{Label: "a", Sized: true, Files: []files.File{{Name: "a/1", Size: 7, ModTime: -1, Inode: 1 << 63,
			Regular: true}, {Name: "a/2"}}},
		{Files: []files.File{{Name: "t", Size: 1}}, Paths: []string{"/t"}, Dirs: []string{"/"},
			Watched: []input.Directory{{Path: "/", Depth: files.AnyDepth}}, Inputs: []string{"/t"}},
		{Skipped: files.Skipped{Hidden: 1, Others: map[string]int{"a": 2}, Excluded: map[string]int{"*": 0}}},
	}
	for i := range seeds {
		stored := EncodeListings(seeds[:i+1])
		f.Add(stored[len(magic) : len(stored)-crc32.Size])
	}
	f.Add([]byte{1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		list, err := ParseListings(seal(body))
		runtime.ReadMemStats(&after)
		n := uint64(len(body))
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20+1000*n+n*n {
			t.Errorf("%d bytes take %d of memory", n, got)
		}
		if err != nil {
			return
		}
		stored := EncodeListings(list)
		again, err := ParseListings(stored)
		if err != nil || !reflect.DeepEqual(again, list) {
			t.Errorf("%+v became %+v, %v", list, again, err)
		}
		for _, l := range list {
			if l.Paths != nil && len(l.Paths) != len(l.Files) {
				t.Errorf("%d paths of %d files", len(l.Paths), len(l.Files))
			}
		}
	})
}
