package arrays

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A dict is what the header of a .npy file holds.
type dict struct {
	descr   string
	fields  bool // descr is a list of fields
	fortran bool
	shape   []int64
}

// mostAxes is how many axes an array may have; NumPy has a bound of 64.
const mostAxes = 64

// parseDict parses the dict of a .npy file: exactly three keys, in any order, and
// the form of each value is known. It is no more of Python than that.
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
func parseDict(text string) (d dict, err error) {
	p := &literal{rest: text}
	var seen []string
	p.expect("{")
	for p.err == nil && !p.take("}") {
		key := p.text()
		p.expect(":")
		if p.err == nil && slices.Contains(seen, key) {
			p.fail("the key %q stands twice", key)
		}
		seen = append(seen, key)
		switch key {
		case "descr":
			if d.fields = p.isNext("["); d.fields {
				return d, nil // whatever the fields are, they are not read
			}
			d.descr = p.text()
		case "fortran_order":
			d.fortran = p.bool()
		case "shape":
			d.shape = p.tuple()
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
	if p.skip(); p.err == nil && p.rest != "" {
		p.fail("more text after the dict")
	}
	return d, p.err
}

// A literal is the rest of a text that is parsed, up to the first fault.
type literal struct {
	rest string
	err  error
}

func (p *literal) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &damage{"ARRAY_HEADER", "the header has " + fmt.Sprintf(format, args...) + "; expected descr, fortran_order and shape, as NumPy writes them"}
	}
	p.rest = ""
}

func (p *literal) skip() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *literal) isNext(s string) bool {
	p.skip()
	return strings.HasPrefix(p.rest, s)
}

// take passes s if it stands there.
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

// text is a text in quotes, without escapes.
func (p *literal) text() string {
	for _, quote := range []string{"'", `"`} {
		if !p.take(quote) {
			continue
		}
		s, rest, closed := strings.Cut(p.rest, quote)
		if !closed || strings.ContainsAny(s, "\\\n") {
			p.fail("a text that does not end")
			return ""
		}
		p.rest = rest
		return s
	}
	p.fail("no text where one should be")
	return ""
}

func (p *literal) bool() bool {
	yes := p.take("True")
	if !yes && !p.take("False") {
		p.fail("no bool as fortran_order")
	}
	return yes
}

// tuple is the lengths of axes: () or (3,) or (3, 4).
func (p *literal) tuple() []int64 {
	list := []int64{}
	p.expect("(")
	for p.err == nil && !p.take(")") {
		if list = append(list, p.length()); len(list) > mostAxes {
			p.fail("more than %d axes", mostAxes)
		}
		if comma := p.take(","); !comma && (len(list) == 1 || !p.isNext(")")) {
			p.fail("no tuple as shape")
		}
	}
	return list
}

// tooLong refuses an axis whose length, of so many digits, no int64 holds: as measure does
// with less.
func (p *literal) tooLong(length string) int64 {
	if len(length) > 40 {
		length = length[:40] + "…"
	}
	if p.err == nil {
		p.err = &misfit{"ARRAY_SHAPE", fmt.Sprintf("claims an axis of %s places; expected at most 2^40 rows", length)}
	}
	p.rest = ""
	return 0
}

// length is a number without a sign; Python 2 writes an L behind it.
func (p *literal) length() (n int64) {
	p.skip()
	digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	if digits == 0 {
		p.fail("no length of an axis where one should be, or a negative one")
	}
	for _, c := range p.rest[:digits] {
		if n > (math.MaxInt64-9)/10 {
			return p.tooLong(p.rest[:digits])
		}
		n = 10*n + int64(c-'0')
	}
	p.rest = p.rest[min(digits, len(p.rest)):]
	p.take("L")
	return n
}
