package config

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean " + name + "?"
}

// oneOf lists names for a message: `a, b or c`.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// cutNumber is a number, cut to a length that fits a message.
func cutNumber(digits string) string {
	const most = 60
	if len(digits) <= most {
		return digits
	}
	return digits[:most] + "…"
}

// quoteValue quotes what the config says, cut to a length that fits a message.
func quoteValue(s string) string {
	const most = 60
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", s[:cut])
}
