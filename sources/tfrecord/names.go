package tfrecord

import (
	"context"
	"slices"

	"tfr-build/message"
	"tfr-build/sources/input"
)

// Names returns the payload and then the keys of the first records, sorted within each record, and
// whether it read all records. It reads at most the given number of records, or all if it is
// negative.
func (in *recordInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, most, []string{payload}, in.keys)
}

// keys returns the sorted keys of a record, or nil if the record is unreadable.
func (in *recordInput) keys(rec *input.Record) []string {
	record, _ := in.frames.Payload(rec.Raw)
	var keys []string
	if !message.Each(in.message, record, func(key []byte, _ message.Feature) { keys = append(keys, string(key)) }) {
		return nil
	}
	slices.Sort(keys)
	return keys
}
