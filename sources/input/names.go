package input

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
)

// maxNamesBytes is how many bytes of rows are read to find the names of columns.
const maxNamesBytes = 8 << 20

// Index returns the index that a step of a path is, and whether it is one.
func Index(step string) (index int, is bool) {
	i, err := strconv.Atoi(step)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == step
}

// ErrEnough ends FirstRows.
var ErrEnough = errors.New("enough rows")

// stringOrNonfinite matches a string of JSON, or a number that encoding/json does not know.
var stringOrNonfinite = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)`)

// ObjectKeys returns the sorted keys of an object of JSON, or nil if text is another value.
func ObjectKeys(text []byte) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		text = stringOrNonfinite.ReplaceAllFunc(text, func(found []byte) []byte {
			if found[0] == '"' {
				return found
			}
			return []byte("0")
		})
		if json.Unmarshal(text, &object) != nil {
			return nil
		}
	}
	return slices.Sorted(maps.Keys(object))
}

// RowNames returns the names of columns that only rows have. First are the given ones, then those
// that keys returns for each of the first limit rows that can be read, in the order of their first occurrence. If
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
	size := maxNamesBytes
	if limit < 0 {
		size = math.MaxInt
	}
	all, _, err = FirstRows(ctx, in, limit, size, func(_ int, rec *Record) error {
		if rec.Bad == nil {
			add(keys(rec))
		}
		return nil
	})
	return names, all, err
}

// FirstRows calls visit for the first n rows of an input, or for fewer if they have size bytes. It ends when visit
// returns ErrEnough. The result all reports that the input has no other rows.
func FirstRows(ctx context.Context, in Input, n, size int, visit func(file int, rec *Record) error) (all bool,
	blank int64, err error) {
	rows, read := 0, 0
	blank, err = AllRows(ctx, in, func(file int, rec *Record) error {
		if rows == n || read >= size {
			return ErrEnough
		}
		rows, read = rows+1, read+len(rec.Raw)
		return visit(file, rec)
	})
	if errors.Is(err, ErrEnough) {
		return false, blank, nil
	}
	return err == nil, blank, err
}
