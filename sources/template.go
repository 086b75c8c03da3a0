package sources

import (
	"fmt"
	"path"
	"strings"
)

// A PathPattern takes columns out of relative names: `{split}/{class}/*.png`.
// A column takes at least one character, and as few as do; `*` matches within
// a level, a level `**` any depth.
type PathPattern struct {
	text    string
	levels  [][]pathPiece
	columns []string
}

// A pathPiece is a literal, a `*`, or a column.
type pathPiece struct {
	literal string
	any     bool
	column  int // index+1
}

// ParsePathPattern compiles pattern.
func ParsePathPattern(pattern string) (*PathPattern, error) {
	p := &PathPattern{text: pattern}
	for level := range strings.SplitSeq(pattern, "/") {
		pieces, err := p.level(level)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", pattern, err)
		}
		p.levels = append(p.levels, pieces)
	}
	return p, nil
}

func (p *PathPattern) level(level string) ([]pathPiece, error) {
	if level == "**" {
		return nil, nil
	}
	pieces := []pathPiece{}
	for level != "" {
		switch i := strings.IndexAny(level, "*{}"); {
		case i < 0:
			pieces, level = append(pieces, pathPiece{literal: level}), ""
		case i > 0:
			pieces, level = append(pieces, pathPiece{literal: level[:i]}), level[i:]
		case level[0] == '*':
			pieces, level = append(pieces, pathPiece{any: true}), level[1:]
		case level[0] == '}':
			return nil, fmt.Errorf("a } without its {")
		default:
			name, rest, closed := strings.Cut(level[1:], "}")
			if !closed || name == "" || strings.ContainsAny(name, "{*") {
				return nil, fmt.Errorf("expected {column} at %q", level)
			}
			for _, c := range p.columns {
				if c == name {
					return nil, fmt.Errorf("duplicate {%s}", name)
				}
			}
			p.columns = append(p.columns, name)
			pieces, level = append(pieces, pathPiece{column: len(p.columns)}), rest
		}
	}
	return pieces, nil
}

// Columns names the columns in the order of the pattern.
func (p *PathPattern) Columns() []string { return p.columns }

// Match fills values, one a column, from name, and reports whether it fits.
func (p *PathPattern) Match(name string, values []string) bool {
	return matchPath(p.levels, strings.Split(name, "/"), values)
}

func matchPath(levels [][]pathPiece, name []string, values []string) bool {
	for len(levels) > 0 {
		if levels[0] == nil { // **
			for i := range len(name) + 1 {
				if matchPath(levels[1:], name[i:], values) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 || !matchPieces(levels[0], name[0], values) {
			return false
		}
		levels, name = levels[1:], name[1:]
	}
	return len(name) == 0
}

func matchPieces(pieces []pathPiece, s string, values []string) bool {
	if len(pieces) == 0 {
		return s == ""
	}
	switch p := pieces[0]; {
	case p.column == 0 && !p.any:
		rest, ok := strings.CutPrefix(s, p.literal)
		return ok && matchPieces(pieces[1:], rest, values)
	default:
		least := 1
		if p.any {
			least = 0
		}
		for n := least; n <= len(s); n++ {
			if matchPieces(pieces[1:], s[n:], values) {
				if p.column > 0 {
					values[p.column-1] = s[:n]
				}
				return true
			}
		}
		return false
	}
}

// A Template makes a path out of columns: `{Subset}/{ImageID}.jpg`.
type Template struct {
	literals []string // literals[i] stands before columns[i]; one more at the end
	columns  []string
}

// ParseTemplate compiles text.
func ParseTemplate(text string) (*Template, error) {
	t := &Template{}
	rest := text
	for {
		before, after, open := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return nil, fmt.Errorf("%q: a } without its {", text)
		}
		t.literals = append(t.literals, before)
		if !open {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed || name == "" || strings.Contains(name, "{") {
			return nil, fmt.Errorf("%q: expected {column} at %q", text, "{"+after)
		}
		t.columns, rest = append(t.columns, name), tail
	}
	if path.IsAbs(text) {
		return nil, fmt.Errorf("%q: expected a path relative to the folder", text)
	}
	return t, nil
}

// Columns names the columns in the order of the template.
func (t *Template) Columns() []string { return t.columns }

// Append appends the path that values, one a column, make.
func (t *Template) Append(dst []byte, values func(i int) []byte) []byte {
	for i := range t.columns {
		dst = append(dst, t.literals[i]...)
		dst = append(dst, values(i)...)
	}
	return append(dst, t.literals[len(t.literals)-1]...)
}
