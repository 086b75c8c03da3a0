package plan

import (
	"math/rand/v2"
	"testing"
)

func TestMeanOf(t *testing.T) {
	for _, tt := range []struct {
		sizes []Size
		want  Size
	}{
		{nil, Size{}},
		{[]Size{{0, 9}}, Size{}},
		{[]Size{{10, 4}, {0, 100}, {20, 7}}, Size{15, 5}},
	} {
		if got := MeanOf(tt.sizes); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.sizes, got, tt.want)
		}
	}
}

// TestSample checks that a sample has the rows with the lowest keys, in any order of input.
func TestSample(t *testing.T) {
	for _, rows := range []int{0, 1, SampleRows - 1, SampleRows, SampleRows + 1, 10 * SampleRows} {
		most := min(rows, SampleRows)
		want := Size{}
		if rows > 0 {
			want = Size{Record: uint64(most+1) / 2, Raw: uint64(most-1) / 2} // the means of 1 … most and of 0 … most-1
		}
		for seed := range uint64(3) {
			s := NewSample(SampleRows)
			for _, key := range rand.New(rand.NewPCG(seed, 0)).Perm(rows) {
				if s.Takes(uint64(key)) {
					s.Add(uint64(key), Size{Record: uint64(key) + 1, Raw: uint64(key)}, nil)
				} else if key < SampleRows {
					t.Fatalf("%d rows: key %d is not taken", rows, key)
				}
			}
			if got := s.Mean(); got != want {
				t.Errorf("%d rows: %v, want %v", rows, got, want)
			}
		}
	}
}
