package config

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
)

// wants is the fault of a value that is not what was wanted.
func (p *parser) wants(path string, n *node, want string) {
	hint := ""
	switch {
	case n.faulty:
		return
	case n.isNull() && n.text != "" && strings.Contains(want, "text"):
		hint = "quote it"
	case n.isNull():
		hint = "give it a value, or take the key out"
	}
	p.hinted(path, hint, "found %s; want %s", n.looks(), want)
}

// text is a scalar as the source has it, whatever YAML would make of it.
func (p *parser) text(path string, n *node, want string) (string, bool) {
	p.places[path] = n.place
	if n.faulty || !n.isScalar() || n.isNull() {
		p.wants(path, n, want)
		return "", false
	}
	return n.text, true
}

// texts is a list of scalars as the source has them.
func (p *parser) texts(path string, n *node, emptyOK bool) ([]string, bool) {
	if n.kind != listNode || len(n.list) == 0 && !emptyOK {
		p.wants(path, n, "a list of texts")
		return nil, false
	}
	texts, ok := make([]string, 0, len(n.list)), true
	for i, e := range n.list {
		sub := path + "[" + strconv.Itoa(i) + "]"
		p.places[sub] = e.place
		if e.isNull() && !e.faulty {
			p.hinted(sub, "quote it", "found nothing in a list of texts")
			ok = false
			continue
		}
		s, fine := p.text(sub, e, "a text")
		texts, ok = append(texts, s), ok && fine
	}
	return texts, ok
}

// word is a text that has a form or is one of some words.
func (p *parser) word(path string, n *node, tag reflect.StructTag) string {
	isReserved := func(word string) bool { return notYet[tag.Get("yaml")+": "+word] }
	words := slices.DeleteFunc(strings.Fields(tag.Get("enum")), isReserved)
	want := "a text"
	if len(words) > 0 {
		want = oneOf(words)
	}
	s, ok := p.text(path, n, want)
	switch {
	case !ok:
		return ""
	case isReserved(s):
		p.bad(path, "%s: not yet", quoteValue(s))
	case len(words) > 0 && !slices.Contains(words, s):
		p.hinted(path, didYouMean(nearest.Of(s, words)), "found %s; want %s", quoteValue(s), want)
	case forms[tag.Get("is")] != nil:
		fixed, want, hint := forms[tag.Get("is")](s)
		if want != "" {
			p.hinted(path, hint, "found %s; want %s", quoteValue(s), want)
		}
		return fixed
	}
	return s
}

func (p *parser) boolean(path string, n *node) bool {
	switch {
	case n.isScalar() && !n.quoted && n.text == "true":
		return true
	case n.isScalar() && !n.quoted && n.text == "false":
	case n.isScalar() && n.quoted && (n.text == "true" || n.text == "false"):
		p.hinted(path, "take the quotes off", "found the text %s; want true or false", quoteValue(n.text))
	default:
		p.wants(path, n, "true or false")
	}
	return false
}

// digits is the text of a whole number.
func (p *parser) digits(path string, n *node) (string, bool) {
	const want = "a whole number"
	switch {
	case n.faulty || !n.isScalar() || n.isNull():
		p.wants(path, n, want)
	case n.quoted && wholeNumber.MatchString(n.text):
		p.hinted(path, "take the quotes off", "found the text %s; want %s", quoteValue(n.text), want)
	case n.quoted:
		p.wants(path, n, want)
	case wholeNumber.MatchString(n.text):
		return n.text, true
	case leadingZero.MatchString(n.text):
		p.hinted(path, leadingZeroHint(n.text), "found %s, with a leading zero; want %s", quoteValue(n.text), want)
	case floatNumber.MatchString(n.text) || otherNumber.MatchString(n.text):
		p.bad(path, "found %s; want %s, in decimal digits alone", quoteValue(n.text), want)
	default:
		p.wants(path, n, want)
	}
	return "", false
}

func leadingZeroHint(text string) string {
	digits := strings.TrimLeft(strings.TrimLeft(text, "+-"), "0")
	if digits == "" {
		return "write 0"
	}
	if octal, err := strconv.ParseUint(digits, 8, 63); err == nil && octal > 7 {
		return fmt.Sprintf("octal %d or decimal %s? Write it without the zero", octal, digits)
	}
	return "write it without the zero"
}

// integer is a whole number, or the size that the tag asks for, in its range.
func (p *parser) integer(path string, n *node, tag reflect.StructTag) int64 {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if bounds := strings.Fields(tag.Get("range")); len(bounds) == 2 {
		low, _ = strconv.ParseInt(bounds[0], 10, 64)
		high, _ = strconv.ParseInt(bounds[1], 10, 64)
	}
	if tag.Get("is") == "size" {
		return p.size(path, n, low, high)
	}
	return p.between(path, n, low, high)
}

// between is a whole number from low to high.
func (p *parser) between(path string, n *node, low, high int64) int64 {
	digits, ok := p.digits(path, n)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || i < low || i > high {
		p.bad(path, "found %s; want a whole number from %d to %d", digits, low, high)
		return 0
	}
	return i
}

func (p *parser) unsigned(path string, n *node) uint64 {
	digits, ok := p.digits(path, n)
	if !ok {
		return 0
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64)
	if err != nil {
		p.bad(path, "found %s; want a whole number from 0 to %d", digits, uint64(math.MaxUint64))
	}
	return u
}

var (
	sizeForm = regexp.MustCompile(`^(0|[1-9][0-9]*)([KMGT]?i?B)$`)
	// sizeUnits has iB too, which sizeForm lets through and nothing means.
	sizeUnits = map[string]int64{"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
)

// size is a number of bytes.
func (p *parser) size(path string, n *node, low, high int64) int64 {
	const want = "a size such as 200MB or 128MiB"
	s, ok := p.text(path, n, want)
	if !ok {
		return 0
	}
	bytes, err := ParseSize(s)
	switch {
	case errors.Is(err, errNoSize):
		p.hinted(path, "the units are B KB MB GB TB KiB MiB GiB TiB", "found %s; want %s", quoteValue(s), want)
		return 0
	case err != nil || bytes > high || bytes < low:
		p.bad(path, "found %s; want a size from %dB to %dB", quoteValue(s), low, high)
		return 0
	}
	return bytes
}

var shareForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,6}))?%$`)

// share is a percentage, in millionths of a percent.
func (p *parser) share(path string, n *node) uint64 {
	const want = "a share such as 80% or 12.5%"
	s, ok := p.text(path, n, want)
	if !ok {
		return 0
	}
	m := shareForm.FindStringSubmatch(s)
	if m == nil {
		p.hinted(path, shareHint(s), "found %s; want %s", quoteValue(s), want)
		return 0
	}
	share, _ := strconv.ParseUint(m[1]+(m[2] + "000000")[:6], 10, 64)
	if share > Whole {
		p.bad(path, "found %s; want at most 100%%", quoteValue(s))
	}
	return share
}

func shareHint(s string) string {
	if shareForm.MatchString(s + "%") {
		if f, _ := strconv.ParseFloat(s, 64); 0 < f && f < 1 {
			s = strconv.FormatFloat(100*f, 'f', 4, 64)
			s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
		}
		return "write " + s + "%"
	}
	return "up to six decimals, and the sign"
}

// formatShare is the shortest text of a share.
func formatShare(share uint64) string {
	s := fmt.Sprintf("%d.%06d", share/1e6, share%1e6)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "%"
}

// mulDiv is a x b / c rounded down, without overflow where b <= c.
func mulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}
