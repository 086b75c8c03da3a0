package spill

import (
	"cmp"
	"context"
	"slices"

	"tfr-build/pipeline/rows"
)

// collects reports whether the names of classes are collected when rows are read for the
// first time: which of them are beyond the limit of their split shows only later.
func collects(set *rows.Set) bool {
	return len(set.Classes.Auto()) > 0 && len(set.Config.Limit) == 0
}

// A sortKey is what entries are sorted by.
type sortKey struct{ key, place uint64 }

func (a sortKey) compare(b sortKey) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place, b.place))
}

// lasts are the last rows of the splits that have more than their limit, by split; nil of
// others.
func (s *Spill) lasts(ctx context.Context) ([]*sortKey, error) {
	list := make([]*sortKey, len(s.found.Splits))
	for split := range list {
		most, limited := s.Set.Splits.Limit(s.Set.Config.Limit, uint8(split))
		if !limited || most >= int64(s.found.Splits[split].Rows) {
			continue
		}
		bucket, rank := s.bucketOf(split, int(most)-1)
		keys, err := s.keysOf(ctx, split, bucket)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(keys, sortKey.compare)
		list[split] = &keys[rank]
	}
	return list, nil
}

// bucketOf is the bucket that holds the row of a rank of a split, and the rank there.
func (s *Spill) bucketOf(split, rank int) (bucket, within int) {
	for b := range s.store.buckets {
		if rows := s.store.buckets[b].Rows; split < len(rows) {
			if rank < rows[split] {
				return b, rank
			}
			rank -= rows[split]
		}
	}
	return len(s.store.buckets), rank // of none
}

// keysOf are what the rows of a split in a bucket are sorted by, in no order.
func (s *Spill) keysOf(ctx context.Context, split, bucket int) ([]sortKey, error) {
	var keys []sortKey
	err := s.reader.each(&s.entries, &part{of: &s.store, from: bucket, to: bucket + 1}, func(entry []byte) error {
		if int(s.entries.marks(entry)[0]) == split {
			keys = append(keys, s.entries.sortKey(entry))
		}
		return ctx.Err()
	})
	return keys, err
}
