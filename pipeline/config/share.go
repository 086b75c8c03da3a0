package config

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"tfr-build/pixels/convert"
)

// FullShare is a share of 100 %.
const FullShare = 100_000_000

var (
	shareForm    = regexp.MustCompile(`^(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,6}))?%$`)
	fractionForm = regexp.MustCompile(`^(?:(0?)\.([0-9]{1,8})|(1)\.(0{1,8}))$`) // 1 alone may mean 1%
)

// parseShare returns a percentage or a fraction in millionths of a percent.
func parseShare(s string) (uint64, bool) {
	digits := ""
	if m := shareForm.FindStringSubmatch(s); m != nil {
		digits = m[1] + (m[2] + "000000")[:6]
	} else if m := fractionForm.FindStringSubmatch(s); m != nil {
		digits = m[1] + m[3] + (m[2] + m[4] + "00000000")[:8]
	}
	share, err := strconv.ParseUint(digits, 10, 64)
	return share, err == nil
}

// ParseShare returns a share above 0 in millionths of a percent, as configs write it: 1% or 0.01.
func ParseShare(s string) (uint64, error) {
	share, ok := parseShare(s)
	if !ok || share == 0 || share > FullShare {
		return 0, errors.New("expected a share such as 1%, of at most 100%")
	}
	return share, nil
}

// looksLikeShare reports whether n is a share, or a number without its %.
func looksLikeShare(n *node) bool {
	return n.isScalar() && floatNumber.MatchString(strings.TrimSuffix(n.text, "%"))
}

func shareHint(s string) string {
	switch {
	case s == "1":
		return "write 100% or 1%"
	case shareForm.MatchString(s + "%"):
		return "write " + s + "%"
	}
	return "write a percentage with at most six decimals, such as 12.5%"
}

// formatShare returns the shortest text of a share.
func formatShare(share uint64) string {
	s := fmt.Sprintf("%d.%06d", share/1e6, share%1e6)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "%"
}

// mulDiv returns a x b / c, rounded down; b must not be larger than c. A float does not hold every
// count exactly.
func mulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}

const shareWords = "a share such as 80% or 0.8"

var shareSpelling = spelling{what: shareWords, rule: shareRule, keep: shareDigits, canonical: percent,
	schema: shareSchema}

func shareRule(s string) (expected, hint string) {
	share, ok := parseShare(s)
	switch {
	case !ok:
		return shareWords, shareHint(s)
	case share > FullShare:
		return "at most 100%", ""
	}
	return "", ""
}

// shareDigits returns a share in millionths of a percent, as digits.
func shareDigits(s string) string {
	share, _ := parseShare(s)
	return strconv.FormatUint(share, 10)
}

// percent returns the shortest text of what shareDigits returns.
func percent(digits string) string {
	share, _ := strconv.ParseUint(digits, 10, 64)
	return formatShare(share)
}

func shareSchema() object {
	return anyOf(matching(shareForm)(), object{"type": "number", "minimum": 0, "maximum": 1})
}

// MaxErrors is the largest number, or share, of invalid rows that a run accepts.
type MaxErrors struct {
	Count uint64
	Share *convert.Share // of all rows found; nil for a count
}

// Of returns the number of invalid rows that are accepted among rows.
func (m MaxErrors) Of(rows uint64) uint64 {
	if m.Share == nil {
		return m.Count
	}
	return mulDiv(rows, uint64(*m.Share), FullShare)
}

// writeMaxErrors returns the count, which may be 0, or the share.
func writeMaxErrors(_ encoder, v reflect.Value) *node {
	m := v.Interface().(MaxErrors)
	if m.Share != nil {
		return plainNode(formatShare(uint64(*m.Share)))
	}
	return plainNode(strconv.FormatUint(m.Count, 10))
}

func isPercentage(_ *decoder, n *node) bool { return n.isScalar() && strings.HasSuffix(n.text, "%") }

// refuseDecimal reports a decimal number in max_errors. Neither meaning is assumed: 0.5 may be half of the rows or one
// in 200.
func refuseDecimal(d *decoder, at spot) bool {
	if !at.isScalar() || at.quoted || !floatNumber.MatchString(at.text) || wholeForm.MatchString(at.text) {
		return false
	}
	hint := shareHint(at.text)
	if share, ok := parseShare(at.text); ok {
		hint = "write " + formatShare(share) + ", or " + at.text + "%"
	}
	d.reportWithHint(at.path, hint, "found %s; expected a count, or a share such as 1%%", quoteValue(at.text))
	return true
}

func atLeastZero() object { return object{"type": "integer", "minimum": 0} }
