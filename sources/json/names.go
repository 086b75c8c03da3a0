package json

import (
	"context"

	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// Names returns the column of the keys and then the keys of the first rows, sorted within each row,
// and whether it read all rows. It reads at most the given number of rows, or all if it is
// negative.
func (in *documentInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	var given []string
	if in.options.Keys != "" {
		given = []string{in.options.Keys}
	}
	return input.RowNames(ctx, in, most, given, func(rec *input.Record) []string {
		value := in.Value(rec.Raw)
		if len(value) > 0 && value[0] != '{' {
			return []string{jsonl.ValueColumn}
		}
		return input.ObjectKeys(value)
	})
}

// Value returns the JSON value of a row as returned by Rows, without its key.
func (in *documentInput) Value(row []byte) []byte {
	if in.options.Keys == "" {
		return row
	}
	return row[jsonl.ValueAt(row):]
}
