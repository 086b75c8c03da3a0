package task

import (
	"testing"

	"tfr-build/internal/order"
)

// TestSizesInBatches gets the sizes of a shard in order, twice, and then one in the
// middle. Each must match its rank, and no rank beyond the shard may be looked up.
func TestSizesInBatches(t *testing.T) {
	for _, n := range []int{1, sizesAtOnce, sizesAtOnce + 1, 5*sizesAtOnce - 1} {
		of := order.Range{From: 1000, To: 1000 + n}
		looks := 0
		size := inBatches(of, func(dst []int64, from, to int) []int64 {
			looks++
			if from < of.From || to > of.To {
				t.Fatalf("the ranks %d to %d of %v are looked up", from, to, of)
			}
			for rank := from; rank < to; rank++ {
				dst = append(dst, int64(rank*rank))
			}
			return dst
		})
		check := func(rank int) {
			if got := size(rank); got != int64(rank*rank) {
				t.Fatalf("rank %d of %v has the size %d", rank, of, got)
			}
		}
		for range 2 {
			for rank := of.From; rank < of.To; rank++ {
				check(rank)
			}
		}
		if most := 2 * (n/sizesAtOnce + 1); looks > most {
			t.Errorf("%d rows twice: %d lookups, expected at most %d", n, looks, most)
		}
		check((of.From + of.To) / 2)
	}
}
