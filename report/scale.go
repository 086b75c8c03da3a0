package report

import (
	"math/bits"
	"strconv"
	"strings"
)

// tenth is the unit of drawings: a tenth of a pixel.
const tenth = 10

// scaled returns length · part / whole, rounded.
func scaled(part, whole float64, length int) int {
	ratio := part / whole
	if !(ratio > 0) || !(part > 0) { // NaN is nothing, too: its conversion depends on the processor
		return 0
	}
	// The conversion keeps a processor from adding before it rounds the product.
	return int(float64(min(ratio, 1)*float64(length)) + 0.5)
}

// appendTenths appends a length in tenths of a pixel.
func appendTenths(dst []byte, n int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, int64(n/tenth), 10)
	if n%tenth != 0 {
		dst = append(dst, '.', byte('0'+n%tenth))
	}
	return dst
}

// appendThousandths appends n / 1000, which is not negative.
func appendThousandths(dst []byte, n int) []byte {
	dst = strconv.AppendInt(dst, int64(n/1000), 10)
	if n %= 1000; n > 0 {
		digits := strconv.Itoa(1000 + n)[1:]
		dst = append(dst, '.')
		dst = append(dst, strings.TrimRight(digits, "0")...)
	}
	return dst
}

// logUnit is what log2 gives for 2.
const logUnit = 1 << logBits

const logBits = 10

// log2 is the logarithm of n, which is positive, in units of 1 / logUnit, rounded
// down. Each square of the mantissa gives one more bit of it.
func log2(n int64) int {
	exponent := bits.Len64(uint64(n)) - 1
	mantissa := uint64(n) << (63 - exponent) // 1 is 1 << 63
	log := exponent
	for range logBits {
		high, _ := bits.Mul64(mantissa, mantissa) // 1 is 1 << 62
		log <<= 1
		if high >= 1<<63 {
			log++
			mantissa = high
		} else {
			mantissa = high << 1
		}
	}
	return log
}
