package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseNumber parses a number. at is the offset of the number, or of the minus before it.
func (p *parser) parseNumber(at int) *node {
	t := p.token
	text := p.text[at:t.end]
	n := p.newNode(opInt, at, at)
	var err error
	base := 10 // 010 is 10
	if strings.ContainsAny(text, "xX") {
		base = 0
	}
	if t.kind == floatToken {
		n.op = opFloat
		n.float, err = strconv.ParseFloat(text, 64)
		if err != nil {
			p.addError(at, quoteShort(text)+" is beyond the largest float64, 1.7976931348623157e+308", "")
			return n
		}
	} else if n.int, err = strconv.ParseInt(text, base, 64); err != nil {
		p.addError(at, quoteShort(text)+" is no int64, -9223372036854775808 to 9223372036854775807", "")
		return n
	}
	p.next()
	return n
}

// parseString parses a string in quotes.
func (p *parser) parseString() *node {
	t := p.token
	n := p.newNode(opText, t.at, t.at)
	inner, raw := p.text[t.at:t.end], false
	if inner[0]|0x20 == 'r' {
		inner, raw = inner[1:], true
	}
	inner = inner[1 : len(inner)-1]
	if raw || !strings.Contains(inner, `\`) {
		n.text = inner
	} else {
		n.text = p.unescape(t.end-1-len(inner), inner)
	}
	p.next()
	return n
}

// unescape replaces the escape sequences in a string. at is the offset of the string in the
// expression.
func (p *parser) unescape(at int, inner string) string {
	out := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			out = append(out, inner[i])
			i++
			continue
		}
		letter := inner[i+1] // the last character is never a backslash
		if strings.IndexByte("\"'`?", letter) >= 0 {
			out = append(out, letter)
			i += 2
			continue
		}
		const longest = len(`\U0010ffff`)
		escape := inner[i:min(i+longest, len(inner))]
		if letter == 'X' {
			escape = `\x` + escape[2:]
		}
		r, _, rest, err := strconv.UnquoteChar(escape, 0)
		switch {
		case err == nil:
			out = utf8.AppendRune(out, r)
			i += len(escape) - len(rest)
		case strings.IndexByte("xXuU0123456789", letter) >= 0:
			p.addError(at+i, "an escape that is no character, "+inner[i:min(i+6, len(inner))], "")
			return ""
		default:
			p.addError(at+i, "there is no escape "+inner[i:i+1+sizeOfRune(inner[i+1:])],
				`r"…" is a string without escapes; \\ is a backslash`)
			return ""
		}
	}
	return string(out)
}

func sizeOfRune(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// quoteShort quotes a part of the expression for messages, truncated if it is long.
func quoteShort(s string) string {
	part, more := shorten(s)
	return strconv.Quote(part) + more
}

// quoteRune quotes the first character of s.
func quoteRune(s string) string { return strconv.Quote(s[:sizeOfRune(s)]) }
