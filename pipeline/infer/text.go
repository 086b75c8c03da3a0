package infer

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainForm matches strings that YAML reads as strings without quotes.
var plainForm = regexp.MustCompile(`^[\pL_/.][\pL\d_./%+*-]*( [\pL\d_./()%+*-]+)*$`)

// typedWords are strings that YAML reads as other types.
var typedWords = map[string]bool{
	"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true,
	".nan": true, ".inf": true,
}

// scalar returns a string for YAML, with quotes if necessary.
func scalar(s string) string {
	if plainForm.MatchString(s) && !typedWords[strings.ToLower(s)] {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '$' && strings.HasPrefix(s[i+1:], "{"), r == '$' && strings.HasPrefix(s[i+1:], "$"):
			b.WriteString("$$") // a dollar sign, not a variable
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case isShown(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isShown reports whether a character is written as it is: it is visible, and does not change the
// direction of text.
func isShown(r rune) bool {
	return r != utf8.RuneError && (r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r)) && !unicode.Is(unicode.Bidi_Control, r)
}

// list returns strings as a list of YAML.
func list(texts []string) string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = scalar(s)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// mostShown is the largest number of bytes of a string in a comment.
const mostShown = 40

// shown returns a string of the input for a comment, in quotes. It is on one line, not too long,
// and all of its characters are visible.
func shown(s string) string {
	cut := ""
	if len(s) > mostShown {
		s, cut = s[:mostShown], "…"
		for len(s) > 0 && !utf8.ValidString(s[len(s)-1:]) && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		if r, _ := utf8.DecodeLastRuneInString(s); r == utf8.RuneError && len(s) > 0 {
			s = s[:len(s)-1]
		}
	}
	return `"` + comment(strings.ReplaceAll(s, `"`, `\"`)) + cut + `"`
}

// comment returns s with escapes for characters that must not be in a comment.
func comment(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case isShown(r):
			b.WriteRune(r)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// A configText is the lines of a config, with comments that are aligned.
//
// The nodes of gopkg.in/yaml.v3 v3.0.1 were tried instead. They write every comment one space after
// its line, so that the reasons are in no column, and do not escape characters that change the
// direction of text; see TestLibraryNodes.
type configText struct{ lines []line }

type line struct {
	text string
	note string
}

func (p *configText) add(text, note string) {
	p.lines = append(p.lines, line{text, comment(note)})
}

// addComment adds a comment on lines of its own.
func (p *configText) addComment(indent, text string) {
	const width = 100
	for _, l := range wrap(comment(text), width-len(indent)) {
		p.lines = append(p.lines, line{text: indent + "# " + l})
	}
}

// wrap breaks a note into lines of at most width bytes, if it has spaces.
func wrap(text string, width int) (lines []string) {
	for len(text) > width {
		at := strings.LastIndexByte(text[:width], ' ')
		if at <= 0 {
			break
		}
		lines, text = append(lines, text[:at]), text[at+1:]
	}
	return append(lines, text)
}

// leastColumn and mostColumn limit the column of comments.
const leastColumn, mostColumn = 24, 56

// String returns the text of the config.
func (p *configText) String() string {
	column := leastColumn
	for _, l := range p.lines {
		if n := utf8.RuneCountInString(l.text) + 2; l.note != "" && n > column && n <= mostColumn {
			column = n
		}
	}
	var b strings.Builder
	for _, l := range p.lines {
		b.WriteString(l.text)
		if l.note != "" {
			b.WriteString(strings.Repeat(" ", max(2, column-utf8.RuneCountInString(l.text))))
			b.WriteString("# " + l.note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
