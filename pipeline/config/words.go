package config

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cutNumber returns a number, cut to a length that fits a message.
func cutNumber(digits string) string {
	const most = 60
	if len(digits) <= most {
		return digits
	}
	return digits[:most] + "…"
}

// quoteValue returns a value of the config in quotes, cut to a length that fits a message.
func quoteValue(s string) string {
	const most = 60
	s = withoutUser(s)
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", s[:cut])
}

// withoutUser returns a string without the user name and the password that a URL may have.
func withoutUser(s string) string {
	begin := strings.Index(s, "://")
	if begin < 0 {
		return s
	}
	begin += len("://")
	host, _, _ := strings.Cut(s[begin:], "/")
	if strings.Contains(host, ":") { // a password may have a slash
		host = s[begin:]
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		return s[:begin] + "…" + s[begin+at:]
	}
	return s
}
