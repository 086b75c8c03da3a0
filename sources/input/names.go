package input

import (
	"context"
	"errors"
)

// maxNamesBytes is how many bytes of rows are read to find the names of columns.
const maxNamesBytes = 8 << 20

var errEnough = errors.New("enough rows")

// RowNames returns the names of columns that only rows have. First are the given ones, then those
// that keys returns for each of the first limit rows, in the order of their first occurrence. If
// limit is negative, it reads all rows. The result all reports whether it has read all rows.
func RowNames(ctx context.Context, in Input, limit int, given []string, keys func(*Record) []string) (names []string,
	all bool, err error) {
	known := map[string]bool{}
	add := func(more []string) {
		for _, k := range more {
			if !known[k] {
				known[k] = true
				names = append(names, k)
			}
		}
	}
	add(given)
	rows, size := 0, 0
	_, err = AllRows(ctx, in, func(_ int, rec *Record) error {
		if limit >= 0 && (rows == limit || size > maxNamesBytes) {
			return errEnough
		}
		rows, size = rows+1, size+len(rec.Raw)
		add(keys(rec))
		return nil
	})
	if errors.Is(err, errEnough) {
		return names, false, nil
	}
	return names, err == nil, err
}
