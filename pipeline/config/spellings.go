package config

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A spelling is how the text of a value is written, and how it is kept.
type spelling struct {
	// rule gives the text as it is kept; for a faulty one what was expected
	// instead, and maybe a hint. A number is kept as its digits.
	rule      func(s string) (kept, expected, hint string)
	what      string                   // what is expected in place of a list
	canonical func(kept string) string // the text for what is kept; nil where they are the same
	schema    func() object            // nil where any scalar may be one
}

// spellings are those that the tag `is` names.
var spellings = map[string]spelling{
	"name":        {rule: nameRule, schema: matching(nameForm)},
	"version":     {rule: versionRule, schema: matching(versionForm)},
	"path":        {rule: pathRule, canonical: relative},
	"text":        {rule: textRule},
	"line":        {rule: lineRule},
	"column":      {rule: lineRule},
	"character":   {rule: characterRule},
	"delimiter":   {rule: delimiterRule},
	"pathpattern": {rule: pathPatternRule},
	"template":    {rule: templateRule},
	"type":        {rule: typeRule, schema: typeNames},
	"filename":    {rule: filenameRule},
	"size":        {rule: sizeRule, what: sizeWords, canonical: inBytes, schema: matching(sizeForm)},
}

var (
	nameForm    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	versionForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)
	urlForm     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

func nameRule(s string) (string, string, string) {
	if !nameForm.MatchString(s) || len(s) > 100 {
		return s, "a lower-case letter, then lower-case letters, digits and _, at most 100", ""
	}
	return s, "", ""
}

func versionRule(s string) (string, string, string) {
	if !versionForm.MatchString(s) {
		return s, `three numbers, as in "1.0.0"`, ""
	}
	return s, "", ""
}

// A path is one of this machine's file system.
func pathRule(s string) (string, string, string) {
	switch {
	case urlForm.MatchString(s):
		return s, "a path of the file system; URLs: not yet", ""
	case s == "" || strings.ContainsRune(s, 0):
		return s, "a path", ""
	}
	return s, "", ""
}

// relative is a path without what only this machine knows: the last element of
// an absolute one.
func relative(s string) string {
	if !path.IsAbs(s) {
		return s
	}
	if s = path.Base(s); s == "/" {
		return "."
	}
	return s
}

func textRule(s string) (string, string, string) {
	if s == "" {
		return s, "at least one character", ""
	}
	return s, "", ""
}

func lineRule(s string) (string, string, string) {
	if s == "" || strings.ContainsFunc(s, isControl) {
		return s, "a text without control characters, not empty", ""
	}
	return s, "", ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func characterRule(s string) (string, string, string) {
	if utf8.RuneCountInString(s) != 1 || strings.ContainsAny(s, "\r\n\x00") {
		return s, "one character", ""
	}
	return s, "", ""
}

func delimiterRule(s string) (string, string, string) {
	if s == "tab" {
		return "\t", "", ""
	}
	_, expected, _ := characterRule(s)
	if expected != "" {
		expected = "one character, or tab"
	}
	return s, expected, ""
}

func pathPatternRule(s string) (string, string, string) {
	pattern, err := sources.ParsePathPattern(s)
	switch {
	case err != nil:
		return s, "columns in braces, each closed and named once", ""
	case len(pattern.Columns()) == 0:
		return s, "at least one column in braces", `"{class}/*.png"`
	case strings.HasPrefix(s, "/"):
		return s, "a relative path", ""
	case strings.Contains(s, "}{"):
		return s, "something between two columns", "" // or nobody could tell where one ends
	}
	return s, "", ""
}

func templateRule(s string) (string, string, string) {
	if strings.HasPrefix(s, "/") || urlForm.MatchString(s) {
		return s, "a path below dir", ""
	}
	template, err := sources.ParseTemplate(s)
	switch {
	case err != nil || slices.ContainsFunc(template.Columns(), func(name string) bool { return strings.ContainsAny(name, "/*") }):
		return s, "a path with columns in braces", ""
	case len(template.Columns()) == 0:
		return s, "a template with at least one column in braces", `"{id}.jpg"`
	case slices.Contains(strings.Split(s, "/"), ".."):
		return s, "a path that stays inside dir", ""
	}
	return s, "", ""
}

func typeRule(s string) (string, string, string) {
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

func typeNames() object { return orVariable(object{"enum": schema.TypeNames()}) }

var (
	fileVariables = []string{"DATASET", "SPLIT", "FILEFORMAT", "SHARD_INDEX", "NUM_SHARDS", "SHARD_X_OF_Y"}
	fileVariable  = regexp.MustCompile(`\{([^{}]*)\}`)
)

func filenameRule(s string) (string, string, string) {
	used := map[string]bool{}
	for _, m := range fileVariable.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(fileVariables, m[1]) {
			return s, fmt.Sprintf("the variables {%s}", strings.Join(fileVariables, "} {")), didYouMean(nearest.Of(m[1], fileVariables))
		}
		used[m[1]] = true
	}
	bare := fileVariable.ReplaceAllString(s, "")
	switch {
	case strings.ContainsAny(bare, "{}"):
		return s, "variables in braces, each closed", ""
	case strings.ContainsAny(bare, "/\x00") || strings.ContainsFunc(bare, isControl):
		return s, "a file name, without /", ""
	case strings.HasPrefix(s, "_") || strings.HasPrefix(s, "."):
		return s, "a name that begins with neither _ nor .", "" // which readers pass over
	case !used["SPLIT"] || !used["SHARD_X_OF_Y"] && !used["SHARD_INDEX"]:
		return s, "a template that holds {SPLIT} and {SHARD_X_OF_Y}", ""
	case len(bare) > 100:
		return s, "at most 100 bytes around the variables", ""
	}
	return s, "", ""
}
