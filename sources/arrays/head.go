package arrays

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// A head is what the header of an array says.
type head struct {
	dtype
	fortran bool  // the first axis runs fastest
	rows    int64 // length of the first axis
	shape   []int // of a row
	stride  int   // bytes of a row
	first   int64 // where the elements begin, from the header on
	bytes   int64 // of all elements
}

const npyMagic = "\x93NUMPY"

// How long headers are: the beginning that tells it, and the most that is read.
const (
	headBegin = 12
	mostHead  = 64 << 10
)

// A peeker shows what comes next.
type peeker interface{ Peek(n int) ([]byte, error) }

// readHead reads the header that r begins with, and takes nothing of it.
func readHead(r peeker) (head, error) {
	begin, err := r.Peek(headBegin)
	if err != nil && err != io.EOF {
		return head{}, err
	}
	n, err := headLen(begin)
	if err != nil {
		return head{}, err
	}
	text, err := r.Peek(n)
	if errors.Is(err, io.EOF) {
		return head{}, &damage{"ARRAY_SIZE", fmt.Sprintf("has %s, where its header alone has %d", bytesOf(int64(len(text))), n)}
	}
	if err != nil {
		return head{}, err
	}
	if isNPY(text) {
		return parseNPY(text)
	}
	return parseIDX(text)
}

func isNPY(begin []byte) bool { return strings.HasPrefix(string(begin), npyMagic) }

// isZip reports whether a file that begins so is a zip archive.
func isZip(begin []byte) bool {
	return strings.HasPrefix(string(begin), "PK\x03\x04") || strings.HasPrefix(string(begin), "PK\x05\x06")
}

// headLen is how long a header is that begins so.
func headLen(begin []byte) (int, error) {
	switch {
	case isNPY(begin) && len(begin) < headBegin:
		return headBegin, nil // which it has not
	case isNPY(begin) && begin[6] == 1:
		return 10 + int(binary.LittleEndian.Uint16(begin[8:])), nil
	case isNPY(begin) && (begin[6] == 2 || begin[6] == 3):
		if n := binary.LittleEndian.Uint32(begin[8:]); n <= mostHead {
			return 12 + int(n), nil
		}
		return 0, &damage{"ARRAY_HEADER", fmt.Sprintf("claims a header of %d bytes; expected at most %d", binary.LittleEndian.Uint32(begin[8:]), mostHead)}
	case isNPY(begin):
		return 0, &misfit{"ARRAY_FORMAT", fmt.Sprintf("is .npy of version %d; expected 1 to 3", begin[6])}
	case len(begin) >= 4 && begin[0] == 0 && begin[1] == 0 && idxTypes[begin[2]] != "":
		return 4 + 4*int(begin[3]), nil
	}
	return 0, notArray(begin)
}

func notArray(begin []byte) error {
	if len(begin) == 0 {
		return &misfit{"ARRAY_FORMAT", "is empty; expected .npy, .npz or IDX"}
	}
	return &misfit{"ARRAY_FORMAT", fmt.Sprintf("is no array: it begins with %s; expected .npy, .npz or IDX", schema.Quote(string(begin)))}
}

// parseNPY parses the whole header of a .npy file.
func parseNPY(text []byte) (head, error) {
	begin := headBegin
	if text[6] == 1 {
		begin = 10
	}
	d, err := parseDict(string(text[begin:]))
	if err != nil {
		return head{}, err
	}
	if d.fields {
		return head{}, &misfit{"ARRAY_TYPE", "holds structured data; expected bool, integers, floats of 16 to 64 bits, S or U"}
	}
	h := head{fortran: d.fortran, first: int64(len(text))}
	if h.dtype, err = parseDescr(d.descr); err != nil {
		return head{}, err
	}
	return h, h.measure(d.shape)
}

// idxTypes are the types of IDX, as NumPy describes them.
var idxTypes = map[byte]string{0x08: "|u1", 0x09: "|i1", 0x0b: ">i2", 0x0c: ">i4", 0x0d: ">f4", 0x0e: ">f8"}

// parseIDX parses the whole header of an IDX file.
func parseIDX(text []byte) (h head, err error) {
	if h.dtype, err = parseDescr(idxTypes[text[2]]); err != nil {
		return head{}, err
	}
	h.first = int64(len(text))
	var shape []int64
	for at := 4; at < len(text); at += 4 {
		shape = append(shape, int64(binary.BigEndian.Uint32(text[at:])))
	}
	return h, h.measure(shape)
}

// mostRows is how many rows an array may claim, as many as a compressed table may
// have bytes: each has an address.
const mostRows = 1 << 40

// measure says what follows from the lengths of the axes.
func (h *head) measure(axes []int64) error {
	if len(axes) == 0 {
		return &misfit{"ARRAY_SHAPE", "is a single value; expected an axis, whose places are rows"}
	}
	h.rows, h.fortran = axes[0], h.fortran && len(axes) > 1
	stride := uint64(h.size)
	for _, n := range axes[1:] {
		over, low := bits.Mul64(stride, uint64(n))
		if over != 0 || low > math.MaxInt32 {
			return &misfit{"ARRAY_SHAPE", fmt.Sprintf("has rows of the shape %v, more than 2^31 bytes each", axes[1:])}
		}
		stride = low
		h.shape = append(h.shape, int(n))
	}
	h.stride = int(stride)
	switch over, low := bits.Mul64(stride, uint64(h.rows)); {
	case stride == 0:
		return &misfit{"ARRAY_SHAPE", fmt.Sprintf("has rows of the shape %v, without a byte", axes[1:])}
	case h.rows > mostRows, over != 0, low > math.MaxInt64-mostHead-headBegin:
		return &misfit{"ARRAY_SHAPE", fmt.Sprintf("claims %d rows of %d bytes; expected at most 2^40 rows, and 2^63 bytes", h.rows, stride)}
	default:
		h.bytes = int64(low)
	}
	return nil
}

func bytesOf(n int64) string { return plural.Of(int(n), "byte") }

// fits checks that what holds the array has exactly so many bytes.
func (h *head) fits(size int64) error {
	if want := h.first + h.bytes; size != want {
		return &damage{"ARRAY_SIZE", fmt.Sprintf("has %s, but its header claims %d: %s of %s",
			bytesOf(size), want, plural.Of(int(h.rows), "row"), bytesOf(int64(h.stride)))}
	}
	return nil
}
