package message

import (
	"errors"
	"math"
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
	v, err := strconv.ParseInt(string(text), 10, bits)
	switch {
	case p.err != nil:
	case errors.Is(err, strconv.ErrRange):
		p.fail(at, "INT_RANGE", "%s is beyond an int%d", shortQuote(text), bits)
	case err != nil || numberSize(text) < len(text):
		p.fail(at, "INT_SYNTAX", "%s is not an int%d", shortQuote(text), bits)
	}
	return v
}

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
