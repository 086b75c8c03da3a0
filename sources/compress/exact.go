package compress

import (
	"errors"
	"io"
	"slices"
)

// TrustedRatio is the compression ratio up to which a claimed size is trusted.
const TrustedRatio = 64

// trustedPart is the denominator of the part of a content that must arrive before memory for all of
// it is allocated.
const trustedPart = 8

// ErrLong is the error of a stream with more bytes than it claims.
var ErrLong = errors.New("has more bytes than it claims")

// AppendExactly appends size bytes of a stream that packed compressed bytes represent. The stream must end
// after them: otherwise the error is ErrLong, or io.EOF or io.ErrUnexpectedEOF with the bytes that there
// were. Memory beyond TrustedRatio is allocated as bytes arrive.
func AppendExactly(dst []byte, r io.Reader, packed, size int) ([]byte, error) {
	from, step := len(dst), min(size, TrustedRatio*packed+4096)
	for len(dst) < from+size {
		left := from + size - len(dst)
		if step = min(step, left); size-left >= size/trustedPart {
			step = left
		}
		dst = slices.Grow(dst, step)
		n, err := io.ReadFull(r, dst[len(dst):len(dst)+step])
		if dst, step = dst[:len(dst)+n], 2*step; err != nil {
			return dst, err
		}
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return dst, ErrLong
	case err != io.EOF:
		return dst, err
	}
	return dst, nil
}
