package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Problem is one error of a config.
type Problem struct {
	Path string // the key, as in `sources[0].csv.files`; empty for the complete file
	Line int    // from 1; 0 if unknown
	Col  int    // in characters, from 1; 0 if the parser names only a line
	Text string // what was found and what was expected
	Hint string // how to fix it; may be empty

	Excerpt excerpt.Excerpt // the line with the value marked

	inValue bool // the position is inside a value
}

// Problems are all errors of a config, in the order of the file.
type Problems struct {
	File string
	List []Problem
	Rest *Config // without the features that have a problem; nil if the rest cannot be read
}

// Error returns a line for each problem, `file:line:col: path: text`, with its hint in a second
// line.
func (p *Problems) Error() string {
	var b strings.Builder
	for i, q := range p.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.File)
		if q.Line > 0 {
			fmt.Fprintf(&b, ":%d", q.Line)
		}
		if q.Col > 0 {
			fmt.Fprintf(&b, ":%d", q.Col)
		}
		b.WriteString(": ")
		if q.Path != "" {
			b.WriteString(q.Path + ": ")
		}
		b.WriteString(q.Text)
		if q.Hint != "" {
			b.WriteString("\n  help: " + q.Hint)
		}
	}
	return b.String()
}

// Warnings returns a sentence for each problem of a config that can still be built. p may be nil.
func (p *Problems) Warnings() (texts []string) {
	if p == nil {
		return nil
	}
	for _, q := range p.List {
		texts = append(texts, q.Path+": "+q.Text+"; "+q.Hint)
	}
	return texts
}

// maxLine is the size of the longest line that has excerpts, in bytes: many problems in one line
// would search it again and again.
const maxLine = 4096

// newProblems returns the problems of a config with excerpts of their lines, sorted by position.
func newProblems(file string, lines []string, list []Problem) *Problems {
	p := &Problems{File: file, List: list}
	for i := range list {
		if q := &list[i]; q.Line > 0 && q.Line <= len(lines) && q.Col > 0 && len(lines[q.Line-1]) <= maxLine {
			q.Excerpt = q.excerptOf(lines[q.Line-1])
		}
	}
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return p
}

// excerptOf returns the line of q with its key or scalar marked. A mapping begins at its first key:
// a problem of the mapping has no excerpt, as it is not about that key.
// A line with a URL that may have a password has none, either.
func (q *Problem) excerptOf(line string) excerpt.Excerpt {
	if _, rest, ok := strings.Cut(line, "://"); ok && strings.Contains(rest, "@") {
		return excerpt.Excerpt{}
	}
	at := 0
	for range q.Col - 1 {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	if q.inValue {
		return excerpt.At([]byte(line), at, 0)
	}
	token, isKey := firstToken(line[at:])
	if isKey && q.Path != "" && !strings.HasSuffix(strings.TrimSuffix(q.Path, `"]`), strings.Trim(token, `"'`)) {
		return excerpt.Excerpt{}
	}
	return excerpt.At([]byte(line), at, len(token))
}

// firstToken returns the key or the scalar that text begins with; an empty one if text begins with
// something else. A scalar outside of brackets may continue after a comma.
func firstToken(text string) (token string, isKey bool) {
	if text == "" || strings.IndexByte("[{&!|>-?", text[0]) >= 0 {
		return "", false
	}
	if quote := text[0]; quote == '"' || quote == '\'' {
		if end := strings.IndexByte(text[1:], quote) + 2; end > 1 {
			return text[:end], strings.HasPrefix(text[end:], ":")
		}
	}
	for _, end := range []string{",", "]", "}", " #"} {
		text, _, _ = strings.Cut(text, end)
	}
	text = strings.TrimRight(text, " \t\r")
	if key, _, found := strings.Cut(text, ": "); found {
		return key, true
	}
	return strings.CutSuffix(text, ":")
}

// PositionOf returns the position of the value at path, or of the closest value around it.
func (c *Config) PositionOf(path string) input.KeyPosition {
	return placeOf(c, path, c.positions.closest(path))
}

// KeyPositionOf returns the position of the key of f.
func KeyPositionOf(c *Config, f *Feature) input.KeyPosition { return placeOf(c, f.At, f.key) }

func placeOf(c *Config, path string, at position) input.KeyPosition {
	q := newProblems(c.File, c.lines, []Problem{{Path: path, Line: at.line, Col: at.col}}).List[0]
	return input.KeyPosition{Path: c.File, Line: q.Line, Col: q.Col, Excerpt: q.Excerpt}
}

// ColumnsPositionOf returns the position of `from` of f, or of its key if it has no `from`.
func ColumnsPositionOf(c *Config, f *Feature) input.KeyPosition {
	if path := f.At + ".from"; c.positions[path] != (position{}) {
		return c.PositionOf(path)
	}
	return KeyPositionOf(c, f)
}

// Problem returns a problem at path that the loader could not detect.
func (c *Config) Problem(path, format string, args ...any) *Problems {
	return c.collect(func(f *collector) { f.report(path, format, args...) })
}

// SchemaProblems returns the schema.Problems that schema.Compile returned at their keys.
func (c *Config) SchemaProblems(err error) *Problems {
	list, _ := errors.AsType[schema.Problems](err)
	return c.collect(func(f *collector) {
		for _, q := range list {
			f.reportWithHint(c.pathOf(q), q.Hint, "%s", q.Text)
		}
	})
}

// pathOf returns the path of what a problem of the schema is about.
func (c *Config) pathOf(q schema.Problem) string {
	path := q.Setting
	for _, f := range c.AllFeatures() {
		if f.Key == q.Key && q.Key != "" {
			path = f.pathOf(q.Setting) // of the last one, if two have the key
		}
	}
	return path
}

// pathOf returns the path of a setting of the feature.
func (f *Feature) pathOf(setting string) string {
	if setting == "" {
		return f.At
	}
	return f.At + "." + setting
}

// collect returns the problems that report reports; nil if no problem.
func (c *Config) collect(report func(f *collector)) *Problems {
	f := newCollector()
	f.positions = c.positions
	if report(f); len(f.list) == 0 {
		return nil
	}
	return newProblems(c.File, c.lines, f.list)
}
