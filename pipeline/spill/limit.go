package spill

import (
	"context"
	"slices"

	"tfr-build/pipeline/rows"
)

// collectsClasses reports whether class names are collected while rows are first read. With
// `limit` they are not: which rows are beyond the limit of their split is known only later. Nor with
// `stratify`, if names may come from the splits.
func collectsClasses(set *rows.Set) bool {
	return len(set.Classes.Auto()) > 0 && len(set.Config.Limit) == 0 && (set.Strata == nil || !set.ReadsSplit())
}

// A lastRow is the last row of a split within its limit.
type lastRow struct {
	rows.SortAt
	windows int // with groups: number of windows of its group that are within the limit
}

// lastRows returns the last row of each split that has more rows than its limit, by split; nil for
// other splits.
func (s *Spill) lastRows(ctx context.Context) ([]*lastRow, error) {
	list := make([]*lastRow, len(s.merged.Splits))
	for split := range list {
		most, limited := s.Set.Splits.Limit(s.Set.Config.Limit, uint8(split))
		if !limited || most >= int64(s.merged.Splits[split].Rows) {
			continue
		}
		bucket, rank := s.findBucket(split, int(most)-1)
		keys, err := s.bucketKeys(ctx, split, bucket)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(keys, rows.SortAt.Compare)
		last := &lastRow{SortAt: keys[rank], windows: 1}
		for ; last.windows <= rank && keys[rank-last.windows] == last.SortAt; last.windows++ {
		}
		list[split] = last
	}
	return list, nil
}

// findBucket returns the bucket with the row of a rank of a split, and the row's rank in that
// bucket.
func (s *Spill) findBucket(split, rank int) (bucket, within int) {
	for b := range s.store.buckets {
		if rows := s.store.buckets[b].Rows; split < len(rows) {
			if rank < rows[split] {
				return b, rank
			}
			rank -= rows[split]
		}
	}
	return len(s.store.buckets), rank // no such row
}

// bucketKeys returns the sort keys of a split's rows in a bucket, unsorted.
func (s *Spill) bucketKeys(ctx context.Context, split, bucket int) ([]rows.SortAt, error) {
	var keys []rows.SortAt
	err := s.reader.each(&s.entries, &partition{of: &s.store, from: bucket, to: bucket + 1},
		func(_ *storedRun, entry []byte) error {
			if int(s.entries.marks(entry)[0]) == split {
				for range s.entries.ranks(entry[s.entries.header:]) {
					keys = append(keys, s.entries.sortKey(entry))
				}
			}
			return ctx.Err()
		})
	return keys, err
}
