package expr

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// compilePattern compiles the pattern of matches. It rejects patterns whose meaning depends on Go's
// version of Unicode: classes of characters, and case-insensitive matching beyond ASCII.
func compilePattern(n *node) (*regexp.Regexp, *Error) {
	if why, hint := unstable(n.text); why != "" {
		return nil, &Error{At: n.at, Text: why + ": " + quoteShort(n.text), Hint: hint}
	}
	pattern, err := regexp.Compile(n.text)
	if err != nil {
		return nil, &Error{At: n.at, Text: "a pattern that cannot be read: " +
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
	}
	return pattern, nil
}

// unstable returns why a pattern depends on the version of Unicode, and a hint; empty strings if it
// does not.
func unstable(pattern string) (why, hint string) {
	fold, wide := false, false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c >= utf8.RuneSelf:
			wide = true
		case c == '(' && strings.HasPrefix(pattern[i:], "(?"):
			flags := pattern[i+2:]
			if end := strings.IndexAny(flags, ":)"); end >= 0 && !strings.HasPrefix(flags, "P<") &&
				!strings.HasPrefix(flags, "<") {
				fold = fold || strings.Contains(flags[:end], "i")
			}
		case c == '\\' && i+1 < len(pattern):
			i++
			switch c := pattern[i]; {
			case c == 'p' || c == 'P':
				return "a pattern with a class of Unicode, which changes with its versions", "[A-Za-zÀ-ÿ] names characters"
			case c == 'x' || isDigit(c):
				wide = true
			case c >= utf8.RuneSelf:
				wide = true
			}
		}
	}
	if fold && wide {
		return "a pattern that ignores the case of more than ASCII", "matches(lower(text), …)"
	}
	return "", ""
}
