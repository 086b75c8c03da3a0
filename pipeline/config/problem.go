package config

import (
	"fmt"
	"slices"
	"strings"
)

// A Problem is one fault of a config.
type Problem struct {
	Path string // the key, as in `sources[0].csv.files`; empty for the whole text
	Line int    // from 1; 0 where there is none
	Col  int    // from 1, in characters; 0 where the parser names only a line
	Text string // what was found and what was expected
	Hint string // what helps; may be empty
}

// Problems are all the faults of a config, in the order of the file.
type Problems struct {
	File string
	List []Problem
}

// Error has a line for each fault, `file:line:col: path: text`, and below it
// its hint.
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

// Warnings has a sentence for each problem that does not stop a build; nil has none.
func (p *Problems) Warnings() (texts []string) {
	if p == nil {
		return nil
	}
	for _, q := range p.List {
		texts = append(texts, q.Path+": "+q.Text+"; "+q.Hint)
	}
	return texts
}

// sort puts the faults in the order of the file.
func (p *Problems) sort() {
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
}

// Problem is a fault at path that the loader could not see.
func (c *Config) Problem(path, format string, args ...any) *Problems {
	line, col := c.At(path)
	q := Problem{Path: path, Line: line, Col: col, Text: fmt.Sprintf(format, args...)}
	return &Problems{File: c.File, List: []Problem{q}}
}
