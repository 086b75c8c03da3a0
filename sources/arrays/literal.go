package arrays

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A dict is the header of a .npy file.
type dict struct {
	descr   string
	fields  bool // descr is a list of fields
	fortran bool
	shape   []int64
}

// maxAxes is the maximum number of axes of an array, as in NumPy.
const maxAxes = 64

// parseDict parses the dict of a .npy file. It has exactly three keys, in any order, whose values
// have known forms. No other Python syntax is accepted.
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
func parseDict(text string) (d dict, err error) {
	p := &literal{rest: text}
	var seen []string
	p.expect("{")
	for p.err == nil && !p.take("}") {
		key := p.parseString()
		p.expect(":")
		if p.err == nil && slices.Contains(seen, key) {
			p.fail("the key %q twice", key)
		}
		seen = append(seen, key)
		switch key {
		case "descr":
			if d.fields = p.isNext("["); d.fields {
				return d, nil // the fields are not read
			}
			d.descr = p.parseString()
		case "fortran_order":
			d.fortran = p.parseBool()
		case "shape":
			d.shape = p.parseTuple()
		default:
			p.fail("the key %q", key)
		}
		if !p.take(",") {
			p.expect("}")
			break
		}
	}
	if p.err == nil && len(seen) < 3 {
		p.fail("only the keys %q", seen)
	}
	if p.skipSpace(); p.err == nil && p.rest != "" {
		p.fail("more text after the dict")
	}
	return d, p.err
}

// A literal is the rest of the text to parse, up to the first error.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &damage{"ARRAY_HEADER", "the header has " + fmt.Sprintf(format, args...) +
			"; expected descr, fortran_order and shape, as NumPy writes them"}
	}
	p.rest = ""
}

func (p *literal) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *literal) isNext(s string) bool {
	p.skipSpace()
	return strings.HasPrefix(p.rest, s)
}

// take skips s if it comes next, and reports whether it did.
func (p *literal) take(s string) bool {
	if !p.isNext(s) {
		return false
	}
	p.rest = p.rest[len(s):]
	return true
}

func (p *literal) expect(s string) {
	if !p.take(s) {
		p.fail("no %q where one should be", s)
	}
}

// parseString parses a string in quotes, without escapes.
func (p *literal) parseString() string {
	for _, quote := range []string{"'", `"`} {
		if !p.take(quote) {
			continue
		}
		s, rest, closed := strings.Cut(p.rest, quote)
		if !closed || strings.ContainsAny(s, "\\\n") {
			p.fail("a string that does not end")
			return ""
		}
		p.rest = rest
		return s
	}
	p.fail("no text where one should be")
	return ""
}

func (p *literal) parseBool() bool {
	yes := p.take("True")
	if !yes && !p.take("False") {
		p.fail("no bool as fortran_order")
	}
	return yes
}

// parseTuple parses the lengths of axes: () or (3,) or (3, 4).
func (p *literal) parseTuple() []int64 {
	list := []int64{}
	p.expect("(")
	for p.err == nil && !p.take(")") {
		if list = append(list, p.parseLength()); len(list) > maxAxes {
			p.fail("more than %d axes", maxAxes)
		}
		if comma := p.take(","); !comma && (len(list) == 1 || !p.isNext(")")) {
			p.fail("no tuple as shape")
		}
	}
	return list
}

// failTooLong rejects an axis whose length does not fit into an int64; measure has the same error.
func (p *literal) failTooLong(length string) int64 {
	if len(length) > 40 {
		length = length[:40] + "…"
	}
	if p.err == nil {
		p.err = &mismatch{"ARRAY_SHAPE", fmt.Sprintf("claims an axis of %s places; expected at most 2^40 rows", length)}
	}
	p.rest = ""
	return 0
}

// parseLength parses a number without a sign. Python 2 writes an L after it.
func (p *literal) parseLength() (n int64) {
	p.skipSpace()
	digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	if digits == 0 {
		p.fail("no length of an axis where one should be, or a negative one")
	}
	for _, c := range p.rest[:digits] {
		if n > (math.MaxInt64-9)/10 {
			return p.failTooLong(p.rest[:digits])
		}
		n = 10*n + int64(c-'0')
	}
	p.rest = p.rest[min(digits, len(p.rest)):]
	p.take("L")
	return n
}
