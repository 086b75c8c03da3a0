package arrays

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A header is the header of an array.
type header struct {
	dtype
	fortran bool  // the first axis varies fastest
	rows    int64 // length of the first axis
	shape   []int // of a row
	stride  int   // bytes per row
	first   int64 // offset of the elements from the start of the header
	bytes   int64 // of all elements
}

const npyMagic = "\x93NUMPY"

// The length of the part of a header that has its length, and the maximum length of a header.
const (
	headerBegin = 12
	maxHeader   = 64 << 10
)

// readHeader parses the header that r begins with, without consuming it.
func readHeader(r *bufio.Reader) (header, error) {
	begin, err := r.Peek(headerBegin)
	if err != nil && err != io.EOF {
		return header{}, err
	}
	n, err := headerLen(begin)
	if err != nil {
		return header{}, err
	}
	text, err := r.Peek(n)
	if errors.Is(err, io.EOF) {
		return header{}, input.Damaged("ARRAY_SIZE", "has %s, where its header alone has %d", bytesOf(int64(len(text))),
			n)
	}
	if err != nil {
		return header{}, err
	}
	if isNPY(text) {
		return parseNPY(text)
	}
	return parseIDX(text)
}

func isNPY(begin []byte) bool { return strings.HasPrefix(string(begin), npyMagic) }

// isZip reports whether a file that begins with these bytes is a zip archive.
func isZip(begin []byte) bool {
	return strings.HasPrefix(string(begin), "PK\x03\x04") || strings.HasPrefix(string(begin), "PK\x05\x06")
}

// headerLen returns the length of a header that begins with these bytes.
func headerLen(begin []byte) (int, error) {
	switch {
	case isNPY(begin) && len(begin) < headerBegin:
		return headerBegin, nil // more than there is, so reading it fails
	case isNPY(begin) && begin[6] == 1:
		return 10 + int(binary.LittleEndian.Uint16(begin[8:])), nil
	case isNPY(begin) && (begin[6] == 2 || begin[6] == 3):
		if n := binary.LittleEndian.Uint32(begin[8:]); n <= maxHeader {
			return 12 + int(n), nil
		}
		return 0, input.Damaged("ARRAY_HEADER", "claims a header of %d bytes; expected at most %d",
			binary.LittleEndian.Uint32(begin[8:]), maxHeader)
	case isNPY(begin):
		return 0, input.Mismatch("ARRAY_FORMAT", "is .npy of version %d; expected 1 to 3", begin[6])
	case len(begin) >= 4 && begin[0] == 0 && begin[1] == 0 && idxTypes[begin[2]] != "":
		return 4 + 4*int(begin[3]), nil
	}
	return 0, notArray(begin)
}

func notArray(begin []byte) error {
	if len(begin) == 0 {
		return input.Mismatch("ARRAY_FORMAT", "is empty; expected .npy, .npz or IDX")
	}
	return input.Mismatch("ARRAY_FORMAT", "is not an array: it begins with %s; expected .npy, .npz or IDX",
		schema.Quote(string(begin)))
}

// parseNPY parses the complete header of a .npy file.
func parseNPY(text []byte) (header, error) {
	begin := headerBegin
	if text[6] == 1 {
		begin = 10
	}
	d, err := parseDict(string(text[begin:]))
	if err != nil {
		return header{}, err
	}
	if d.fields {
		return header{}, input.Mismatch("ARRAY_TYPE",
			"has structured data; expected bool, integers, floats of 16 to 64 bits, S or U")
	}
	h := header{fortran: d.fortran, first: int64(len(text))}
	if h.dtype, err = parseDescr(d.descr); err != nil {
		return header{}, err
	}
	return h, h.measure(d.shape)
}

// idxTypes are the types of IDX, as described in NumPy.
var idxTypes = map[byte]string{0x08: "|u1", 0x09: "|i1", 0x0b: ">i2", 0x0c: ">i4", 0x0d: ">f4", 0x0e: ">f8"}

// parseIDX parses the complete header of an IDX file.
func parseIDX(text []byte) (h header, err error) {
	if h.dtype, err = parseDescr(idxTypes[text[2]]); err != nil {
		return header{}, err
	}
	h.first = int64(len(text))
	var shape []int64
	for at := 4; at < len(text); at += 4 {
		shape = append(shape, int64(binary.BigEndian.Uint32(text[at:])))
	}
	return h, h.measure(shape)
}

// maxRows is the maximum number of rows that an array may claim. Row IDs have room for as many rows
// as for bytes of a compressed table.
const maxRows = 1 << 40

// measure computes the fields that depend on the lengths of the axes.
func (h *header) measure(axes []int64) error {
	if len(axes) == 0 {
		return input.Mismatch("ARRAY_SHAPE", "is a single value; expected an axis, whose places are rows")
	}
	h.rows, h.fortran = axes[0], h.fortran && len(axes) > 1
	stride := uint64(h.size)
	for _, n := range axes[1:] {
		over, low := bits.Mul64(stride, uint64(n))
		if over != 0 || low > math.MaxInt32 {
			return input.Mismatch("ARRAY_SHAPE", "has rows of the shape %v, more than 2^31 bytes each", axes[1:])
		}
		stride = low
		h.shape = append(h.shape, int(n))
	}
	h.stride = int(stride)
	switch over, low := bits.Mul64(stride, uint64(h.rows)); {
	case stride == 0:
		return input.Mismatch("ARRAY_SHAPE", "has rows of the shape %v, without a byte", axes[1:])
	case h.rows > maxRows, over != 0, low > math.MaxInt64-maxHeader-headerBegin:
		return input.Mismatch("ARRAY_SHAPE", "claims %d rows of %d bytes; expected at most 2^40 rows, and 2^63 bytes",
			h.rows, stride)
	default:
		h.bytes = int64(low)
	}
	return nil
}

func bytesOf(n int64) string { return plural.Of(int(n), "byte") }

// checkSize checks that the file or member has exactly as many bytes as the header says.
func (h *header) checkSize(size int64) error {
	if want := h.first + h.bytes; size != want {
		return input.Damaged("ARRAY_SIZE", "has %s, but its header claims %d: %s of %s",
			bytesOf(size), want, plural.Of(int(h.rows), "row"), bytesOf(int64(h.stride)))
	}
	return nil
}
