package config

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
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

// readShare returns a percentage or a fraction in millionths of a percent.
func (d *decoder) readShare(at spot) uint64 {
	const what = "a share such as 80% or 0.8"
	s, ok := d.readString(at, what)
	if !ok {
		return 0
	}
	share, ok := parseShare(s)
	switch {
	case !ok:
		d.reportWithHint(at.path, shareHint(s), "found %s; expected %s", quoteValue(s), what)
	case share > FullShare:
		d.report(at.path, "found %s; expected at most 100%%", quoteValue(s))
	}
	return share
}

// MaxErrors is the largest number, or share, of invalid rows that a run accepts.
type MaxErrors struct {
	Count   uint64
	Share   uint64 // of all rows found, in millionths of a percent
	IsShare bool
}

// Of returns the number of invalid rows that are accepted among rows.
func (m MaxErrors) Of(rows uint64) uint64 {
	if !m.IsShare {
		return m.Count
	}
	return mulDiv(rows, m.Share, FullShare)
}

func decodeMaxErrors(d *decoder, at spot, m *MaxErrors) {
	switch {
	case at.isScalar() && strings.HasSuffix(at.text, "%"):
		*m = MaxErrors{Share: d.readShare(at), IsShare: true}
	case at.isScalar() && !at.quoted && floatNumber.MatchString(at.text) && !wholeForm.MatchString(at.text):
		d.reportWithHint(at.path, countOrShare(at.text), "found %s; expected a count, or a share such as 1%%", quoteValue(at.text))
	case !looksLikeNumber(at.node):
		d.reportExpected(at, "a count, or a share such as 1%")
	default:
		m.Count = d.readUnsigned(at)
	}
}

// countOrShare returns the hint for a decimal number in max_errors. Neither meaning is assumed: 0.5
// may be half of the rows or one in 200.
func countOrShare(s string) string {
	if share, ok := parseShare(s); ok {
		return "write " + formatShare(share) + ", or " + s + "%"
	}
	return shareHint(s)
}

func encodeMaxErrors(_ encoder, m MaxErrors) *node {
	switch {
	case m == MaxErrors{}:
		return nil
	case m.IsShare:
		return plainNode(formatShare(m.Share))
	}
	return plainNode(strconv.FormatUint(m.Count, 10))
}

func maxErrorsSchema(*generator) object {
	return anyOf(object{"type": "integer", "minimum": 0}, matching(shareForm)())
}
