package sources

import (
	"fmt"
	"path"
	"strings"
)

// A Template makes a path from columns: `{Subset}/{ImageID}.jpg`.
type Template struct {
	literals []string // literals[i] is before columns[i]; the last is at the end
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
		return nil, fmt.Errorf("%q: expected a path relative to the directory", text)
	}
	return t, nil
}

// Columns returns the columns in the order of the template.
func (t *Template) Columns() []string { return t.columns }

// Append appends the path for values, one per column.
func (t *Template) Append(dst []byte, values func(i int) []byte) []byte {
	for i := range t.columns {
		dst = append(dst, t.literals[i]...)
		dst = append(dst, values(i)...)
	}
	return append(dst, t.literals[len(t.literals)-1]...)
}
