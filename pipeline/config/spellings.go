package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tfr-build/internal/bucket"
	"tfr-build/internal/nearest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A spelling is the form of a value in the config, and the form in which it is kept.
type spelling struct {
	what      string // expected instead of a list; empty for a string
	noun      string // before the value in a message
	rule      rule
	keep      func(s string) string    // returns what is kept: digits for a number; nil if nothing changes
	canonical func(kept string) string // returns the text of what is kept; nil if they are the same
	schema    func() object            // nil if any scalar is allowed
}

// A rule returns, for an invalid string, what was expected instead, and maybe a hint.
type rule func(s string) (expected, hint string)

// spellings has the spelling of each name in the tag `is`.
var spellings = map[string]spelling{
	"name":      {rule: nameRule, schema: matching(nameForm)},
	"version":   {rule: versionRule, schema: matching(versionForm)},
	"path":      {rule: pathRule, keep: objects.Path, canonical: relative},
	"localpath": {rule: localPathRule, keep: objects.Path},
	"linkname":  {rule: expect(isLinkName, "a name without /, which does not begin with a dot, of at most 100 bytes")},
	"labelmap": {rule: expect(func(s string) bool { return isLinkName(s) && IsLabelMap(s) },
		"a file name such as label_map.pbtxt")},
	"text":        {rule: expect(isNotEmpty, "at least one character")},
	"line":        {rule: expect(isLine, lineWords)},
	"class":       {rule: expect(isOneLine, "a class of one line")},
	"column":      {rule: expect(isNotEmpty, "the name of a column")},
	"character":   {rule: expect(isCharacter, "one character")},
	"delimiter":   {rule: expect(isDelimiter, delimiterWords), keep: tab},
	"pathpattern": {rule: pathPatternRule},
	"template":    {rule: templateRule},
	"type":        {rule: typeRule, canonical: typeName, schema: typeNames},
	"filename":    {rule: filenameRule},
	"color": {rule: expect(colorForm.MatchString, `white, black, or a color such as "#808080"`),
		schema: matching(colorForm)},
	"url": {rule: expect(urlForm.MatchString, "a URL such as https://example.org/data"),
		schema: matching(urlForm)},
	"date": {rule: expect(isDate, "a date such as 2026-11-21"), schema: matching(dateForm)},
	"ratio": {what: ratioWords, rule: expect(ratioForm.MatchString, ratioWords), keep: inMillionths,
		canonical: fromMillionths, schema: func() object { return orVariable(object{"type": "number"}) }},
	"zone":      {rule: zoneRule},
	"split":     {noun: "the split ", rule: splitRule},
	"splitname": {what: "a split's name", noun: "the split ", rule: splitRule, schema: matching(splitForm)},
	"size":      {what: sizeWords, rule: sizeRule, keep: sizeDigits, canonical: inBytes, schema: matching(sizeForm)},
}

var (
	nameForm     = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	versionForm  = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)
	leadingZeros = regexp.MustCompile(`(^|\.)0+([0-9])`)
	colorForm    = regexp.MustCompile(`^(white|black|#[0-9a-fA-F]{6})$`)
	ratioForm    = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$`)
	dateForm     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	urlForm      = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

// expect returns the rule that strings must match.
func expect(fits func(s string) bool, expected string) rule {
	return func(s string) (string, string) {
		if fits(s) {
			return "", ""
		}
		return expected, ""
	}
}

// nameRule checks a name, and suggests the nearest valid one.
func nameRule(s string) (expected, hint string) {
	if isName(s) {
		return "", ""
	}
	near := strings.Map(func(r rune) rune {
		if r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(s))
	if isName(near) {
		hint = "write " + near
	}
	return "a lower-case letter, then lower-case letters, digits and _, at most 100", hint
}

func isName(s string) bool { return nameForm.MatchString(s) && len(s) <= 100 }

const lineWords = "a string without control characters, not empty"

// isOneLine accepts the name of a class: the labels file has one line per class.
func isOneLine(s string) bool { return s != "" && !strings.ContainsAny(s, "\r\n") }

func isNotEmpty(s string) bool { return s != "" }

func isNotBlank(s string) bool { return strings.TrimSpace(s) != "" }

func isLine(s string) bool { return s != "" && !strings.ContainsFunc(s, isControl) }

// isDate reports whether s is a day of the calendar.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// versionRule checks a version. Versions made from dates have leading zeros unless the format of
// the date command removes them.
func versionRule(s string) (expected, hint string) {
	if versionForm.MatchString(s) {
		return "", ""
	}
	if numbers := leadingZeros.ReplaceAllString(s, "$1$2"); versionForm.MatchString(numbers) {
		return "three numbers without leading zeros", numbers + "; date +%Y.%-m.%-d writes dates so"
	}
	return `three numbers, as in "1.0.0"`, ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func isCharacter(s string) bool {
	return utf8.RuneCountInString(s) == 1 && !strings.ContainsAny(s, "\r\n\x00")
}

// isDelimiter accepts no words: a misspelled tab is not a delimiter of several characters.
func isDelimiter(s string) bool {
	const most = 16 // within table.StretchContext
	isOther := func(r rune) bool {
		return isControl(r) && r != '\t' || r == '\\' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return s == "tab" || s == "whitespace" || isCharacter(s) ||
		s != "" && len(s) <= most && !strings.ContainsFunc(s, isOther)
}

const delimiterWords = `tab, whitespace, one character, or several (at most 16 bytes) without letters, digits, or \`

func tab(s string) string {
	if s == "tab" {
		return "\t"
	}
	return s
}

const ratioWords = "a number such as 2.5, with at most 6 decimals"

// inMillionths returns a ratio in millionths, as digits.
func inMillionths(s string) string {
	whole, decimals, _ := strings.Cut(s, ".")
	return whole + (decimals + "000000")[:6]
}

// fromMillionths returns the shortest text of a ratio.
func fromMillionths(digits string) string {
	digits = fmt.Sprintf("%07s", digits)
	whole, decimals := digits[:len(digits)-6], strings.TrimRight(digits[len(digits)-6:], "0")
	if decimals == "" {
		return whole
	}
	return whole + "." + decimals
}

// onWindows matches a path of Windows with a drive.
var onWindows = regexp.MustCompile(`^[A-Za-z]:\\`)

// pathRule accepts a path of this machine's file system, or a URL.
func pathRule(s string) (expected, hint string) {
	if store.CheckHome(s) != nil {
		hint = "write " + quoteValue("${HOME}"+s[1:]) + ", or " + quoteValue("./"+s) + " where ~ is a name"
		return "a path without ~ for the home directory", hint
	}
	if onWindows.MatchString(s) {
		return "a path of this system", "separate directories by /; WSL has the drive C: at /mnt/c"
	}
	if err := objects.CheckPath(s); err != nil {
		if name, ok := errors.AsType[*bucket.NameError](err); ok {
			return name.Expected, ""
		}
		return "a path, or a URL of s3://, gs:// or file:///", ""
	}
	if s == "" || strings.ContainsRune(s, 0) {
		return "a path", ""
	}
	return "", ""
}

// localPathRule accepts a path of this machine's file system.
func localPathRule(s string) (expected, hint string) {
	if store.IsURL(s) {
		return "a path of the file system, no URL", ""
	}
	return pathRule(s)
}

// belowRule accepts a path below a directory, where ~ is a name like any other.
func belowRule(s string) (expected, hint string) {
	if store.CheckHome(s) != nil {
		s = "./" + s
	}
	return localPathRule(s)
}

// relative returns a path without its directories on this machine: the last element of an absolute
// path or of a URL.
func relative(s string) string {
	if !store.IsAbs(s) {
		return s
	}
	if s = store.Base(s); s == "/" {
		return "."
	}
	return objects.Plain(s)
}

func pathPatternRule(s string) (expected, hint string) {
	pattern, err := sources.ParsePathPattern(s)
	var problem *sources.PatternError
	switch {
	case strings.HasPrefix(s, "/"):
		return "a relative path", ""
	case errors.As(err, &problem):
		return fmt.Sprintf("%s at character %d", problem.Expected, problem.At+1), problem.Hint
	case len(pattern.Columns()) == 0:
		return "at least one column in braces", `"{class}/*.png"`
	}
	return "", ""
}

func templateRule(s string) (expected, hint string) {
	if strings.HasPrefix(s, "/") || urlForm.MatchString(s) {
		return "a path below dir", ""
	}
	template, err := sources.ParseTemplate(s)
	isPattern := func(name string) bool { // images.* is a path to all elements
		return strings.ContainsAny(strings.ReplaceAll(name+".", ".*.", "."), "/*")
	}
	switch {
	case err != nil || slices.ContainsFunc(template.Columns(), isPattern):
		return "a path with columns in braces", ""
	case len(template.Columns()) == 0:
		return "a template with at least one column in braces", `"{id}.jpg"`
	case slices.Contains(strings.Split(s, "/"), ".."):
		return "a path that stays inside dir", ""
	}
	return "", ""
}

func typeRule(s string) (expected, hint string) {
	if _, ok := schema.ParseType(s); ok {
		return "", ""
	}
	types := schema.TypeNames()
	word := typeWord(s)
	switch hint = wordHelp("type", plainNode(word)); {
	case hint != "":
	case slices.Contains(types, word):
		hint = "type: " + word
	default:
		hint = nearest.Hint(word, types)
	}
	return typeExamples, hint
}

// typeExamples stand for all types in messages; the others are variants of these.
const typeExamples = "a type such as int64, float, bool, string or bytes"

// typeWord returns a type without the name of a library, or NumPy's marks of byte order: tf.int64,
// np.float32, <i8.
func typeWord(s string) string {
	s = strings.TrimLeft(strings.ToLower(s), "<>=|")
	for _, library := range []string{"tf.", "np.", "numpy.", "torch.", "pa.", "jnp."} {
		s = strings.TrimPrefix(s, library)
	}
	return strings.TrimSuffix(s, "()")
}

// typeName returns the name of a type that has several.
func typeName(s string) string {
	if t, ok := schema.ParseType(s); ok {
		return t.String()
	}
	return s
}

func typeNames() object { return orVariable(object{"enum": schema.TypeNames()}) }

var (
	fileVariables = []string{"DATASET", "SPLIT", "FILEFORMAT", "INDEX", "SHARD_INDEX", "NUM_SHARDS", "SHARD_X_OF_Y",
		"COUNT"}
	numberVariables = []string{"INDEX", "SHARD_INDEX", "SHARD_X_OF_Y"} // those that distinguish the shards of a split
	fileVariable    = regexp.MustCompile(`\{([^{}]*)\}`)
)

// variablesOf returns the variables that a template uses.
func variablesOf(template string) map[string]bool {
	used := map[string]bool{}
	for _, m := range fileVariable.FindAllStringSubmatch(template, -1) {
		used[m[1]] = true
	}
	return used
}

// filenameRule checks a template by itself. checkShardNames checks it together with other keys.
func filenameRule(s string) (expected, hint string) {
	used := variablesOf(s)
	for _, m := range fileVariable.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(fileVariables, m[1]) {
			return fmt.Sprintf("the variables {%s}", strings.Join(fileVariables, "} {")),
				nearest.Hint(m[1], fileVariables)
		}
	}
	bare := fileVariable.ReplaceAllString(s, "")
	levels := strings.Split(s, "/")
	hidden := func(level string) bool { return strings.HasPrefix(level, "_") || strings.HasPrefix(level, ".") }
	switch {
	case strings.ContainsAny(bare, "{}"):
		return "variables in braces, each closed", ""
	case !used["SPLIT"]:
		return "a template that holds {SPLIT} and {SHARD_X_OF_Y}", ""
	case strings.ContainsFunc(bare, func(r rune) bool { return isControl(r) || r == '\\' }):
		return `a file name, without control characters and \`, ""
	case len(levels) > 2 || slices.Contains(levels, ""):
		return "a file name, with at most one / in it", ""
	case slices.ContainsFunc(levels, hidden):
		return "a name that begins with neither _ nor .", "" // readers skip such names
	case len(bare) > 100:
		return "at most 100 bytes around the variables", ""
	}
	return "", ""
}
