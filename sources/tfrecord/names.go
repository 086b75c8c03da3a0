package records

import (
	"context"
	"errors"
	"slices"

	"tfr-build/message"
	"tfr-build/sources/input"
)

// namesMost is how many bytes of records are read for the names of the first
// columns.
const namesMost = 8 << 20

var errEnough = errors.New("enough rows")

// Names are the payload and the keys of the first records, of each record sorted
// among themselves, and whether these are all records; all are read where most is
// negative.
func (in *recordInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	names = []string{payload}
	known := map[string]bool{payload: true}
	rows, size := 0, 0
	for file := range in.Listing().Files {
		err := input.EachRow(ctx, in, file, func(rec *input.Record) error {
			if most >= 0 && (rows == most || size > namesMost) {
				return errEnough
			}
			rows, size = rows+1, size+len(rec.Raw)
			for _, k := range in.keys(rec) {
				if !known[k] {
					known[k] = true
					names = append(names, k)
				}
			}
			return nil
		})
		if errors.Is(err, errEnough) {
			return names, false, nil
		}
		if err != nil {
			return names, false, err
		}
	}
	return names, true, nil
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
