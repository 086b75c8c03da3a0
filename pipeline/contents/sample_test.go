package contents_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"tfr-build/pipeline/contents"
)

// sampleOf returns the sample of records, from two parts, stored and parsed.
func sampleOf(t *testing.T, l contents.Level, records ...string) contents.Sample {
	t.Helper()
	whole := contents.Sample{}
	for _, part := range [][]string{records[:len(records)/2], records[len(records)/2:]} {
		s := contents.Sample{}
		for _, r := range part {
			if hash := xxh3.HashString(r); l.Has(hash) {
				s[hash]++
			}
		}
		parsed, rest, err := contents.ParseSample(append(s.Append(nil), "rest"...))
		if err != nil || string(rest) != "rest" || !maps.Equal(parsed, s) {
			t.Fatalf("%v became %v, %q, %v", s, parsed, rest, err)
		}
		whole.Merge(parsed)
	}
	return whole
}

// TestCountEqual counts equal records in one split and in several.
func TestCountEqual(t *testing.T) {
	splits := []contents.Sample{
		sampleOf(t, 0, "a", "a", "b", "c", "c", "c"), sampleOf(t, 0, "b", "d", "c"), sampleOf(t, 0, "e"),
		sampleOf(t, 0),
	}
	e := contents.CountEqual(splits, 0)
	if e.Records != 5 || e.About || !slices.Equal(e.Shared, []int64{4, 2, 0, 0}) {
		t.Errorf("%+v", e)
	}
}

// TestEstimateEqual has more records than are compared, of which a tenth are copies. The estimate is
// within 5%, and there is none if no record is equal to another one.
func TestEstimateEqual(t *testing.T) {
	const n = 1 << 17
	l := contents.LevelOf(n)
	if l != 3 || contents.LevelOf(1<<14) != 0 || contents.LevelOf(1<<14+1) != 1 {
		t.Errorf("level %d", l)
	}
	for copies, most := range map[int]int64{0: 0, n / 10: n / 10} {
		s := contents.Sample{}
		for i := range n {
			if hash := xxh3.Hash(fmt.Append(nil, "row ", i%(n-copies))); l.Has(hash) {
				s[hash]++
			}
		}
		got := contents.CountEqual([]contents.Sample{s}, l)
		if !got.About || got.Records < most*95/100 || got.Records > most*105/100 {
			t.Errorf("%d copies: %+v", copies, got)
		}
	}
}

// TestParseDamagedSample parses each beginning of a sample, and a number of entries that is too large.
func TestParseDamagedSample(t *testing.T) {
	text := contents.Sample{1: 2, 1 << 60: 300}.Append(nil)
	for n := range len(text) {
		if _, _, err := contents.ParseSample(text[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(text))
		}
	}
	if _, _, err := contents.ParseSample([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1}); err == nil {
		t.Error("a huge number of entries was accepted")
	}
}
