package table

import (
	"errors"

	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// A Reach checks that the offsets of a file's rows fit into row IDs. Offsets in files that are read
// in place always do.
type Reach struct {
	path string
	most int64 // the first offset that does not fit; 0 if all do
}

var errTooLong = errors.New("more than 2^40 bytes when decompressed")

// ReachOf returns the Reach of a file, whose head must have been read.
func ReachOf(t *Files, file int) Reach {
	r := Reach{path: t.Path(file)}
	if t.IsCompressed(file) {
		r.most = order.CompressedSize
	}
	return r
}

// Check returns an *input.Error for a row whose offset does not fit into a row ID.
func (r Reach) Check(offset int64) error {
	if r.most > 0 && offset >= r.most {
		return &input.Error{Path: r.path, Err: errTooLong}
	}
	return nil
}
