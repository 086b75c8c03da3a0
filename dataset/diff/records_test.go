package diff

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// fingerprintsOf returns the fingerprints of contents by split, as they are read.
func fingerprintsOf(splits [][]uint64) *fingerprints {
	m := &fingerprints{}
	for _, contents := range splits {
		for _, c := range contents {
			m.list = append(m.list, fingerprint{c >> 2, c & 3, uint64(len(m.list))})
		}
		m.ends = append(m.ends, uint64(len(m.list)))
	}
	slices.SortFunc(m.list, byContent)
	return m
}

// counted is the reference for match: it counts content by content.
func counted(old, new [][]uint64) []Split {
	splits := make([]Split, len(old))
	count := func(list []uint64, c uint64) (n int64) {
		for _, x := range list {
			if x == c {
				n++
			}
		}
		return n
	}
	for c := range uint64(16) {
		lost, gained := make([]int64, len(old)), make([]int64, len(old))
		var sumLost, sumGained int64
		for s := range splits {
			before, after := count(old[s], c), count(new[s], c)
			splits[s].Equal += min(before, after)
			lost[s], gained[s] = before-min(before, after), after-min(before, after)
			sumLost, sumGained = sumLost+lost[s], sumGained+gained[s]
		}
		out, in := min(sumLost, sumGained), min(sumLost, sumGained)
		for s := range splits {
			n := min(out, lost[s])
			splits[s].MovedOut += n
			splits[s].Removed += lost[s] - n
			out -= n
			n = min(in, gained[s])
			splits[s].MovedIn += n
			splits[s].Added += gained[s] - n
			in -= n
		}
	}
	for s := range splits { // equal contents are paired in their order
		var before, after []uint64
		for _, pair := range []struct {
			from, with []uint64
			to         *[]uint64
		}{{old[s], new[s], &before}, {new[s], old[s], &after}} {
			seen := map[uint64]int64{}
			for _, c := range pair.from {
				if seen[c]++; seen[c] <= min(count(pair.from, c), count(pair.with, c)) {
					*pair.to = append(*pair.to, c)
				}
			}
		}
		splits[s].Reordered = !slices.Equal(before, after)
	}
	return splits
}

func TestMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func() (splits [][]uint64) {
		for range 3 {
			var list []uint64
			for range random.IntN(7) {
				list = append(list, random.Uint64N(16))
			}
			splits = append(splits, list)
		}
		return splits
	}
	for range 3000 {
		old, new := some(), some()
		if random.IntN(3) == 0 {
			new = slices.Clone(old)
			new[1] = append(slices.Clone(new[1]), 7)
		}
		got := make([]Split, 3)
		match(fingerprintsOf(old), fingerprintsOf(new), got)
		if want := counted(old, new); !slices.Equal(got, want) {
			t.Fatalf("%v and %v:\n%+v\nwant\n%+v", old, new, got, want)
		}
	}
}

// Each split of equal numbers has its own records, and empty ones have none.
func TestSplitOfNumbers(t *testing.T) {
	m := &fingerprints{ends: []uint64{0, 3, 3, 3, 5, 5}}
	for number, want := range []int{1, 1, 1, 4, 4} {
		if got := m.split(uint64(number)); got != want {
			t.Errorf("record %d is in split %d, want %d", number, got, want)
		}
	}
}
