package webdataset

import (
	"strconv"
	"strings"

	"tfr-build/internal/tarfile"
)

// The parts of a header, as POSIX defines ustar.
const (
	nameSize   = 100
	sizeAt     = 124
	checksumAt = 148
	typeAt     = 156
	magicAt    = 257

	// paxName is the name of the headers with attributes, as Python writes it.
	paxName = "././@PaxHeader"
)

// TailSize is the number of zero bytes that end an archive.
const TailSize = 2 * tarfile.BlockSize

// blank is a header without a name, a size, and a type: mode 0644, user and group 0 without names, the time 0.
var blank = func() (h [tarfile.BlockSize]byte) {
	copy(h[nameSize:], "0000644\x000000000\x000000000\x00")
	copy(h[sizeAt+12:], "00000000000\x00        ") // of the time, and the checksum while it is computed
	copy(h[magicAt:], "ustar\x0000")
	return h
}()

// appendHeader appends the headers of a member with a name and a content of size bytes.
func appendHeader(dst []byte, name string, size int) []byte {
	if short := asciiName(name); short != name {
		record := paxRecord("path", name)
		dst = appendBlock(dst, paxName, tarfile.TypePAX, len(record))
		dst = appendPadding(append(dst, record...), len(record))
		name = short
	}
	return appendBlock(dst, name, tarfile.TypeFile, size)
}

// asciiName returns what of a name fits the field for it.
func asciiName(name string) string {
	short := strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '_'
		}
		return r
	}, name)
	return short[:min(len(short), nameSize)]
}

// paxRecord returns an attribute as PAX stores it. Its length includes the digits of the length.
func paxRecord(key, value string) string {
	rest := " " + key + "=" + value + "\n"
	n := len(rest) + 1
	for n != len(rest)+len(strconv.Itoa(n)) {
		n++
	}
	return strconv.Itoa(n) + rest
}

func appendBlock(dst []byte, name string, kind byte, size int) []byte {
	start := len(dst)
	dst = append(dst, blank[:]...)
	h := dst[start:]
	copy(h[:nameSize], name)
	putOctal(h[sizeAt:sizeAt+11], size)
	h[typeAt] = kind
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	putOctal(h[checksumAt:checksumAt+6], sum)
	h[checksumAt+6] = 0
	return dst
}

// putOctal fills a field with octal digits.
func putOctal(field []byte, n int) {
	for i := len(field) - 1; i >= 0; i-- {
		field[i] = '0' + byte(n&7)
		n >>= 3
	}
}

// appendPadding appends the zeros after a content of size bytes.
func appendPadding(dst []byte, size int) []byte {
	return append(dst, zeros[:tarfile.Padded(int64(size))-int64(size)]...)
}

var zeros [TailSize]byte
