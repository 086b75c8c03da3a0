package parquet

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"tfr-build/schema"
)

// This file formats values for which JSON has no type as strings.

const secondsADay = 24 * 60 * 60

// appendDate appends a date, given in days since 1970-01-01, as 2024-01-31.
func appendDate(dst []byte, days int64) []byte {
	year, month, day := time.Unix(days*secondsADay, 0).UTC().Date()
	switch {
	case year < 0:
		dst, year = append(dst, '-'), -year
	case year > 9999:
		dst = append(dst, '+')
	}
	return fmt.Appendf(dst, "%04d-%02d-%02d", year, month, day)
}

// powers has the powers of ten, by exponent.
var powers = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// appendClock appends a time of the day as 12:34:56.789. x counts units of 10^-digits seconds.
func appendClock(dst []byte, x int64, digits int) []byte {
	seconds := x / powers[digits]
	return fmt.Appendf(dst, "%02d:%02d:%02d.%0*d", seconds/3600, seconds/60%60, seconds%60, digits, x%powers[digits])
}

// appendTimestamp appends a date and time. x counts units of 10^-digits seconds since 1970.
func appendTimestamp(dst []byte, x int64, digits int, utc bool) []byte {
	units := secondsADay * powers[digits]
	days := x / units
	if x%units < 0 {
		days--
	}
	dst = append(appendDate(dst, days), 'T')
	dst = appendClock(dst, x-days*units, digits)
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// julian1970 is the number of the Julian day that begins at noon of 1970-01-01.
const julian1970 = 2440588

// appendJulian appends the time of a 12-byte INT96 value. ok is false if its nanoseconds exceed a
// day.
func appendJulian(dst, b []byte) (_ []byte, ok bool) {
	nanoseconds, day := binary.LittleEndian.Uint64(b), int64(binary.LittleEndian.Uint32(b[8:]))
	if nanoseconds >= secondsADay*1e9 {
		return dst, false
	}
	dst = append(appendDate(dst, day-julian1970), 'T')
	return appendClock(dst, int64(nanoseconds), 9), true
}

// appendDecimal appends a decimal number. The last scale digits of x are after the decimal point.
func appendDecimal(dst []byte, x int64, scale int) []byte {
	from := len(dst)
	return insertPoint(strconv.AppendInt(dst, x, 10), from, scale)
}

// insertPoint inserts the decimal point before the last scale digits of the number that starts at
// dst[from].
func insertPoint(dst []byte, from, scale int) []byte {
	if scale == 0 {
		return dst
	}
	if dst[from] == '-' {
		from++
	}
	for len(dst)-from <= scale {
		dst = slices.Insert(dst, from, '0')
	}
	return slices.Insert(dst, len(dst)-scale, '.')
}

// maxDecimal limits the bytes of a decimal. 76 digits need 32.
const maxDecimal = 64

// appendWide appends a decimal from a big-endian number in two's complement.
func appendWide(dst, b []byte, scale int) []byte {
	x := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	from := len(dst)
	return insertPoint(x.Append(dst, 10), from, scale)
}

// appendUUID appends a UUID as 01234567-89ab-cdef-0123-456789abcdef.
func appendUUID(dst, b []byte) []byte {
	return fmt.Appendf(dst, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// appendString formats a value of a kind that is read as a string. ok is false if the bytes are
// not a valid value.
func (f *leaf) appendString(dst, b []byte) (_ []byte, ok bool) {
	switch f.kind {
	case uuid:
		return appendUUID(dst, b), true
	case decimal:
		return appendDecimal(dst, integer(b), f.unit), true
	case decimalBytes:
		if len(b) == 0 || len(b) > maxDecimal {
			return dst, false
		}
		return appendWide(dst, b, f.unit), true
	case date:
		return appendDate(dst, integer(b)), true
	case clock:
		x := integer(b)
		if x < 0 || x >= secondsADay*powers[f.unit] {
			return dst, false
		}
		return appendClock(dst, x, f.unit), true
	case timestamp:
		return appendTimestamp(dst, integer(b), f.unit, f.utc), true
	}
	return appendJulian(dst, b)
}

// integer returns an integer of 4 or 8 bytes.
func integer(b []byte) int64 {
	if len(b) == 4 {
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// noun returns the name of a value of the kind, for messages.
func (k kind) noun() string {
	switch k {
	case decimalBytes:
		return "decimal"
	case clock:
		return "time of the day"
	}
	return "time"
}

// valueError returns the error of bytes that are not a valid value of their type.
func (f *leaf) valueError(b []byte) error {
	b = b[:min(len(b), 16)]
	return &schema.RowError{Code: "PARQUET_VALUE", At: -1, Column: f.name,
		Message: fmt.Sprintf("the bytes %x are no %s", b, f.kind.noun())}
}
