package statistics

import "encoding/binary"

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

// A reader decodes the output of the functions above. If the data is damaged, failed is set, and
// all further values are 0.
type reader struct {
	data   []byte
	failed bool
}

func (r *reader) fail() {
	r.data, r.failed = nil, true
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

// int returns a number that is not negative.
func (r *reader) int() int64 {
	v := int64(r.uvarint())
	if v < 0 {
		r.fail()
		return 0
	}
	return v
}

// signed returns a number that may be negative.
func (r *reader) signed() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

// count returns the number of following elements, each of at least size bytes.
func (r *reader) count(size int) int {
	n := r.uvarint()
	if n > uint64(len(r.data)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

// upTo returns a number that is at most most.
func (r *reader) upTo(most int) int {
	n := r.uvarint()
	if most < 0 || n > uint64(most) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.fail()
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) bytes() []byte { return r.take(r.count(1)) }

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) name() name {
	key := string(r.bytes())
	flags := r.byte()
	if flags>>1 >= byte(listCount) {
		r.fail()
		return name{}
	}
	return name{key, flags&1 != 0, list(flags >> 1)}
}
