package schema

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file reads numbers with marks between their digits: 1,299.00 and 1.299,00 and 4 014 314.
//
//	number  sign? digits (DECIMAL digits?)? exponent?
//	        sign? group (THOUSANDS group)+ (DECIMAL digits?)?
//
// The first group has 1 to 3 digits and does not begin with 0; all others have 3.

// marks are the marks in the numbers of a field.
type marks struct {
	thousands, decimal string     // thousands may be empty
	to                 conversion // of the number without marks
}

// newMarks returns the marks in the strings of f. It is nil if numbers have no other mark than a point.
func newMarks(f *Feature, to conversion) *marks {
	m := &marks{f.Thousands, cmp.Or(f.Decimal, "."), to}
	if m.thousands == "" && m.decimal == "." {
		return nil
	}
	return m
}

// isMark reports whether s can be a mark in numbers: one character that is not a letter, a digit, a
// sign, or a control character.
func isMark(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size > 0 && size == len(s) && r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
		!unicode.IsControl(r) && r != '-' && r != '+'
}

// checkMarks reports marks that numbers cannot have.
func (c *compiler) checkMarks(f *Feature) {
	decimal := cmp.Or(f.Decimal, ".")
	for _, x := range []struct{ setting, mark string }{{"thousands", f.Thousands}, {"decimal", f.Decimal}} {
		switch {
		case x.mark == "":
		case !isMark(x.mark):
			c.report(x.setting, "found %s; expected one character that is not a letter, a digit, or a sign",
				quote(x.mark))
		case x.mark == f.Separator:
			c.report(x.setting, "the separator is %s, too; a number with this mark would be split", quote(x.mark))
		}
	}
	if f.Thousands == decimal {
		hint := ""
		if decimal == "." {
			hint = `decimal: ","`
		}
		c.reportWithHint("thousands", hint, "found %s, which is also the decimal mark", quote(decimal))
	}
}

// thousandsAt returns the size of the thousands mark at the beginning of text, or 0. A space also
// matches the two spaces that do not break lines, U+00A0 and U+202F.
func (m *marks) thousandsAt(text []byte) int {
	if m.thousands == "" {
		return 0
	}
	if n := len(m.thousands); len(text) >= n && string(text[:n]) == m.thousands {
		return n
	}
	if m.thousands != " " {
		return 0
	}
	for _, space := range [...]string{"\u00a0", "\u202f"} {
		if n := len(space); len(text) >= n && string(text[:n]) == space {
			return n
		}
	}
	return 0
}

// count returns the number of thousands marks in text.
func (m *marks) count(text []byte) (n int) {
	for i := range text {
		if m.thousandsAt(text[i:]) > 0 {
			n++
		}
	}
	return n
}

// appendPlain appends the number in text without thousands marks, and with a point for its decimal
// mark. ok is false if marks are in wrong places. The result may still not be a number.
func (m *marks) appendPlain(dst, text []byte) (plain []byte, ok bool) {
	i := 0
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		dst, i = append(dst, text[0]), 1
	}
	first, digits, marked := i, 0, false // digits of the current group
	for i < len(text) {
		if c := text[i]; c-'0' <= 9 {
			dst = append(dst, c)
			digits++
			i++
			continue
		}
		n := m.thousandsAt(text[i:])
		if n == 0 {
			break
		}
		if marked && digits != 3 || !marked && (digits == 0 || digits > 3 || text[first] == '0') {
			return dst, false
		}
		marked, digits = true, 0
		i += n
	}
	if marked && digits != 3 {
		return dst, false
	}
	rest := text[i:]
	switch n := len(m.decimal); {
	case len(rest) >= n && string(rest[:n]) == m.decimal:
		dst, rest = append(dst, '.'), rest[n:]
	case len(rest) > 0 && rest[0] == '.':
		return dst, false
	}
	for k := 0; marked && k < len(rest); k++ {
		if rest[k]-'0' > 9 {
			return dst, false
		}
	}
	return append(dst, rest...), true
}

// convertMarked converts a string with marks.
func (c *converter) convertMarked(f *field, v *Value) *RowError {
	if _, ok := nonfinite(v.Text); ok && f.to.isFloat() {
		return c.convertFloat(f, v)
	}
	var ok bool
	if c.digits, ok = f.marks.appendPlain(c.digits[:0], v.Text); !ok {
		return c.pos.badMarks(f, v)
	}
	c.plain = Value{Kind: Number, Text: c.digits, At: v.At}
	err := c.convert(f, &c.plain)
	if err == nil {
		return nil
	}
	if strings.HasSuffix(err.Code, "_SYNTAX") {
		return c.pos.badMarks(f, v)
	}
	err.Found, err.Size = quote(v.Text), len(v.Text)
	return err
}

// badMarks returns the error of a string that is not a number with f's marks.
func (p *position) badMarks(f *field, v *Value) *RowError {
	code := "INT_SYNTAX"
	if f.to.isFloat() {
		code = "FLOAT_SYNTAX"
	}
	message := fmt.Sprintf("%s is not %s with the decimal mark %s", quote(v.Text), f.expected(), quote(f.marks.decimal))
	if f.marks.thousands != "" {
		message += fmt.Sprintf(" and the thousands mark %s between groups of 3 digits", quote(f.marks.thousands))
	}
	isNumber := func(text []byte) bool {
		plain, ok := f.marks.appendPlain(nil, text)
		return ok && isFloat(plain)
	}
	hint := cmp.Or(nullHint(f, v), spacedHint(v, isNumber))
	if plain, ok := f.marks.appendPlain(nil, v.Text); ok && hint == "" && !f.to.isFloat() {
		hint = f.fractionHint(plain)
	}
	return p.newError(f, v, code, message, hint)
}

// maxMarked is the length of the longest number with marks that takes the fast path.
const maxMarked = 40

// putMarked writes the entry of a number with marks, and returns its size. It returns 0 if the slow
// path must encode the string.
func (s *fastField) putMarked(p *[fastRoom]byte, text []byte) (int, uint64) {
	if len(text) > maxMarked {
		return 0, 0
	}
	var digits [maxMarked + 8]byte // the fast parsers read some bytes after the number
	plain, ok := s.marks.appendPlain(digits[:0], text)
	if !ok {
		return 0, 0
	}
	switch s.marks.to {
	case toInt:
		if x, ok := parseIntFast(plain); ok && s.lowest <= x && x <= s.highest {
			return s.putInt(p, uint64(x)), uint64(x)
		}
	case toFloat:
		if float, result := parseFloat(plain); result == numberOK {
			return s.putFloat(p, float), uint64(float)
		}
	case toDouble:
		if bits, result := parseDouble(plain); result == numberOK {
			return s.putDouble(p, bits), bits
		}
	}
	return 0, 0
}

// marksHint suggests the marks of a string that is a number with commas between its thousands. It
// is certain only if the string has a decimal mark, too, or two groups: 1,299 may be a fraction.
func marksHint(text []byte) string {
	if _, certain := ReadMarked(text, ",", "."); certain {
		return `thousands: ","`
	}
	if _, certain := ReadMarked(text, ".", ","); certain {
		return `thousands: ".", decimal: ","`
	}
	return ""
}
