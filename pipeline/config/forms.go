package config

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
)

// A form is what texts of a kind look like. It gives the text as it is kept,
// and for a faulty one what was wanted instead, and a hint.
type form func(s string) (kept, want, hint string)

// forms are those that the tag `is` names.
var forms = map[string]form{
	"name":        nameForm,
	"version":     versionForm,
	"path":        pathForm,
	"text":        textForm,
	"line":        lineForm,
	"column":      lineForm,
	"character":   characterForm,
	"delimiter":   delimiterForm,
	"pathpattern": pathPatternForm,
	"template":    templateForm,
	"type":        typeForm,
	"filename":    filenameForm,
}

var (
	nameRule    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	versionRule = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)
	splitRule   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	urlRule     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

func nameForm(s string) (string, string, string) {
	if !nameRule.MatchString(s) || len(s) > 100 {
		return s, "a small letter, then small letters, digits and _, at most 100", ""
	}
	return s, "", ""
}

func versionForm(s string) (string, string, string) {
	if !versionRule.MatchString(s) {
		return s, `three numbers, as in "1.0.0"`, ""
	}
	return s, "", ""
}

// A path is one of this machine's file system.
func pathForm(s string) (string, string, string) {
	switch {
	case urlRule.MatchString(s):
		return s, "a path of the file system; URLs: not yet", ""
	case s == "" || strings.ContainsRune(s, 0):
		return s, "a path", ""
	}
	return s, "", ""
}

// patternFault is what is wrong with a pattern of paths; empty if nothing.
func patternFault(s string) string {
	if _, want, _ := pathForm(s); want != "" {
		return want
	}
	for level := range strings.SplitSeq(s, "/") {
		if _, err := path.Match(level, ""); err != nil {
			return "a pattern whose brackets are closed"
		}
	}
	return ""
}

func textForm(s string) (string, string, string) {
	if s == "" {
		return s, "at least one character", ""
	}
	return s, "", ""
}

func lineForm(s string) (string, string, string) {
	if s == "" || strings.ContainsFunc(s, isControl) {
		return s, "a text without control characters, not empty", ""
	}
	return s, "", ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func characterForm(s string) (string, string, string) {
	if utf8.RuneCountInString(s) != 1 || strings.ContainsAny(s, "\r\n\x00") {
		return s, "one character", ""
	}
	return s, "", ""
}

func delimiterForm(s string) (string, string, string) {
	if s == "tab" {
		return "\t", "", ""
	}
	_, want, _ := characterForm(s)
	if want != "" {
		want = "one character, or tab"
	}
	return s, want, ""
}

func pathPatternForm(s string) (string, string, string) {
	names, ok := braces(s)
	switch {
	case !ok:
		return s, "columns in braces, each closed and named once", ""
	case len(names) == 0:
		return s, "at least one column in braces", `"{class}/*.png"`
	case strings.HasPrefix(s, "/"):
		return s, "a relative path", ""
	case strings.Contains(s, "}{"):
		return s, "something between two columns", ""
	}
	for i, name := range names {
		for _, other := range names[:i] {
			if name == other {
				return s, "columns in braces, each closed and named once", ""
			}
		}
	}
	return s, "", ""
}

func templateForm(s string) (string, string, string) {
	names, ok := braces(s)
	switch {
	case !ok:
		return s, "a path with columns in braces", ""
	case len(names) == 0:
		return s, "a template with at least one column in braces", `"{id}.jpg"`
	case strings.HasPrefix(s, "/") || urlRule.MatchString(s):
		return s, "a path below dir", ""
	}
	for level := range strings.SplitSeq(s, "/") {
		if level == ".." {
			return s, "a path that stays inside dir", ""
		}
	}
	return s, "", ""
}

// braces lists the names in braces; ok is false where they do not pair up.
func braces(s string) (names []string, ok bool) {
	for {
		before, rest, found := strings.Cut(s, "{")
		if strings.Contains(before, "}") {
			return nil, false
		}
		if !found {
			return names, true
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.ContainsAny(name, "{/*") {
			return nil, false
		}
		names, s = append(names, name), after
	}
}

func typeForm(s string) (string, string, string) {
	if _, ok := schema.ParseType(s); ok {
		return s, "", ""
	}
	types := schema.TypeNames()
	hint := didYouMean(nearest.Of(s, types))
	switch s {
	case "int", "integer", "long":
		hint = "did you mean int64?"
	case "str", "text":
		hint = "did you mean string?"
	}
	return s, oneOf(types), hint
}
