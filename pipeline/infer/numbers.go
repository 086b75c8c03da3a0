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
	zeros     int // numbers with leading zeros, such as 007 and 038.9
	fractions int // numbers with a fraction
	exponents int // whole numbers with fewer digits than their exponent says
	plus      int // numbers with a plus
	beyond    int // numbers that no feature holds
	nonfinite int // NaN and infinities

	low, high   float64
	least, most int64    // of the integers
	decimals    [2]int   // fewest and most decimals
	wide        tally    // whole numbers of more than 7 digits that a float32 changes
	changed     tally    // all numbers that a float32 changes
	padded      tally    // numbers with several decimals that end in 0
	firstOther  sighting // the first other than a plain integer
}

// A tally counts values, and keeps the first.
type tally struct {
	count int
	first sighting
}

// add counts a value that occurs times times.
func (c *tally) add(t *reading, text []byte, times int) {
	c.count += times
	c.first.see(t, text)
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

// A float32 keeps about floatDigits decimal digits, and a float64 keeps doubleDigits.
const floatDigits, doubleDigits = 7, 15

// add counts a string times times, if it is a number. It reports whether it is one.
func (n *numbers) add(t *reading, text []byte, times int) bool {
	zeros, isInt := schema.IsInteger(text)
	if !isInt && !schema.IsFloat(text) {
		return false
	}
	if n.count += times; text[0] == '+' {
		n.plus += times
	}
	if digits := bytes.TrimLeft(text, "+-"); !isInt {
		zeros = digits[0] == '0' && len(digits) > 1 && digits[1] >= '0' && digits[1] <= '9'
	}
	if zeros {
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
	n.addDigits(t, text, x, times)
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
		n.padded.add(t, text, times)
	}
}

// paddedNote says that numbers may be versions or codes: some end in 0 although others have fewer decimals.
func (n *numbers) paddedNote() string {
	if n.padded.count == 0 || n.decimals[0] == n.decimals[1] {
		return ""
	}
	return fmt.Sprintf("; the decimals end in 0 in %s, but their number varies, the first: %s; versions are "+
		"type: string", plural.Of(n.padded.count, "row"), &n.padded.first)
}

// addDigits counts a number by its fraction and its exponent, and if a float32 does not give it back.
func (n *numbers) addDigits(t *reading, text []byte, x float64, times int) {
	digits, isChanged := changes(text, x)
	isWhole := x == math.Trunc(x)
	isChanged = isChanged || isWhole && digits > doubleDigits
	switch {
	case !isWhole:
		n.fractions += times
	case math.Abs(x) >= math.Pow10(digits) && bytes.ContainsAny(text, "eE"):
		n.exponents += times
	}
	if isChanged {
		n.changed.add(t, text, times)
	}
	if isChanged && isWhole && digits > floatDigits {
		n.wide.add(t, text, times)
	}
}

// changes reports whether a float32 does not give back the digits of a number in text, and how many these are between
// the first and the last that is not zero.
func changes(text []byte, x float64) (digits int, isChanged bool) {
	zeros, point, last := 0, len(text), 0 // the last is in the place of this power of 10
	for i, c := range text {
		switch {
		case c == 'e' || c == 'E':
			exponent, _ := strconv.Atoi(string(text[i+1:]))
			return digits, isFar(x, last+exponent)
		case c == '.':
			point = i
		case c == '0' && digits > 0:
			zeros++
		case c > '0' && c <= '9':
			digits += zeros + 1
			zeros, last = 0, min(0, point-i)
		}
	}
	return digits, isFar(x, last)
}

// isFar reports whether the digits of the nearest float32 are others, as the last is in the place of a power of 10.
func isFar(x float64, last int) bool { return 2*math.Abs(float64(float32(x))-x) > math.Pow10(last) }

// addBinary counts the number with an index in an array.
func (n *numbers) addBinary(t *reading, v *schema.Value, i int) {
	x, f, isFloat := v.NumberAt(i)
	switch {
	case isFloat && (math.IsNaN(f) || math.IsInf(f, 0)):
		n.nonfinite++
		return
	case v.Elem == schema.Uint64 && isFloat, math.IsInf(float64(float32(f)), 0): // above 2^63-1 or a float32
		n.beyond++
		return
	case !isFloat:
		f = float64(x)
		n.addInt(x, 1)
	case v.Elem == schema.Float64 && float64(float32(f)) != f:
		n.addDigits(t, strconv.AppendFloat(nil, f, 'f', -1, 64), f, 1)
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
	return n.wide.count > 0 && others == 0 && n.ints < n.count && max(-n.low, n.high) < 1<<63
}

// and returns the tally of the values of two, with the first of one of them.
func (c tally) and(other tally) tally {
	if c.count += other.count; c.first.where == "" {
		c.first = other.first
	}
	return c
}

// lossNote says that a float32 changes numbers, and what keeps them; empty if it changes none.
func (c tally) lossNote() string {
	if c.count == 0 {
		return ""
	}
	return fmt.Sprintf("; float32 changes %s, the first: %s; string would keep the digits",
		plural.Of(c.count, "number"), &c.first)
}
