package expr

import (
	"regexp"
	"strings"
)

// compilePattern compiles the pattern of matches. It rejects patterns whose meaning depends on Go's
// version of Unicode: classes of characters, and case-insensitive matching beyond ASCII.
func (c *checker) compilePattern(n *node) *regexp.Regexp {
	if why, hint := unstable(n.text); why != "" {
		c.addError(n.at, why+": "+quoteShort(n.text), hint)
	}
	pattern, err := regexp.Compile(n.text)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		c.addError(n.at, "a pattern that cannot be read: "+why, "")
	}
	return pattern
}

// What makes the meaning of a pattern depend on the version of Unicode. Before it are characters and escapes.
var (
	unicodeClass = regexp.MustCompile(`^(?s:[^\\]|\\[^pP])*\\[pP]`)
	beyondASCII  = regexp.MustCompile(`^(?s:[^\\]|\\[^x0-9])*\\[x0-9]|[^\x00-\x7f]`)
	ignoredCase  = regexp.MustCompile(`^(?s:[^\\]|\\.)*\(\?[a-zA-Z-]*i[a-zA-Z-]*[:)]`)
)

// unstable returns why a pattern depends on the version of Unicode, and a hint; empty strings if it
// does not.
func unstable(pattern string) (why, hint string) {
	switch {
	case unicodeClass.MatchString(pattern):
		return "a pattern with a class of Unicode, which changes with its versions", "[A-Za-zÀ-ÿ] names characters"
	case ignoredCase.MatchString(pattern) && beyondASCII.MatchString(pattern):
		return "a pattern that ignores the case of more than ASCII", "matches(lower(text), …)"
	}
	return "", ""
}
