package config

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
)

var (
	sizeForm = regexp.MustCompile(`^(0|[1-9][0-9]*)([KMGT]?i?B)$`)
	// sizeForm also accepts iB, which is not a unit.
	sizeUnits = map[string]int64{"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
)

const sizeWords = "a size such as 200MB or 128MiB"

var errNoSize = errors.New("is not a size such as 200MB or 128MiB")

// ParseSize returns the number of bytes of a size such as 200MB or 128MiB.
func ParseSize(s string) (int64, error) {
	m := sizeForm.FindStringSubmatch(s)
	if m == nil || sizeUnits[m[2]] == 0 {
		return 0, fmt.Errorf("%s %w", quoteValue(s), errNoSize)
	}
	count, err := strconv.ParseUint(m[1], 10, 64)
	over, bytes := bits.Mul64(count, uint64(sizeUnits[m[2]]))
	if err != nil || over > 0 || bytes > math.MaxInt64 {
		return 0, fmt.Errorf("%s is too large", quoteValue(s))
	}
	return int64(bytes), nil
}

func sizeRule(s string) (expected, hint string) {
	if _, err := ParseSize(s); errors.Is(err, errNoSize) {
		return sizeWords, "the units are B KB MB GB TB KiB MiB GiB TiB"
	}
	return "", ""
}

// sizeDigits returns the number of bytes of a size, as digits.
func sizeDigits(s string) string {
	bytes, err := ParseSize(s)
	if err != nil {
		return tooLarge
	}
	return strconv.FormatInt(bytes, 10)
}

// tooLarge is more bytes than an int64 holds. It is outside the range of every key, so the problem
// names the range.
const tooLarge = "9223372036854775808"

// inBytes returns the canonical text of a size. It does not depend on the unit in the config, so
// neither does the digest.
func inBytes(bytes string) string { return bytes + "B" }
