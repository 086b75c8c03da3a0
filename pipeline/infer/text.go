package infer

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
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
	q := strconv.Quote(s) // YAML has the escapes of Go
	if strings.Contains(s, "${") || strings.Contains(s, "$$") {
		q = strings.ReplaceAll(q, "$", "$$") // dollar signs, not variables
	}
	return q
}

// list returns strings as a list of YAML.
func list(texts []string) string {
	all := make([]string, len(texts))
	for i, s := range texts {
		all[i] = scalar(s)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// shown returns a string of the input for a comment.
func shown(s string) string { return schema.Quote(s) }

// comment returns s with escapes for characters that must not be in a comment.
func comment(s string) string {
	q := strconv.Quote(s)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q[1 : len(q)-1])
}

// A configText is the lines of a config, with comments that are aligned.
//
// The nodes of gopkg.in/yaml.v3 v3.0.1 were tried instead. They write every comment one space after
// its line, so that the reasons are in no column, and do not escape characters that change the
// direction of text; see TestLibraryNodes.
type configText struct{ lines []line }

// A line is a line of a config. Below it are lines, or items of a list, which are lines each. A key without a value is
// not written.
type line struct {
	text  string
	note  string
	below []line
	items [][]line
}

// entry returns a key, with the reason for it and lines below it.
func entry(text, note string, below ...line) line { return line{text: text, note: note, below: below} }

// bare returns a key without a comment, with lines below it.
func bare(text string, below ...line) line { return entry(text, "", below...) }

func (p *configText) add(text, note string) { p.lines = append(p.lines, entry(text, comment(note))) }

// isEmpty reports whether a line is a key without a value.
func (l line) isEmpty() bool {
	key := strings.TrimSpace(l.text)
	return l.below == nil && l.items == nil && (key == "" || strings.HasSuffix(key, ":"))
}

// addAll adds lines with all that is below them.
func (p *configText) addAll(indent string, list ...line) {
	for _, l := range list {
		if l.isEmpty() {
			continue
		}
		p.add(indent+l.text, l.note)
		p.addAll(indent+"  ", l.below...)
		for _, item := range l.items {
			from := len(p.lines)
			p.addAll(indent+"    ", item...)
			p.lines[from].text = indent + "  - " + p.lines[from].text[len(indent)+4:]
		}
	}
}

// addComment adds a comment on lines of its own.
func (p *configText) addComment(indent, text string) {
	const width = 100
	for _, l := range wrap(comment(text), width-len(indent)) {
		p.lines = append(p.lines, bare(indent+"# "+l))
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
