package infer

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// numbers counts numbers, and what a float32 keeps of them.
type numbers struct {
	count     int // numbers that a float32 or an int64 holds
	ints      int // integers that an int64 holds
	zeros     int // integers with leading zeros, such as 007
	wide      int // whole numbers of more than 7 digits that a float32 changes
	fractions int // numbers with a fraction
	exponents int // whole numbers with fewer digits than their exponent says
	digits    int // most digits of a number with a fraction
	plus      int // numbers with a plus
	beyond    int // numbers that no feature holds
	nonfinite int // NaN and infinities
	padded    int // numbers with several decimals that end in 0

	low, high   float64
	least, most int64  // of the integers
	tiny        int    // numbers that a float32 makes 0
	decimals    [2]int // fewest and most decimals
	firstWide   sighting
	firstPadded sighting
	firstOther  sighting // the first other than a plain integer
}

// A sighting is a value with the position of its row.
type sighting struct{ text, where string }

// mostSeen is the largest number of bytes of such a value.
const mostSeen = 80

// see keeps the first of several values.
func (s *sighting) see(t *reading, text []byte) {
	if s.where == "" {
		s.text, s.where = string(text[:min(len(text), mostSeen)]), t.where()
	}
}

func (s *sighting) String() string { return s.where + ": " + shown(s.text) }

func newNumbers() numbers {
	return numbers{low: math.Inf(1), high: math.Inf(-1), least: math.MaxInt64, most: math.MinInt64,
		decimals: [2]int{math.MaxInt, 0}}
}

// total returns how many numbers there are.
func (n *numbers) total() int { return n.count + n.beyond + n.nonfinite }

// integers returns the number of integers, which leading zeros make names.
func (n *numbers) integers() int { return n.ints + n.zeros }

// floatDigits is the number of decimal digits that every float32 keeps.
const floatDigits = 7

// add counts a string times times, if it is a number. It reports whether it is one.
func (n *numbers) add(t *reading, text []byte, times int) bool {
	zeros, isInt := schema.IsInteger(text)
	if !isInt && !schema.IsFloat(text) {
		return false
	}
	if n.count += times; text[0] == '+' {
		n.plus += times
	}
	if isInt && zeros {
		n.zeros += times
		return true
	}
	x, _ := strconv.ParseFloat(string(text), 64)
	n.low, n.high = min(n.low, x), max(n.high, x)
	if isInt {
		i, _ := strconv.ParseInt(string(text), 10, 64)
		n.addInt(i, times)
		if math.Abs(x) <= 1<<24 {
			return true
		}
	} else {
		n.firstOther.see(t, text)
		n.addDecimals(t, text, times)
	}
	n.addDigits(t, text, x, isInt, times)
	return true
}

// addDecimals counts the decimals of a number with a point.
func (n *numbers) addDecimals(t *reading, text []byte, times int) {
	point := bytes.IndexByte(text, '.')
	if point < 0 {
		return
	}
	count := len(text) - point - 1
	n.decimals = [2]int{min(n.decimals[0], count), max(n.decimals[1], count)}
	if count > 1 && text[len(text)-1] == '0' {
		n.padded += times
		n.firstPadded.see(t, text)
	}
}

// paddedNote says that numbers may be versions or codes: some end in 0 although others have fewer decimals.
func (n *numbers) paddedNote() string {
	if n.padded == 0 || n.decimals[0] == n.decimals[1] {
		return ""
	}
	return fmt.Sprintf("; the decimals end in 0 in %s, but their number varies, the first: %s; versions are "+
		"type: string", plural.Of(n.padded, "row"), &n.firstPadded)
}

// addDigits counts whether a float32 keeps the digits of a number, and whether the text has all of them.
func (n *numbers) addDigits(t *reading, text []byte, x float64, isInt bool, times int) {
	isWhole, digits := x == math.Trunc(x), 0
	if len(text) > floatDigits+1 || isWhole {
		digits = significantDigits(text)
	}
	switch {
	case !isWhole:
		n.fractions += times
		if n.digits = max(n.digits, digits); float32(x) == 0 {
			n.tiny += times
		}
		return
	case !isInt && math.Abs(x) >= math.Pow10(digits) && bytes.ContainsAny(text, "eE"):
		n.exponents += times
	}
	if isBeyond := math.Abs(x) >= 1<<63; digits > floatDigits && (isBeyond || float64(float32(x)) != x) {
		n.wide += times
		n.firstWide.see(t, text)
	}
}

// significantDigits returns the number of digits between the first and the last that is not zero, without the
// exponent.
func significantDigits(text []byte) (n int) {
	zeros := 0
	for _, c := range text {
		switch {
		case c == 'e' || c == 'E':
			return n
		case c == '0' && n > 0:
			zeros++
		case c > '0' && c <= '9':
			n += zeros + 1
			zeros = 0
		}
	}
	return n
}

// addBinary counts the number with an index in an array.
func (n *numbers) addBinary(t *reading, v *schema.Value, i int) {
	x, f, isFloat := v.NumberAt(i)
	switch {
	case isFloat && (math.IsNaN(f) || math.IsInf(f, 0)):
		n.nonfinite++
		return
	case v.Elem == schema.Uint64 && isFloat: // above 2^63-1
		n.beyond++
		return
	case !isFloat:
		f = float64(x)
		n.addInt(x, 1)
	case v.Elem == schema.Float64 && float64(float32(f)) != f:
		n.addDigits(t, strconv.AppendFloat(nil, f, 'g', -1, 64), f, true, 1)
	case f != math.Trunc(f):
		n.fractions++
	}
	n.count++
	n.low, n.high = min(n.low, f), max(n.high, f)
}

// addInt counts an integer that occurs times times.
func (n *numbers) addInt(x int64, times int) {
	n.ints += times
	n.least, n.most = min(n.least, x), max(n.most, x)
}

// span returns the range of the numbers as text.
func (n *numbers) span() string {
	if n.ints == n.count && n.ints > 0 {
		return extent(fmt.Sprint(n.least), fmt.Sprint(n.most), n.least == n.most)
	}
	return extent(number(n.low), number(n.high), n.low == n.high)
}

// extent returns the range of values, which may be one, as text.
func extent(least, most string, isOne bool) string {
	if isOne {
		return "all " + least
	}
	return least + " to " + most
}

// number returns a number as text.
func number(x float64) string {
	const exact = 1e15 // largest whole number that is shown exactly
	if x == math.Trunc(x) && math.Abs(x) < exact {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// areWhole reports whether no number has a fraction, some are written with a point, and only an integer keeps all of
// their digits.
func (n *numbers) areWhole() bool {
	others := n.fractions + n.exponents + n.beyond + n.nonfinite + n.zeros
	return n.wide > 0 && others == 0 && n.ints < n.count && max(-n.low, n.high) < 1<<63
}

// lossNote says what a float32 does not keep; empty if it keeps all.
func (n *numbers) lossNote() (note string) {
	if n.wide > 0 {
		note = fmt.Sprintf("; float32 changes %s, the first: %s; string would keep the digits",
			plural.Of(n.wide, "whole number"), &n.firstWide)
	}
	if n.tiny > 0 {
		note += "; float32 makes " + plural.Of(n.tiny, "number") + " 0"
	}
	if n.digits > floatDigits+1 {
		note += fmt.Sprintf("; float32 keeps %d of up to %d digits", floatDigits, n.digits)
	}
	return note
}
