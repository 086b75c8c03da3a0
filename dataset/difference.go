package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

// Difference returns the number of the first record in which two files of the dataset's format differ, and its
// offset in a. A damaged record differs. The number is Unknown if all records are equal.
func (m *Manifest) Difference(ctx context.Context, name string, a, b io.Reader) (record, offset int64, err error) {
	f := formatOf(m)
	one := f.newReader(&countingReader{ctx: ctx, r: a}, name)
	two := f.newReader(&countingReader{ctx: ctx, r: b}, name)
	for n := int64(0); ; n++ {
		found, errOne := one.Next()
		made, errTwo := two.Next()
		damaged := new(tfrecord.CorruptError)
		switch {
		case errTwo != nil && errTwo != io.EOF:
			return Unknown, Unknown, fmt.Errorf("reading %s: %w", name, errTwo)
		case errOne == io.EOF && errTwo == io.EOF:
			return Unknown, Unknown, nil
		case errOne != nil && errOne != io.EOF && !errors.As(errOne, &damaged):
			return Unknown, Unknown, fmt.Errorf("reading %s: %w", name, errOne)
		case errOne == io.EOF:
			return n, one.End(), nil
		case errOne != nil:
			return n, damaged.Offset, nil
		case errTwo != nil || !bytes.Equal(found, made):
			return n, one.Offset(), nil
		}
	}
}
