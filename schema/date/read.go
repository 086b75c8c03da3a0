package date

// A moment has the parts of a time in a string. A weekday is 1 for Monday to 7 for Sunday, as in
// ISO 8601, or 0 if it is unknown.
type moment [parts]int

// fold converts an ASCII letter to lower case.
func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// readFast parses the most frequent cases: numbers with all their digits, and single characters
// between them. It returns the size of the parsed prefix, or 0 if read must parse the text.
func (s *step) readFast(m *moment, text []byte) int {
	switch {
	case s.do == readLiteral && len(s.literal) == 1:
		if len(text) > 0 && text[0] == s.literal[0] {
			return 1
		}
	case s.do > readDay || s.do == readSpace:
	case s.digits == 2 && len(text) >= 2:
		a, b := text[0]-'0', text[1]-'0'
		x := int(a)*10 + int(b)
		if a <= 9 && b <= 9 && int(s.low) <= x && x <= int(s.high) {
			m[s.part] = x
			return 2
		}
	case s.digits == 4 && len(text) >= 4:
		a, b, c, d := text[0]-'0', text[1]-'0', text[2]-'0', text[3]-'0'
		x := int(a)*1000 + int(b)*100 + int(c)*10 + int(d)
		if a <= 9 && b <= 9 && c <= 9 && d <= 9 && x > 0 {
			m[s.part] = x
			return 4
		}
	}
	return 0
}

// read parses a prefix of text and returns its size. ok is false if text does not match the step;
// then n is 0, or the size of a number that is out of range.
func (s *step) read(m *moment, text []byte) (n int, ok bool) {
	switch s.do {
	case readLiteral:
		return s.readLiteral(text)
	case readNumber:
		return s.readNumber(m, text)
	case readSpace:
		for n < len(text) && isSpace(text[n]) {
			n++
		}
		return n, n > 0
	case readDay:
		if len(text) > 1 && text[0] == ' ' && text[1]-'1' < 9 {
			m[day] = int(text[1] - '0')
			return 2, true
		}
		return s.readNumber(m, text)
	case readMonthName, readMonthAbbreviation:
		return readName(&m[month], text, monthNames[:], s.do == readMonthName)
	case readDayName, readDayAbbreviation:
		return readName(&m[weekday], text, dayNames[:], s.do == readDayName)
	case readHalf:
		return readHalfOfDay(m, text)
	case readFraction:
		return readDigits(m, text)
	case readOptionalFraction:
		if len(text) == 0 || text[0] != '.' {
			return 0, true
		}
		if n, ok = readDigits(m, text[1:]); ok {
			n++
		}
		return n, ok
	case readT:
		if len(text) == 0 || fold(text[0]) != 't' && text[0] != ' ' {
			return 0, false
		}
		return 1, true
	}
	m[hasOffset] = 1
	if s.do == readUTC {
		return readUTCName(text)
	}
	return readOffsetOf(&m[offset], text, s.do == readColonOffset)
}

func (s *step) readLiteral(text []byte) (int, bool) {
	n := len(s.literal)
	if len(text) < n {
		return 0, false
	}
	for i := range n {
		if c := text[i]; c != s.literal[i] && fold(c) != s.literal[i] {
			return 0, false
		}
	}
	return n, true
}

// readNumber parses as many digits as possible, up to s.digits.
func (s *step) readNumber(m *moment, text []byte) (int, bool) {
	x, n := 0, 0
	for n < int(s.digits) && n < len(text) && text[n]-'0' <= 9 {
		x = 10*x + int(text[n]-'0')
		n++
	}
	if n == 0 || s.all && n < int(s.digits) {
		return 0, false
	}
	m[s.part] = x
	if x < int(s.low) || x > int(s.high) {
		return n, false
	}
	if s.part == weekday && x == 0 {
		m[weekday] = 7 // %w numbers Sunday 0
	}
	return n, true
}

var monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
	"october", "november", "december"}

var dayNames = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// readName parses a name, or its first three letters, in any case.
func readName(to *int, text []byte, names []string, whole bool) (int, bool) {
	if len(text) < 3 {
		return 0, false
	}
	a, b, c := fold(text[0]), fold(text[1]), fold(text[2])
	for i, name := range names {
		if name[0] != a || name[1] != b || name[2] != c {
			continue
		}
		n := 3
		if whole {
			for n < len(name) && n < len(text) && fold(text[n]) == name[n] {
				n++
			}
			if n < len(name) {
				return 0, false
			}
		}
		*to = i + 1
		return n, true
	}
	return 0, false
}

func readHalfOfDay(m *moment, text []byte) (int, bool) {
	if len(text) < 2 || fold(text[1]) != 'm' {
		return 0, false
	}
	switch fold(text[0]) {
	case 'a':
		m[half] = 1
	case 'p':
		m[half] = 2
	default:
		return 0, false
	}
	return 2, true
}

// readDigits parses the digits of a fraction of a second, at most 9.
func readDigits(m *moment, text []byte) (int, bool) {
	const most = 9
	x, n := 0, 0
	for n < len(text) && text[n]-'0' <= 9 {
		if n == most {
			return 0, false
		}
		x = 10*x + int(text[n]-'0')
		n++
	}
	for range most - n {
		x *= 10
	}
	m[nanos] = x
	return n, n > 0
}

// readUTCName parses UTC or GMT, in any case.
func readUTCName(text []byte) (int, bool) {
	if len(text) < 3 {
		return 0, false
	}
	name := [3]byte{fold(text[0]), fold(text[1]), fold(text[2])}
	if name != [3]byte{'u', 't', 'c'} && name != [3]byte{'g', 'm', 't'} {
		return 0, false
	}
	return 3, true
}

// readOffsetOf parses an offset from UTC: +01:00, +0100, +01, Z. Strict offsets are RFC 3339's:
// hours and minutes with a colon, or Z in either case.
func readOffsetOf(to *int, text []byte, strict bool) (int, bool) {
	switch {
	case len(text) == 0:
		return 0, false
	case text[0] == 'Z' || strict && text[0] == 'z':
		return 1, true
	case text[0] != '+' && text[0] != '-':
		return 0, false
	}
	n := readClock(to, text[1:])
	if n == 0 || strict && (n != len("hh:mm") || text[3] != ':') {
		return 0, false
	}
	if text[0] == '-' {
		*to = -*to
	}
	return 1 + n, true
}

// readClock parses hours, optional minutes, and optional seconds. There are colons between all of
// them or between none. It returns the size, or 0 if the text does not match or a number is out of
// range.
func readClock(to *int, text []byte) (n int) {
	limits := [...]int{24, 60, 60}
	factors := [...]int{3600, 60, 1}
	colons := 0
	for i := range limits {
		at := n
		if i > 0 && colons == i-1 && at < len(text) && text[at] == ':' {
			colons++
			at++
		}
		if colons != 0 && colons != i || at+2 > len(text) || text[at]-'0' > 9 || text[at+1]-'0' > 9 {
			break
		}
		x := 10*int(text[at]-'0') + int(text[at+1]-'0')
		if x >= limits[i] {
			return 0
		}
		*to += x * factors[i]
		n = at + 2
	}
	return n
}
