package report

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/plural"
)

// The most runes that are shown of a string.
const (
	maxName   = 120
	maxValue  = 60
	maxPhrase = 600
)

// clean returns a string of the data as it can be shown: what cannot be seen is
// spelled out as Go does, and what is longer than most runes is cut.
func clean(s string, most int) string {
	if isPlain(s) && len(s) <= most {
		return s
	}
	var b strings.Builder
	for shown := 0; len(s) > 0; shown++ {
		if shown == most {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		writeVisible(&b, r, s[:size])
		s = s[size:]
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// writeVisible writes a rune, whose bytes are given, or its escape.
func writeVisible(b *strings.Builder, r rune, bytes string) {
	if strconv.IsPrint(r) && (r != utf8.RuneError || len(bytes) > 1) {
		b.WriteString(bytes)
		return
	}
	quoted := strconv.Quote(bytes)
	b.WriteString(quoted[1 : len(quoted)-1])
}

// cleanEnds is clean that keeps the head and the tail of a long value, so that values with
// one beginning differ. isCut says that the value is longer than s.
func cleanEnds(s string, most int, isCut bool) string {
	runes := []rune(s)
	if len(runes) > most && utf8.ValidString(s) {
		tail := most / 3
		s = string(runes[:most-tail]) + "…" + string(runes[len(runes)-tail:])
	}
	s = clean(s, most+1) // the ellipsis is one more
	if isCut && !strings.HasSuffix(s, "…") {
		s += "…"
	}
	return s
}

// cleanLines is clean for a string of several lines, which is cut after most bytes.
func cleanLines(text []byte, most int) (shown string, isCut bool) {
	if len(text) > most {
		text, isCut = text[:most], true
	}
	var b strings.Builder
	for s := string(text); len(s) > 0; {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s, "\r\n"): // a line end, too
		default:
			writeVisible(&b, r, s[:size])
		}
		s = s[size:]
	}
	return b.String(), isCut
}

// Grouped returns a number with commas: 1,000,000.
func Grouped(n int64) string { return string(appendGrouped(nil, n)) }

func appendGrouped(dst []byte, n int64) []byte {
	return appendGroups(dst, strconv.FormatInt(n, 10))
}

// appendGroups appends the digits of a whole number with commas.
func appendGroups(dst []byte, digits string) []byte {
	dst, digits = appendSign(dst, digits)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, digits[i])
	}
	return dst
}

// appendSign appends the minus of a number, and returns its digits.
func appendSign(dst []byte, digits string) (_ []byte, rest string) {
	if digits[0] == '-' {
		return append(dst, "−"...), digits[1:]
	}
	return dst, digits
}

// appendWhole appends the digits of a whole number among values. One of four digits has no
// comma: it may be a year.
func appendWhole(dst []byte, digits string) []byte {
	if dst, digits = appendSign(dst, digits); len(digits) <= 4 {
		return append(dst, digits...)
	}
	return appendGroups(dst, digits)
}

// size returns a number of bytes with its unit: 244.8 MB.
func size(n int64) string {
	if n < 1000 {
		return plural.Of(n, "byte")
	}
	const units = "kMGTPE"
	value, unit := float64(n), -1
	for value >= 999.95 && unit+1 < len(units) {
		value /= 1000
		unit++
	}
	return strconv.FormatFloat(value, 'f', 1, 64) + " " + units[unit:unit+1] + "B"
}

// share returns a part in percent of the total: 80.0%.
func share(part, whole int64) string {
	if part == 0 || whole <= 0 {
		return "0%"
	}
	percent := float64(part) / float64(whole) * 100
	switch {
	case percent < 0.01:
		return "< 0.01%"
	case percent < 1:
		return strconv.FormatFloat(percent, 'f', 2, 64) + "%"
	case part < whole && percent > 99.9:
		return "> 99.9%" // 100 would say that there is nothing else
	case part == whole:
		return "100%"
	}
	return strconv.FormatFloat(percent, 'f', 1, 64) + "%"
}

// appendNumber appends a number with five digits or, if it is an integer and has no more
// than nine, all of them.
func appendNumber(dst []byte, v float64) []byte { return appendDigits(dst, v, 5) }

// rough is how many digits a number has that is not known better.
const rough = 4

func appendRounded(dst []byte, v float64) []byte { return appendDigits(dst, v, rough) }

func appendDigits(dst []byte, v float64, digits int) []byte {
	switch {
	case v > math.MaxFloat64:
		return append(dst, "∞"...)
	case v < -math.MaxFloat64:
		return append(dst, "−∞"...)
	}
	if whole := int64(max(min(v, 1e9), -1e9)); digits > rough && float64(whole) == v && whole > -1e9 && whole < 1e9 {
		return appendWhole(dst, strconv.FormatInt(whole, 10))
	}
	text := strconv.FormatFloat(v, 'e', digits-1, 64)
	near, err := strconv.ParseFloat(text, 64)
	if size := max(near, -near); err == nil && (size == 0 || size >= 1e-4) && size < 1e9 {
		whole, fraction, hasFraction := strings.Cut(strconv.FormatFloat(near, 'f', -1, 64), ".")
		dst = appendWhole(dst, whole)
		if hasFraction {
			dst = append(append(dst, '.'), fraction...)
		}
		return dst
	}
	text, isNegative := strings.CutPrefix(strconv.FormatFloat(v, 'g', digits, 64), "-")
	if isNegative {
		dst = append(dst, "−"...)
	}
	mantissa, exponent, hasExponent := strings.Cut(text, "e")
	dst = append(dst, mantissa...)
	if !hasExponent {
		return dst
	}
	power, _ := strconv.Atoi(exponent)
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, int64(power), 10)
}

// number returns the result of appendNumber as a string.
func number(v float64) string { return string(appendNumber(nil, v)) }

// appendExact appends a number of a document: an integer with all digits.
func appendExact(dst []byte, n json.Number) []byte {
	if whole, err := n.Int64(); err == nil {
		return appendWhole(dst, strconv.FormatInt(whole, 10))
	}
	v, err := n.Float64()
	if err != nil {
		return append(dst, "–"...)
	}
	return appendNumber(dst, v)
}

// count is a number of things, with commas: 1,000 rows.
func count(n int64, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return Grouped(n) + " " + noun + "es"
	}
	return Grouped(n) + " " + noun + "s"
}
