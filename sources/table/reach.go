package table

import (
	"errors"

	"tfr-build/order"
	"tfr-build/sources/input"
)

// A Reach says where rows of a file may begin. Of one that is not compressed its size
// says so.
type Reach struct {
	path string
	most int64 // the offset that no row may have; 0 for any
}

var errTooLong = errors.New("more than 2^40 bytes when decompressed")

// ReachOf is that of a file, whose head must have been read.
func ReachOf(t *Files, file int) Reach {
	r := Reach{path: t.Path(file)}
	if t.IsPacked(file) {
		r.most = order.CompressedSize
	}
	return r
}

// Check is an *input.Error of a row that begins beyond what addresses hold.
func (r Reach) Check(offset int64) error {
	if r.most > 0 && offset >= r.most {
		return &input.Error{Path: r.path, Err: errTooLong}
	}
	return nil
}
