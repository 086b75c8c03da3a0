package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/plural"
)

var (
	parserLine    = regexp.MustCompile(`^line (\d+): `)
	onlyWords     = regexp.MustCompile(`^ *\w[^:]*$`)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// reportSyntax reports an error of the parser. The parser often names the line before the error, or
// the beginning of the mapping around it, in words of YAML's grammar. So the line is looked for, and
// a common mistake in it is named.
func reportSyntax(f *collector, src []byte, err error) {
	q := Problem{Line: 1, Text: strings.TrimPrefix(err.Error(), "yaml: ")}
	text := strings.ReplaceAll(strings.TrimPrefix(string(src), "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if m := parserLine.FindStringSubmatch(q.Text); m != nil {
		q.Line, _ = strconv.Atoi(m[1])
		q.Text = q.Text[len(m[0]):]
	} else if m := unknownAnchor.FindStringSubmatch(q.Text); m != nil {
		for i, line := range lines {
			if j := strings.Index(line, "*"+m[1]); j >= 0 {
				q.Line, q.Col = i+1, utf8.RuneCountInString(line[:j])+1
				break
			}
		}
		q.Hint = "quote the value, or write &" + m[1] + " before the value that it repeats"
		f.add(q)
		return
	}
	if !strings.HasPrefix(q.Text, "exceeded") { // too deep: the line is right
		q.locate(lines)
		q.explain(lines)
	}
	f.add(q)
}

// Above these limits, the line of the parser stays: a size in bytes, and a number of rounds.
const maxSearched, maxRounds = 64 << 10, 8

// locate sets the line of q to the first one with which the lines before it are not correct. The error
// may also be in a later line of the same value, which the parser names.
func (q *Problem) locate(lines []string) {
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	if size > maxSearched {
		return
	}
	right := 0 // so many lines are correct
	for range maxRounds {
		n := right + sort.Search(len(lines)-right, func(i int) bool {
			return !parses(strings.Join(lines[:right+i+1], "\n"))
		})
		if after := afterBracket(lines, n); after > n {
			right = after
			continue
		}
		if q.Line <= n || q.Line > len(lines) {
			q.Line = min(n+1, len(lines))
		}
		return
	}
}

// afterBracket returns the number of correct lines if the n lines before a bracket or a quoted string
// of a few lines are correct, which its first lines alone are not. It returns n for other errors.
func afterBracket(lines []string, n int) int {
	const most = 20
	for i := min(n+most, len(lines)); i > n; i-- {
		if parses(strings.Join(lines[:i], "\n")) {
			return i
		}
	}
	return n
}

// anyLine matches a line at its first character.
var anyLine = regexp.MustCompile(`^ *(?P<at>)`)

// syntaxMistakes are mistakes in a line that is not correct YAML, or in the one before: a line without a colon
// continues the value before. The first that fits is named. The group `at` of a pattern is what is wrong, and the
// text and the hint may name the other groups. The parser keeps its text if a row has none.
var syntaxMistakes = []struct {
	parser     string // part of the parser's error; empty for any
	pattern    *regexp.Regexp
	text, hint string
}{
	{"", regexp.MustCompile(`^ *(?P<at>\t)`), "found a tab before a key", "indent with spaces, not tabs"},
	{"", regexp.MustCompile("(?P<at>\u00A0)"), "found a no-break space", "replace it by a space"},
	{"", regexp.MustCompile(`^ *(?:- )?(?P<key>[\w-]+)(?P<at>:)(?P<value>[^\s:/\\].*)$`),
		"found no space after the colon", "write ${key}: ${value}"},
	{
		"", regexp.MustCompile(
			`"(?:[^"\\]|\\[0abtnvfre "/\\N_LP]|\\x[[:xdigit:]]{2}|\\u[[:xdigit:]]{4}|\\U[[:xdigit:]]{8})*` +
				`(?P<at>\\)(?:[^0abtnvfre "/\\N_LPxuU]|` +
				`x[[:xdigit:]]?[^[:xdigit:]]|u[[:xdigit:]]{0,3}[^[:xdigit:]]|U[[:xdigit:]]{0,7}[^[:xdigit:]])`),
		`found a \ in double quotes that begins no escape sequence`,
		`write / in paths; put other values into single quotes`,
	},
	{
		"invalid Unicode", regexp.MustCompile(`(?P<at>\\u[dD][89a-fA-F][[:xdigit:]]{2})`),
		"found half of a character, which JSON escapes so and YAML does not", "write the character itself",
	},
	{"", regexp.MustCompile(`[:,\[{] *"(?:[^"\\]|\\.)*"(?P<at>[^\s,\]}:#])`), "found text after the closing quote",
		`use single quotes outside: 'name == "bob"'`},
	{"", regexp.MustCompile(`[:,\[{] *'(?:[^']|'')*'(?P<at>[^\s,\]}:#'])`), "found text after the closing quote",
		`use double quotes outside: "name == 'bob'"`},
	{"", regexp.MustCompile(`[:,\[{] *(?P<at>\$\{)`), "found a variable without quotes",
		`quote the value: "$${NAME}/a.csv"`},
	{"", regexp.MustCompile(`(?:[\[{].*[:,] +|[\[{] *)(?P<at>#)`), "found #, which begins a comment",
		"quote the value"},
	{"", regexp.MustCompile("[:,\\[-] +(?P<at>[@`%*])"), "found ${at} at the beginning of a value", "quote the value"},

	{"incompatible YAML", anyLine, "found another version than YAML 1.1", "remove the line"},
	{"unexpected end of stream", anyLine, "found no closing quote", "close the quote"},
	{"did not find expected", regexp.MustCompile(`(?P<at>\{)(?:[^{}]|\{[^{}]*\})*$`),
		"found no closing }, or a value that needs quotes", "close the bracket, or quote the value"},
	{"did not find expected", regexp.MustCompile(`(?P<at>\[)(?:[^\[\]]|\[[^\[\]]*\])*$`),
		"found no closing ], or a value that needs quotes", "close the bracket, or quote the value"},
	{"did not find expected ',' or", anyLine, "", "quote the value"},
	{"node content", anyLine, "", "quote the value"},
	{"", nil, "", ""}, // see explainIndent; after it, only the line itself matters
	{"", regexp.MustCompile(`: .*?(?P<at>:) `), "found a colon in a value", "quote the value"},
	{"could not find expected ':'", anyLine, "found no colon; expected KEY: VALUE", ""},
	{"", regexp.MustCompile("(?P<at>[{}\\[\\]*%@`])"), "", "quote the value"},
}

// YAML reads these characters as the end of a line.
const lineSeparators = "\u0085\u2028\u2029"

// maxKey is how many bytes YAML allows before the colon of a key.
const maxKey = 1024

var keyOfLine = regexp.MustCompile(`"(?:[^"\\]|\\.)*" *:|'[^']*' *:|[^\s"'{},\[\]:]+:`)

// explainKey explains a key that YAML cannot find the end of: it is too long, or has a line separator.
func (q *Problem) explainKey(lines []string) bool {
	for i, line := range lines {
		if at := strings.IndexAny(line, lineSeparators); at >= 0 {
			r, _ := utf8.DecodeRuneInString(line[at:])
			q.Line, q.Col = i+1, utf8.RuneCountInString(line[:at])+1
			q.Text, q.Hint = fmt.Sprintf("found the character U+%04X, which YAML reads as the end of a line",
				r), fmt.Sprintf(`write \u%04x in double quotes`, r)
			return true
		}
		for _, m := range keyOfLine.FindAllStringIndex(line, -1) {
			if size := m[1] - m[0] - 1; size > maxKey {
				q.Line, q.Col = i+1, utf8.RuneCountInString(line[:m[0]])+1
				q.Text, q.Hint = fmt.Sprintf("found a key of %d bytes; YAML allows %d", size, maxKey), "shorten the key"
				return true
			}
		}
	}
	return false
}

// explain replaces the text of q by the mistake in its line, and adds the column and help.
func (q *Problem) explain(lines []string) {
	if q.explainKey(lines) || q.Line < 1 || q.Line > len(lines) {
		return
	}
	near := []int{q.Line, max(1, q.Line-1)}
	for _, m := range syntaxMistakes {
		if m.pattern == nil {
			if near = near[:1]; q.explainIndent(lines) {
				return
			}
			continue
		}
		for _, n := range near {
			line := lines[n-1]
			at := m.pattern.FindStringSubmatchIndex(line)
			if at == nil || !strings.Contains(q.Text, m.parser) {
				continue
			}
			column := at[2*m.pattern.SubexpIndex("at")]
			q.Line, q.Col, q.inValue = n, utf8.RuneCountInString(line[:column])+1, m.pattern != anyLine
			q.Text = cmp.Or(string(m.pattern.ExpandString(nil, m.text, line, at)), q.Text)
			q.Hint = string(m.pattern.ExpandString(nil, m.hint, line, at))
			return
		}
	}
	q.Col = indentOf(lines[q.Line-1]) + 1
}

// explainIndent explains a line that is indented as no line above, and reports whether it is.
func (q *Problem) explainIndent(lines []string) bool {
	found, before := indentOf(lines[q.Line-1]), 0
	var levels []int // indentations of the open mappings
	for i, line := range lines[:q.Line-1] {
		if text := strings.TrimSpace(line); text == "" || text[0] == '#' {
			continue
		}
		n := indentOf(line)
		for len(levels) > 0 && levels[len(levels)-1] > n {
			levels = levels[:len(levels)-1]
		}
		if len(levels) == 0 || levels[len(levels)-1] < n {
			levels = append(levels, n)
		}
		before = i + 1
	}
	if before == 0 || len(levels) == 0 {
		return false
	}
	last := strings.TrimRight(lines[before-1], " ")
	switch n := indentOf(last); {
	case found == n && before == q.Line-1 && onlyWords.MatchString(last):
		q.Line, q.Col, q.Text = before, n+1, "found no colon; expected KEY: VALUE"
		return true
	case found > n && !strings.HasSuffix(last, ":"):
		q.Text = fmt.Sprintf("found %s before the key; line %d has %d, and a value", plural.Of(found, "space"),
			before, n)
		q.Col, q.Hint = found+1, fmt.Sprintf("indent it as line %d", before)
		return true
	case found < n:
		if slices.Contains(levels, found) {
			return false
		}
		numbers := make([]string, len(levels))
		for i, level := range levels {
			numbers[i] = strconv.Itoa(level)
		}
		q.Text = fmt.Sprintf("found %s before the key; the lines above have %s", plural.Of(found, "space"),
			plural.OneOf(numbers))
		q.Col, q.Hint = found+1, fmt.Sprintf("indent it as line %d", before)
		return true
	}
	return false
}

// indentOf returns the number of spaces at the beginning of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
