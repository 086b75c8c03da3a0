package input

import (
	"context"
	"errors"
)

// namesMost is how many bytes of rows are read for the names of the first ones.
const namesMost = 8 << 20

var errEnough = errors.New("enough rows")

// RowNames are the names of columns where only rows tell them: the given ones, and
// those that keys finds in each of the first most rows, in the order in which they
// are met. It says whether these are all rows; all are read where most is negative.
func RowNames(ctx context.Context, in Input, most int, given []string, keys func(*Record) []string) (names []string, all bool, err error) {
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
	for file := range in.Listing().Files {
		err := EachRow(ctx, in, file, func(rec *Record) error {
			if most >= 0 && (rows == most || size > namesMost) {
				return errEnough
			}
			rows, size = rows+1, size+len(rec.Raw)
			add(keys(rec))
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
