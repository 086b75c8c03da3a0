package json

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

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
		var row map[string]json.RawMessage
		value := in.Value(rec.Raw)
		switch {
		case rec.Bad != nil:
			return nil
		case len(value) > 0 && value[0] != '{':
			return []string{jsonl.ValueColumn}
		case json.Unmarshal(value, &row) != nil:
			return nil
		}
		return slices.Sorted(maps.Keys(row))
	})
}

// Value returns the JSON value of a row as returned by Rows, without its key.
func (in *documentInput) Value(row []byte) []byte {
	if in.options.Keys == "" {
		return row
	}
	return row[jsonl.ValueAt(row):]
}
