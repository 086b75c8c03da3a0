package rejects

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A Reject is an invalid row that the build skips: its position and its error code.
type Reject struct {
	order.Position
	Code  string
	Cause string // of a row that is invalid as a part of its group, see rows.GroupCause; empty for others
}

// Sort sorts rejects in source order.
func Sort(list []Reject) {
	slices.SortFunc(list, func(a, b Reject) int { return comparePositions(a.Position, b.Position) })
}

func comparePositions(a, b order.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
}

// before reports whether a is before b in source order.
func before(a, b order.Position) bool { return comparePositions(a, b) < 0 }

// Append appends rejects in the format of the staging directory: one line each, with the number of
// the file, the offset, the code, and the cause if it has one.
func Append(dst []byte, list []Reject) []byte {
	for _, r := range list {
		dst = strconv.AppendInt(dst, int64(r.File), 10)
		dst = strconv.AppendInt(append(dst, ' '), r.Offset, 10)
		dst = append(append(dst, ' '), r.Code...)
		if r.Cause != "" {
			dst = append(append(dst, ' '), r.Cause...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// Parse parses the result of Append. files is the number of input files.
func Parse(text []byte, files int) ([]Reject, error) {
	var list []Reject
	for line := range bytes.Lines(text) {
		words := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte(" "), 4)
		cause := ""
		if len(words) == 4 {
			cause = string(words[3])
		}
		if _, ok := rows.ParseCause([]byte(cause)); len(words) < 3 || len(words) == 4 && !ok {
			return nil, fmt.Errorf("a reject reads %q", line)
		}
		file, err := strconv.Atoi(string(words[0]))
		offset, err2 := strconv.ParseInt(string(words[1]), 10, 64)
		if err = cmp.Or(err, err2); err != nil || file < 0 || file >= files {
			return nil, fmt.Errorf("a reject reads %q", line)
		}
		list = append(list, Reject{order.Position{File: file, Offset: offset}, string(words[2]), cause})
	}
	return list, nil
}

// Count adds rejects to counts by code, and returns counts. It creates the map if it is nil.
func Count(counts map[string]int64, list []Reject) map[string]int64 {
	for _, r := range list {
		if counts == nil {
			counts = map[string]int64{}
		}
		counts[r.Code]++
	}
	return counts
}

// Total returns the sum of counts.
func Total(counts map[string]int64) (n int64) {
	for _, of := range counts {
		n += of
	}
	return n
}
