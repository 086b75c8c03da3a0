package records

import (
	"context"
	"slices"

	"tfr-build/message"
	"tfr-build/sources/input"
)

// Names are the payload and the keys of the first records, of each record sorted
// among themselves, and whether these are all records; all are read where most is
// negative.
func (in *recordInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, most, []string{payload}, in.keys)
}

// keys are those of a record, sorted; none of one that cannot be read.
func (in *recordInput) keys(rec *input.Record) []string {
	if rec.Bad != nil {
		return nil
	}
	record, _ := in.framing.Payload(rec.Raw)
	var keys []string
	if !message.Each(in.message, record, func(key []byte, _ message.Feature) { keys = append(keys, string(key)) }) {
		return nil
	}
	slices.Sort(keys)
	return keys
}
