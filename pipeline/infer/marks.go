package infer

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// marks counts the strings of a column that may be numbers with marks between thousands or before decimals, other than
// plain integers.
type marks struct {
	count   int // strings
	texts   int // of those, strings other than plain floats
	styles  [len(markStyles)]markStyle
	unit    [2]string // what is before and after the number in each string, such as a currency
	united  int       // strings with it, as long as all have it; the styles are of their numbers
	plain   int       // strings whose numbers have no marks
	negated tally     // negative numbers in parentheses, or with a minus behind; the styles are of their numbers
	grouped tally     // strings with groups of digits, in any style, as long as all are
	word    sighting  // the first text without digits, which fits no style
}

// markStyles are the marks that features can read: between thousands, and before decimals.
var markStyles = [...]struct{ thousands, decimal string }{
	{",", "."}, {".", ","}, {" ", "."}, {" ", ","}, {"'", "."}, {"'", ","}, {"’", "."}, {"’", ","}, {"", ","},
}

// A markStyle counts the strings of a column that are numbers with the same marks.
type markStyle struct {
	fits    int
	odd     sighting // the first string that does not fit
	whole   int      // numbers without a fraction
	changed tally    // numbers that a float32 changes, other than plain floats
	certain bool     // the marks of a string cannot mean anything else
	example string   // the first string with such marks
}

// longestNumber is the size of the longest text that can be a number with its unit or currency, in
// bytes.
const longestNumber = 40

// groupedDigits matches numbers with groups of digits, also with the groups of India and with a unit or a currency.
var groupedDigits = regexp.MustCompile(
	`^[^0-9]{0,4}\d{1,3}([., '’\x{a0}\x{202f}\x{2009}]\d{2,3})*[., ` +
		`'’\x{a0}\x{202f}\x{2009}]\d{3}([.,]\d+)?[^0-9]{0,4}$`)

// unitAround matches a number with a currency before it, or a unit after it.
var unitAround = regexp.MustCompile(
	`^((?:[A-Z]{1,3} ?)?\p{Sc} ?|[A-Z]{3} )?([-+]?\.?\d[\d., '’\x{a0}\x{202f}]*)` +
		`([ \x{a0}]?(?:\p{Sc}|[%‰°]|[A-Za-zµ°/²³]{1,4}))?$`)

// trimUnit returns the number of a string with the unit of all strings before it.
func (m *marks) trimUnit(text []byte, n int) []byte {
	if m.united < m.count-n {
		return text
	}
	parts := unitAround.FindSubmatch(text)
	if parts == nil || (len(parts[1]) > 0) == (len(parts[3]) > 0) {
		return text
	}
	number := bytes.TrimRight(parts[2], " \u00a0\u202f")
	unit := [2]string{string(parts[1]), string(text[len(parts[1])+len(number):])}
	isName := bytes.HasSuffix(number, []byte(".")) // of a file
	if m.united > 0 && m.unit != unit || isName {
		return text
	}
	m.unit, m.united = unit, m.united+n
	return number
}

// negative matches negative numbers as accounts write them: in parentheses, or with a minus behind.
var negative = regexp.MustCompile(`^(?:\((\W*\d.*)\)|(\d[\d.,]*)-)$`)

// padded matches what has leading zeros, such as a code, so that it is not a number with marks.
var padded = regexp.MustCompile(`^[-+]?0\d`)

// add counts a string that occurs n times, which may be a plain float. A style that does not fit most strings is
// given up.
func (m *marks) add(t *reading, text []byte, isFloat bool, n int) {
	const few = 20
	m.count += n
	if parts := negative.FindSubmatch(text); parts != nil {
		m.negated.add(t, text, n)
		text = slices.Concat([]byte("-"), parts[1], parts[2])
	}
	mayBe := isFloat || len(text) <= longestNumber && bytes.ContainsAny(text, "0123456789") && !padded.Match(text)
	if !mayBe {
		m.texts += n
		m.word.see(t, text)
		return
	}
	if !isFloat && m.grouped.count == m.texts && groupedDigits.Match(text) {
		m.grouped.add(t, text, n)
	}
	if !isFloat {
		m.texts += n
		text = m.trimUnit(text, n)
	}
	if schema.IsFloat(text) {
		m.plain += n
	}
	for i, style := range markStyles {
		s := &m.styles[i]
		if m.count > few && (m.count-n-s.fits)*mostOdd > m.count {
			continue
		}
		plain, certain := text, false
		if !isFloat || style.decimal != "." { // which it has
			plain, certain = schema.ReadMarked(text, style.thousands, style.decimal)
		}
		if plain == nil {
			s.odd.see(t, text)
			continue
		}
		s.fits += n
		if _, whole := schema.IsInteger(plain); whole {
			s.whole += n
		}
		if !isFloat && len(plain) > floatDigits {
			x, _ := strconv.ParseFloat(string(plain), 64)
			if _, isChanged := changes(plain, x); isChanged {
				s.changed.add(t, text, n)
			}
		}
		if certain && !s.certain || s.example == "" &&
			(bytes.ContainsAny(text, style.thousands+style.decimal) || !bytes.Equal(plain, text)) {
			s.example, s.certain = string(text), certain
		}
	}
}

// nearest returns the style that fits most strings, of these one that is certain.
func (m *marks) nearest() (best int) {
	for i := range m.styles {
		s, b := &m.styles[i], &m.styles[best]
		if s.fits > b.fits || s.fits == b.fits && s.certain && !b.certain {
			best = i
		}
	}
	return best
}

// keys returns the keys of a feature of numbers in a style.
func (m *marks) keys(i int) (list spec) {
	style := markStyles[i]
	list = spec{"type: float"}
	if m.styles[i].whole == m.styles[i].fits {
		list[0] = "type: int64"
	}
	if style.thousands != "" && m.plain < m.count {
		list = append(list, "thousands: "+quoted(style.thousands))
	}
	if style.decimal != "." {
		list = append(list, "decimal: "+quoted(style.decimal))
	}
	return list
}

// readings returns the keys of a feature that reads the numbers of a style, with more keys. A comma may also be before
// decimals.
func (m *marks) readings(i int, more ...string) string {
	braced := func(i int) string { return append(m.keys(i), more...).braced() }
	commas := len(markStyles) - 1
	switch {
	case m.styles[i].certain || m.styles[i].example == "" || m.styles[commas].fits < m.styles[i].fits:
		return braced(i)
	case markStyles[i].thousands == ",":
		return braced(i) + " or " + braced(commas)
	}
	return braced(commas)
}

// markedType returns the type of strings that are numbers with marks, and a note. If the marks may mean something else,
// or if no key reads them, the type is a string. The note is empty if the strings are not such numbers. some is true if
// rows have none.
func markedType(x *texts, some bool) (spec, string) {
	i := x.marks.nearest()
	style := &x.marks.styles[i]
	switch {
	case x.count == x.numbers.count, x.marks.united > 0, x.marks.negated.count > 0:
		return nil, ""
	case style.fits == x.marks.count && style.certain:
		s, note := x.marks.keys(i), "numbers with marks: "+shown(style.example)+x.listNote(i, some)
		if s[0] == "type: float" {
			note += style.changed.and(x.numbers.changed).lossNote()
		}
		return s, note
	case style.fits == x.marks.count && style.example != "":
		return seemNumbers(style.example, x.marks.readings(i, omits(some)...)+x.listNote(i, some))
	case x.marks.grouped.count == x.marks.texts:
		return typed("string"), "numbers with marks that no key reads, it seems: " + shown(x.marks.grouped.first.text)
	}
	return nil, ""
}

// seemNumbers returns the type of strings that may be numbers, and a note with the keys that read them.
func seemNumbers(example, keys string) (spec, string) {
	return typed("string"), "numbers, it seems: " + shown(example) + "; to read them: " + keys
}

// omits returns the key for rows without a value; empty if all rows have one.
func omits(some bool) (list []string) {
	if some {
		list = append(list, "missing: omit")
	}
	return list
}

// points is the style with points between thousands.
const points = 1

// readPoints returns the keys that read it.
func readPoints(some bool) string {
	return append(spec{"type: int64", `thousands: "."`, `decimal: ","`}, omits(some)...).braced()
}

// mayBeThousands reports whether all points of numbers may be between thousands.
func (x *texts) mayBeThousands() bool {
	m := &x.marks.styles[points]
	isSmall := func(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, "-+"), "0.") }
	return m.example != "" && m.fits == x.marks.count && !slices.ContainsFunc(x.order, isSmall)
}

// hasDecimalCommas reports whether a column has numbers with a comma before decimals.
func (c *chooser) hasDecimalCommas() bool {
	return slices.ContainsFunc(c.columns, func(col *columnSummary) bool {
		if col.profile == nil {
			return false
		}
		x := &col.profile.texts
		i := x.marks.nearest()
		m := &x.marks.styles[i]
		return markStyles[i].decimal == "," && m.example != "" && m.whole < m.fits &&
			m.fits == x.marks.count
	})
}

// listNote returns how to read the strings of a style if they are lists of integers; empty if they cannot be.
func (x *texts) listNote(style int, some bool) string {
	separator := strings.Trim(markStyles[style].thousands+markStyles[style].decimal, ".")
	if i := slices.Index(separators[:], separator); i < 0 || !x.areNumbers(i) ||
		x.elements[i].numbers.ints < x.elements[i].count {
		return ""
	}
	s := spec{"type: int64", "separator: " + quoted(separator)}
	if some {
		s.add("missing", "empty_list")
	}
	return "; if these are lists: " + s.braced()
}

// odd returns the first string that does not fit a style.
func (m *marks) odd(style int) *sighting {
	if m.word.where != "" {
		return &m.word
	}
	return &m.styles[style].odd
}

// readNumbers returns how to read the strings of a column if all are numbers with one unit, some are negative in the
// way of accounts, or all are numbers in strings that are not cells; empty for others. name is the name of the column
// of numbers. some is true if rows have none.
func (x *texts) readNumbers(column, name string, areCells, some bool) string {
	m, n, of := &x.marks, &x.numbers, input.Operand(column)
	best, unit, at := m.nearest(), m.unit[0], 1
	number, with := "", ""
	switch fits := m.styles[best].fits; {
	case !areCells && n.count == x.count:
		if n.zeros+n.exponents > 0 || n.wide.count > 0 && n.ints < n.count {
			return ""
		}
		number, with = of, "the type string"
	case m.negated.count > 0 && m.united == 0 && fits == m.count:
		with = "parentheses or a minus behind"
		has, from := `ends_with(%s, "-")`, 0
		if m.negated.first.text[0] == '(' {
			has, from = `starts_with(%s, "(")`, 1
		}
		number = fmt.Sprintf(has+` ? "-" + substr(%[1]s, %[2]d, size(%[1]s) - %[3]d) : %[1]s`, of, from, from+1)
	case m.united == 0 || m.united < x.count || fits < x.count:
		return ""
	default:
		if unit == "" {
			unit, at = m.unit[1], 0
		}
		number, with = fmt.Sprintf("split(%s, %q)[%d]", of, unit, at), shown(unit)
	}
	if m.plain == m.count {
		number = strings.TrimSuffix(strings.TrimPrefix(m.keys(best)[0], "type: "), "64") + "(" + number + ")"
	}
	if some {
		number = "missing(" + of + ") ? null : " + number
	}
	return fmt.Sprintf("numbers with %s; to read them: derive: {%s: '%s'}, and %[2]s: %[4]s", with,
		scalar(name), strings.ReplaceAll(number, "'", "''"), m.readings(best, omits(some)...))
}
