package sources

import (
	"fmt"
	"path"
	"slices"
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

// matchPath matches level by level. After a `**` the first levels that fit are
// right: a later `**` can take whatever an earlier one could, so that nothing is
// tried twice.
func matchPath(levels [][]pathPiece, name, values []string) bool {
	for len(levels) > 0 {
		if levels[0] != nil {
			if len(name) == 0 || !matchPieces(levels[0], name[0], values) {
				return false
			}
			levels, name = levels[1:], name[1:]
			continue
		}
		levels = levels[1:]
		n := slices.IndexFunc(levels, func(l []pathPiece) bool { return l == nil })
		from := 0
		if n < 0 { // it is the last `**`: the rest is the end of the name
			n = len(levels)
			from = max(0, len(name)-n)
		}
		for !matchLevels(levels[:n], name[from:], values) {
			if from++; from+n > len(name) {
				return false
			}
		}
		levels, name = levels[n:], name[from+n:]
	}
	return len(name) == 0
}

// matchLevels reports whether name begins with levels, which have no `**`.
func matchLevels(levels [][]pathPiece, name, values []string) bool {
	if len(name) < len(levels) {
		return false
	}
	for i, l := range levels {
		if !matchPieces(l, name[i], values) {
			return false
		}
	}
	return true
}

// matchPieces matches a level. A `*` or a column takes as little as lets the
// literal after it follow: what a longer one would leave out, the next can take.
func matchPieces(pieces []pathPiece, s string, values []string) bool {
	for i := range pieces {
		p := &pieces[i]
		n := len(p.literal)
		if p.takesAny() {
			n = p.length(s, pieces[i+1:])
		} else if !strings.HasPrefix(s, p.literal) {
			return false
		}
		if n < 0 {
			return false
		}
		if p.column > 0 {
			values[p.column-1] = s[:n]
		}
		s = s[n:]
	}
	return s == ""
}

func (p *pathPiece) takesAny() bool { return p.any || p.column > 0 }

// length is how much of s a `*` or a column takes before the pieces that follow;
// -1 where it cannot.
func (p *pathPiece) length(s string, after []pathPiece) int {
	least := 1
	if p.any {
		least = 0
	}
	n := least
	switch {
	case len(after) == 0:
		n = len(s)
	case after[0].takesAny():
	case len(after) == 1:
		n = len(s) - len(after[0].literal)
	case len(s) >= least:
		if n = strings.Index(s[least:], after[0].literal); n >= 0 {
			n += least
		}
	}
	if n < least || n > len(s) {
		return -1
	}
	return n
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
