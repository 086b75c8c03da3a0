package config

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Nearest is the name that word is most likely meant to be; empty where none
// is near.
func Nearest(word string, names []string) string { return nearest(word, names) }

// ParseSize is the number of bytes that a size such as 200MB or 128MiB says.
func ParseSize(s string) (int64, error) {
	m := sizeForm.FindStringSubmatch(s)
	if m == nil || sizeUnits[m[2]] == 0 {
		return 0, fmt.Errorf("%s is no size such as 200MB or 128MiB", quoteValue(s))
	}
	count, err := strconv.ParseUint(m[1], 10, 64)
	over, bytes := bits.Mul64(count, uint64(sizeUnits[m[2]]))
	if err != nil || over > 0 || bytes > math.MaxInt64 {
		return 0, fmt.Errorf("%s is too large", quoteValue(s))
	}
	return int64(bytes), nil
}
