package config

import (
	"fmt"
	"slices"
	"strings"
)

// A collector collects the problems of a config and the positions of its values. All steps of the
// loader use the same one, so that they do not repeat problems.
type collector struct {
	list      []Problem
	added     map[Problem]bool
	positions positions
	src       []string              // lines of the text
	exprs     map[string]expression // by path
	invalid   map[string]bool       // paths of invalid values
	inside    map[string]bool       // paths of values that are invalid, or contain an invalid value
}

func newCollector() *collector {
	return &collector{added: map[Problem]bool{}, positions: positions{}, exprs: map[string]expression{},
		invalid: map[string]bool{}, inside: map[string]bool{}}
}

// add adds a problem once: several sources may share it.
func (f *collector) add(q Problem) {
	f.markInvalid(q.Path)
	if !f.added[q] {
		f.added[q] = true
		f.list = append(f.list, q)
	}
}

// markInvalid marks the value at path and those around it.
func (f *collector) markInvalid(path string) {
	f.invalid[path] = true
	for ; path != ""; path = around(path) {
		f.inside[path] = true
	}
}

// report reports a problem of the value at path.
func (f *collector) report(path, format string, args ...any) {
	f.reportWithHint(path, "", format, args...)
}

// reportWithHint reports a problem of the value at path, with a hint.
func (f *collector) reportWithHint(path, hint, format string, args ...any) {
	f.reportAt(f.positions.closest(path), path, hint, format, args...)
}

// reportAt reports a problem at another position than the value at path.
func (f *collector) reportAt(at position, path, hint, format string, args ...any) {
	f.add(Problem{Path: path, Line: at.line, Col: at.col, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// reportMissing reports that a required key is missing.
func (f *collector) reportMissing(path, key string) {
	f.reportAt(f.positions.closest(path), subPath(path, key), "", "missing; it has no default")
}

// isGiven reports whether the config has a value at path, or one that was meant for it.
func (f *collector) isGiven(path string) bool {
	_, there := f.positions[path]
	return there || f.invalid[path]
}

// isValid reports whether none of the values at paths has a problem.
func (f *collector) isValid(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return f.invalid[path] })
}

// isValidInside reports whether neither the value at path nor a value inside it has a problem.
func (f *collector) isValidInside(path string) bool { return !f.inside[path] }

// A position is a line and a column of the text, from 1.
type position struct{ line, col int }

// positions has the position of each value by its path.
type positions map[string]position

// closest returns the position of the value at path, or of the closest value around it.
func (p positions) closest(path string) position {
	for {
		if at, ok := p[path]; ok || path == "" {
			return at
		}
		path = around(path)
	}
}

// At returns the position of the value at path, or of the closest value around it.
func (c *Config) At(path string) (line, col int) {
	at := c.positions.closest(path)
	return at.line, at.col
}

// subPath returns the path of key below path. A key with a dot or a bracket is quoted.
func subPath(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\"\\ \t\r\n:"):
		return path + "[" + quoteValue(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// around returns the path of the value around the value at path. A quoted key with a dot takes more
// than one step: the paths in between have no value.
func around(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}
