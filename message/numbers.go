package message

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
)

// scalar reads a number, or a text that should be one.
func (p *Parser) scalar(expected string) (text []byte, at int) {
	c := p.next()
	at = p.at
	switch {
	case c == '"':
		text = p.string()
	case c == '-' || '0' <= c && c <= '9':
		text = p.number()
	default:
		p.expected("TYPE", expected)
	}
	return text, at
}

func (p *Parser) int(bits int) int64 {
	text, at := p.scalar("a whole number")
	v, err := parseWhole(text, bits)
	switch {
	case p.err != nil:
	case errors.Is(err, strconv.ErrRange):
		p.fail(at, "INT_RANGE", "%s is beyond an int%d", shortQuote(text), bits)
	case err != nil || numberSize(text) < len(text):
		p.fail(at, "INT_SYNTAX", "%s is not an int%d", shortQuote(text), bits)
	}
	return v
}

// parseWhole reads a number that is whole, if not in its spelling: 1.0 and 1e2 are.
func parseWhole(text []byte, bits int) (int64, error) {
	v, err := strconv.ParseInt(string(text), 10, bits)
	if err == nil || !bytes.ContainsAny(text, ".eE") || numberSize(text) < len(text) {
		return v, err
	}
	mantissa, exponent := text, int64(0)
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.ParseInt(string(text[i+1:]), 10, 32) // the largest, of one that is beyond
	}
	mantissa, isNegative := bytes.CutPrefix(mantissa, []byte("-"))
	integer, fraction, _ := bytes.Cut(mantissa, []byte("."))
	integer = bytes.TrimPrefix(integer, []byte("0"))
	digits := bytes.TrimRight(slices.Concat(integer, fraction), "0")
	point := int64(len(integer)) + exponent // its place in the digits
	switch {
	case len(digits) == 0:
		return 0, nil
	case int64(len(digits)) > point:
		return 0, strconv.ErrSyntax
	case point > mostDigits:
		return 0, strconv.ErrRange
	}
	digits = append(digits, bytes.Repeat([]byte("0"), int(point)-len(digits))...)
	if isNegative {
		digits = slices.Insert(digits, 0, '-')
	}
	return strconv.ParseInt(string(digits), 10, bits)
}

// mostDigits is how many digits protobuf takes before the point.
const mostDigits = 20

func (p *Parser) float(bits int) float64 {
	text, at := p.scalar("a number")
	switch string(text) {
	case "NaN":
		if bits == 32 {
			return float64(math.Float32frombits(usualNaN32))
		}
		return math.Float64frombits(usualNaN64)
	case "Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if p.err != nil {
		return 0
	}
	if n := numberSize(text); n == 0 || n < len(text) {
		p.fail(at, "FLOAT_SYNTAX", "%s is not a number, NaN, Infinity or -Infinity", shortQuote(text))
		return 0
	}
	v, err := strconv.ParseFloat(string(text), bits)
	if err != nil {
		p.fail(at, "FLOAT_RANGE", "%s is beyond a float%d", shortQuote(text), bits)
	}
	return v
}
