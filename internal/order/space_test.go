package order

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The bases come from xxhash's own library.
func TestBasesAreFrozen(t *testing.T) {
	for _, v := range []struct {
		source, name string
		base, second uint64
	}{
		{"", "", 0xc44bdff4074eecdb, 0xff810b8d1f73d8ec},
		{"", "trips.csv", 0xe5d3932b27e040b6, 0x2b57f03cd634895c},
		{"", "a.csv", 0x4732f35b5d60a0fc, 0x325e60c02b46ac82},
		{"landing", "a.csv", 0x1c6bbe01afefaa2c, 0x6c3c8183f825bd37},
		{"", "n01440764/n01440764_10026.JPEG", 0xd89874fec4c25eba, 0x44ddda42b6b956dc},
		{"old", "2024/a.jsonl", 0x595168e6699769ae, 0xa47c35f7d7a601c9},
		{"", "данные.csv", 0x304a1695c6fdc9eb, 0xc32d25a18a7c7aa},
		{"", strings.Repeat("x", 300), 0x4d9585e5590c5fc7, 0x739a51b287aae5ea},
	} {
		f := File{v.source, v.name, 1}
		s, err := NewSpace([]File{f})
		if err != nil {
			t.Fatal(err)
		}
		if base, second := s.Address(0, 0), HashText(f.appendName(nil, 1)); base != v.base || second != v.second {
			t.Errorf("{%q, %q, %#x, %#x},", v.source, v.name, base, second)
		}
	}
}

func TestLocateIsTheInverseOfAddress(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 10, 1000, 60_000} {
		files := make([]File, n)
		for i := range files {
			files[i] = File{"s", fmt.Sprintf("%x.csv", rng.Uint64()), rng.Int64N(1 << rng.IntN(40))}
		}
		s, err := NewSpace(files)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			for _, offset := range []int64{0, max(f.Size, 1) / 2, max(f.Size, 1) - 1} {
				if file, got := s.Locate(s.Address(i, offset)); file != i || got != offset {
					t.Fatalf("of %d files, %d in file %d of %d bytes is found at %d of %d", n, offset, i,
						f.Size, got, file)
				}
			}
		}
	}
}

func TestLocateFindsNoFileBeforeTheFirst(t *testing.T) {
	for _, files := range [][]File{nil, {{Name: "a.csv", Size: 5}}} {
		s, err := NewSpace(files)
		if err != nil {
			t.Fatal(err)
		}
		if file, _ := s.Locate(0); file != -1 {
			t.Errorf("%v: address 0 is in file %d", files, file)
		}
	}
}

func TestAddressesStayWhenFilesAreAdded(t *testing.T) {
	var files []File
	for i := range 200 {
		files = append(files, File{"", fmt.Sprintf("%03d.csv.gz", i), CompressedSize})
	}
	all, err := NewSpace(files)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		var some []File
		var number []int
		for _, i := range rng.Perm(len(files))[:50] {
			some, number = append(some, files[i]), append(number, i)
		}
		s, err := NewSpace(some)
		if err != nil {
			t.Fatal(err)
		}
		for i := range some {
			if a, b := s.Address(i, 17), all.Address(number[i], 17); a != b {
				t.Fatalf("%s is at %#x, and among more files at %#x", some[i].Name, a, b)
			}
		}
	}
}

// placeInTurn returns the expected result of resolve: it places files by name, each in the first
// free interval.
func placeInTurn(files []File, hash func([]byte) uint64) []uint64 {
	turn := make([]int, len(files))
	for i := range turn {
		turn[i] = i
	}
	slices.SortFunc(turn, func(a, b int) int {
		return strings.Compare(files[a].Source+"\x00"+files[a].Name, files[b].Source+"\x00"+files[b].Name)
	})
	base := make([]uint64, len(files))
	for n, i := range turn {
		size := uint64(max(files[i].Size, 1))
		text := files[i].Source + "\x00" + files[i].Name
		for try := 1; ; try++ {
			base[i] = hash([]byte(text))
			fits := base[i] <= math.MaxUint64-size+1 || base[i] == 0
			for _, j := range turn[:n] {
				other := uint64(max(files[j].Size, 1))
				fits = fits && (base[i]+(size-1) < base[j] || base[i] > base[j]+(other-1))
			}
			if fits {
				break
			}
			text = fmt.Sprintf("%s\x00%s\x00%d", files[i].Source, files[i].Name, try)
		}
	}
	return base
}

// crowd is a hash that leaves addresses of so many bits, at one end of the space.
func crowd(bits int, high bool) func([]byte) uint64 {
	return func(b []byte) uint64 {
		h := HashText(b) >> (64 - bits)
		if high {
			h |= math.MaxUint64 << bits
		}
		return h
	}
}

func TestCollidingFilesAreInOrderOfNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	moved := 0
	for round := range 2000 {
		files := make([]File, 1+rng.IntN(30))
		for i := range files {
			files[i] = File{string(rune('a' + rng.IntN(3))), fmt.Sprint(round, "/", i), rng.Int64N(40)}
		}
		rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		hash := crowd(11, round%2 == 0)
		s, err := newSpace(files, hash)
		if err != nil {
			t.Fatal(err)
		}
		want := placeInTurn(files, hash)
		if !slices.Equal(s.base, want) {
			t.Fatalf("files %v\nare at   %#x\nwant     %#x", files, s.base, want)
		}
		for i := range files {
			if s.base[i] != hash(files[i].appendName(nil, 0)) {
				moved++
			}
			if file, offset := s.Locate(s.Address(i, max(files[i].Size, 1)-1)); file != i ||
				offset != max(files[i].Size, 1)-1 {
				t.Fatalf("the end of file %d is found at %d of %d", i, offset, file)
			}
		}
	}
	if moved < 1000 {
		t.Errorf("only %d files had to move: the test shows little", moved)
	}
}

// TestFilesAtBases adds files to some that begin at given addresses. They find the places that they would find if
// those were the first files, and those stay.
func TestFilesAtBases(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	moved := 0
	for round := range 1000 {
		hash := crowd(11, round%2 == 0)
		before := make([]File, 1+rng.IntN(15))
		for i := range before {
			before[i] = File{"a", fmt.Sprint(round, "/", rng.IntN(1000), "/", i), rng.Int64N(40)}
		}
		old, err := newSpace(before, hash)
		if err != nil {
			t.Fatal(err)
		}
		added, bases := make([]File, 1+rng.IntN(15)), map[string]uint64{}
		for i := range added {
			added[i] = File{string(rune('a' + rng.IntN(3))), fmt.Sprint(round, "/", rng.IntN(1000), "/+", i),
				rng.Int64N(40)}
		}
		first := slices.Clone(before)
		for i := range first {
			first[i].Source, first[i].Name = "", fmt.Sprint(i)
			bases["\x00"+first[i].Name] = old.base[i]
		}
		s, err := newSpace(slices.Concat(added, before), hash, old.base...)
		if err != nil {
			t.Fatal(err)
		}
		want := placeInTurn(slices.Concat(added, first), func(b []byte) uint64 {
			if base, ok := bases[string(b)]; ok {
				return base
			}
			return hash(b)
		})
		if !slices.Equal(s.base, want) {
			t.Fatalf("files %v, added to %v\nare at   %#x\nwant     %#x", added, before, s.base, want)
		}
		for i := range added {
			if s.base[i] != hash(added[i].appendName(nil, 0)) {
				moved++
			}
		}
	}
	if moved < 500 {
		t.Errorf("only %d files had to move: the test shows little", moved)
	}
}

func TestSecondTryHashesANulAndOne(t *testing.T) {
	bases := map[string]uint64{
		"\x00a": 100,
		"\x00b": 105, "\x00b\x001": 95, "\x00b\x002": 110,
		"\x00c": 108, "\x00c\x001": 117,
	}
	s, err := newSpace([]File{{"", "c", 3}, {"", "b", 7}, {"", "a", 10}},
		func(b []byte) uint64 { return bases[string(b)] })
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{117, 110, 100}; !slices.Equal(s.base, want) {
		t.Errorf("files are at %d, want %d", s.base, want)
	}
}

func TestRangeEndsAtTheLargestKey(t *testing.T) {
	for size, want := range map[int64]uint64{15: math.MaxUint64 - 15, 16: math.MaxUint64 - 15, 17: 3} {
		s, err := newSpace([]File{{"", "a", size}}, func(b []byte) uint64 {
			if string(b) == "\x00a" {
				return math.MaxUint64 - 15
			}
			return 3
		})
		if err != nil || s.base[0] != want {
			t.Errorf("%d bytes are at %v, %v, want %#x", size, s, err, want)
		}
	}
}

func TestSpaceRefuses(t *testing.T) {
	for want, files := range map[string][]File{
		`duplicate file "a"`:                                  {{"", "a", 1}, {"", "b", 1}, {"", "a", 9}},
		`duplicate file "a" of source "s"`:                    {{"s", "b", 1}, {"s", "a", 1}, {"s", "a", 1}},
		`file "a" has the size -1`:                            {{"", "a", -1}},
		`the name of file "a\x00b" of source "" holds a NUL`:  {{"", "a\x00b", 1}},
		`the name of file "b" of source "s\x00a" holds a NUL`: {{"s\x00a", "b", 1}},
		`file "b" of 9223372036854775807 bytes finds no room among the others`: {{"", "a", math.MaxInt64},
			{"", "b", math.MaxInt64}, {"", "c", math.MaxInt64}},
	} {
		_, err := NewSpace(files)
		if err == nil || strings.Replace(err.Error(), "among the addresses of the others", "among the others",
			1) != want {
			t.Errorf("%v: %v, want %s", files, err, want)
		}
	}
	var twice *DuplicateError
	if _, err := NewSpace([]File{{"", "b", 1}, {"", "a", 1}, {"", "b", 3}}); !errors.As(err, &twice) ||
		twice.First != 0 || twice.Second != 2 {
		t.Errorf("got %v with %+v", err, twice)
	}
}

func TestSequenceCountsAllFiles(t *testing.T) {
	files := []File{{"", "b", 10}, {"", "a", 0}, {"x", "a", 1}, {"", "c.gz", CompressedSize}, {"", "d", 5}}
	q, err := NewSequence(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		file   int
		offset int64
		place  uint64
	}{{0, 0, 0}, {0, 9, 9}, {1, 0, 10}, {2, 0, 11}, {3, 0, 12}, {3, 1<<40 - 1, 1<<40 + 11}, {4, 0, 1<<40 + 12},
		{4, 4, 1<<40 + 16}} {
		if got := q.Position(v.file, v.offset); got != v.place {
			t.Errorf("%d of file %d is at %d, want %d", v.offset, v.file, got, v.place)
		}
		if file, offset := q.Locate(v.place); file != v.file || offset != v.offset {
			t.Errorf("%d is %d of file %d, want %d of %d", v.place, offset, file, v.offset, v.file)
		}
	}
	if _, err := NewSequence([]File{{"", "a", -1}}); err == nil {
		t.Error("a negative size is accepted")
	}
	if _, err := NewSequence([]File{{"", "a", math.MaxInt64}, {"", "b", math.MaxInt64}, {"", "c", 2}}); err == nil {
		t.Error("more than 2^64 bytes are accepted")
	}
}

func FuzzSpace(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, uint8(8))
	f.Add([]byte{200, 200, 0, 0, 0, 0}, uint8(12))
	f.Fuzz(func(t *testing.T, sizes []byte, bits uint8) {
		sizes = sizes[:min(len(sizes), 40)]
		files := make([]File, len(sizes))
		for i, s := range sizes {
			files[i] = File{fmt.Sprint(s & 1), fmt.Sprint(len(sizes) - i), int64(s)}
		}
		hash := crowd(16+int(bits%48), bits&1 == 0)
		s, err := newSpace(files, hash)
		if err != nil {
			t.Fatal(err)
		}
		if want := placeInTurn(files, hash); !slices.Equal(s.base, want) {
			t.Fatalf("%v are at %#x, want %#x", files, s.base, want)
		}
	})
}
