package message

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
)

// readScalar reads a number, or a string that may contain one.
func (p *Parser) readScalar(expected string) (text []byte, at int) {
	c := p.peek()
	at = p.at
	switch {
	case c == '"':
		text = p.readString()
	case c == '-' || '0' <= c && c <= '9':
		text = p.readNumber()
	default:
		p.failExpected("TYPE", expected)
	}
	return text, at
}

func (p *Parser) parseInt(bits int) int64 {
	text, at := p.readScalar("a whole number")
	v, err := parseWholeNumber(text, bits)
	switch {
	case p.err != nil:
	case errors.Is(err, strconv.ErrRange):
		p.fail(at, "INT_RANGE", "%s is beyond an int%d", shortQuote(text), bits)
	case err != nil || numberSize(text) < len(text):
		p.fail(at, "INT_SYNTAX", "%s is not an int%d", shortQuote(text), bits)
	}
	return v
}

// parseWholeNumber parses a number whose value is an integer, also in other notations: 1.0, 1e2.
func parseWholeNumber(text []byte, bits int) (int64, error) {
	v, err := strconv.ParseInt(string(text), 10, bits)
	if err == nil || !bytes.ContainsAny(text, ".eE") || numberSize(text) < len(text) {
		return v, err
	}
	mantissa, exponent := text, int64(0)
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.ParseInt(string(text[i+1:]), 10, 32) // the largest exponent if it is out of range
	}
	mantissa, isNegative := bytes.CutPrefix(mantissa, []byte("-"))
	integer, fraction, _ := bytes.Cut(mantissa, []byte("."))
	integer = bytes.TrimPrefix(integer, []byte("0"))
	digits := bytes.TrimRight(slices.Concat(integer, fraction), "0")
	point := int64(len(integer)) + exponent // its index in the digits
	switch {
	case len(digits) == 0:
		return 0, nil
	case int64(len(digits)) > point:
		return 0, strconv.ErrSyntax
	case point > maxDigits:
		return 0, strconv.ErrRange
	}
	digits = append(digits, bytes.Repeat([]byte("0"), int(point)-len(digits))...)
	if isNegative {
		digits = slices.Insert(digits, 0, '-')
	}
	return strconv.ParseInt(string(digits), 10, bits)
}

// maxDigits is the number of digits before the point that protobuf accepts.
const maxDigits = 20

func (p *Parser) parseFloat(bits int) float64 {
	text, at := p.readScalar("a number")
	switch string(text) {
	case "NaN":
		if bits == 32 {
			return float64(math.Float32frombits(canonicalNaN32))
		}
		return math.Float64frombits(canonicalNaN64)
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
