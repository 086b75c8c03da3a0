package document

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// Names are the column of the keys and the keys of the first rows, of each row sorted
// among themselves, and whether these are all rows; all are read where most is
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
			return []string{jsonl.Whole}
		case json.Unmarshal(value, &row) != nil:
			return nil
		}
		return slices.Sorted(maps.Keys(row))
	})
}

// Value is the JSON value of a row as Rows found it, without its key.
func (in *documentInput) Value(row []byte) []byte {
	if in.options.Keys == "" {
		return row
	}
	return row[jsonl.ValueAt(row):]
}
