package config

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

var errNoSize = errors.New("is no size such as 200MB or 128MiB")

// ParseSize is the number of bytes that a size such as 200MB or 128MiB says.
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
