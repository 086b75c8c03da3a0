package statistics

import (
	"encoding/binary"

	"tfr-build/internal/varint"
)

// appendBytes appends the length of text and its bytes.
func appendBytes(dst, text []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

func appendName(dst []byte, n name) []byte {
	dst = appendBytes(dst, []byte(n.key))
	flags := byte(n.list) << 1
	if n.steps {
		flags |= 1
	}
	return append(dst, flags)
}

// A reader decodes the output of the functions above.
type reader struct{ varint.Reader }

func newReader(data []byte) *reader { return &reader{varint.NewReader(data)} }

// int returns a number that is not negative.
func (r *reader) int() int64 { return int64(r.Int()) }

// upTo returns a number that is at most most.
func (r *reader) upTo(most int) int {
	n := r.Unsigned()
	if most < 0 || n > uint64(most) {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *reader) bytes() []byte { return r.Take(r.Count(1)) }

func (r *reader) name() name {
	key := string(r.bytes())
	flags := r.Byte()
	if flags>>1 >= byte(listCount) {
		r.Fail()
		return name{}
	}
	return name{key, flags&1 != 0, list(flags >> 1)}
}
