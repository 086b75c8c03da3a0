package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Forms of plain scalars in YAML 1.2, and in YAML 1.1 where people may have meant that. A string
// that the two versions read in different ways is never accepted silently.
var (
	wholeForm    = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	leadingZero  = regexp.MustCompile(`^[-+]?0[0-9_]+$`)
	otherNumber  = regexp.MustCompile(`^[-+]?(0[xob][0-9a-fA-F_]+|[0-9][0-9_]*_[0-9_]*)$`)
	floatNumber  = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	yamlNan      = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	oldBool      = regexp.MustCompile(`^(?i:y|yes|n|no|on|off|true|false)$`)
	nullSpelling = regexp.MustCompile(`^(|~|null|Null|NULL)$`)
)

// mismatch returns the problem of a node that is not what was expected, and a hint.
func mismatch(n *node, what string) (problem, hint string) {
	switch {
	case n.isNull() && n.text != "" && strings.Contains(what, "string"):
		hint = "quote it"
	case n.isNull():
		hint = "give it a value, or remove the key"
	}
	return "found " + n.describe() + "; expected " + what, hint
}

// looksLikeNumber reports whether n is a number, or was meant as one. Its problem is then reported
// as the problem of a number, even if another form is allowed.
func looksLikeNumber(n *node) bool {
	return n.isScalar() && !n.isNull() && (wholeForm.MatchString(n.text) || leadingZero.MatchString(n.text) ||
		floatNumber.MatchString(n.text) || otherNumber.MatchString(n.text))
}

// numberText returns the text of a number of a form. For other nodes it returns a problem and a hint.
func numberText(n *node, what string, form *regexp.Regexp) (text, problem, hint string) {
	found := quoteValue(n.text)
	switch {
	case !n.isScalar() || n.isNull():
		problem, hint = mismatch(n, what)
		return "", problem, hint
	case n.quoted && form.MatchString(n.text):
		found, hint = "the string "+found, "remove the quotes"
	case n.quoted:
	case leadingZero.MatchString(n.text):
		found, hint = found+", with a leading zero", leadingZeroHint(n.text)
	case form.MatchString(n.text):
		return n.text, "", ""
	case floatNumber.MatchString(n.text) || otherNumber.MatchString(n.text):
		what += ", in decimal digits alone"
	}
	return "", "found " + found + "; expected " + what, hint
}

func leadingZeroHint(text string) string {
	digits := strings.TrimLeft(strings.TrimLeft(text, "+-"), "0")
	if digits == "" {
		return "write 0"
	}
	if octal, err := strconv.ParseUint(digits, 8, 63); err == nil && octal > 7 {
		return fmt.Sprintf("octal %d or decimal %s? Write it without the zero", octal, cutNumber(digits))
	}
	return "write it without the zero"
}
