package config

import (
	"fmt"
	"slices"
	"strings"
)

// faults are what is wrong with a text, and where its values stand: the ledger
// that all steps of the loader write into, and read to leave echoes out.
type faults struct {
	list   []Problem
	told   map[Problem]bool
	places places
	src    []string              // the lines of the text
	exprs  map[string]expression // by path
	faulty map[string]bool       // paths of values with a fault
	inside map[string]bool       // paths of values with a fault in them, or of their own
}

func newFaults() *faults {
	return &faults{told: map[Problem]bool{}, places: places{}, exprs: map[string]expression{}, faulty: map[string]bool{}, inside: map[string]bool{}}
}

// add keeps q. What several sources share is told once.
func (f *faults) add(q Problem) {
	f.spoil(q.Path)
	if !f.told[q] {
		f.told[q] = true
		f.list = append(f.list, q)
	}
}

// spoil marks the value at path as faulty, and those around it.
func (f *faults) spoil(path string) {
	f.faulty[path] = true
	for ; path != ""; path = around(path) {
		f.inside[path] = true
	}
}

// bad is a fault of the value at path.
func (f *faults) bad(path, format string, args ...any) {
	f.hinted(path, "", format, args...)
}

// hinted is a fault with a hint.
func (f *faults) hinted(path, hint, format string, args ...any) {
	f.faultAt(f.places.of(path), path, hint, format, args...)
}

// faultAt is a fault that stands elsewhere than the value at path.
func (f *faults) faultAt(at place, path, hint, format string, args ...any) {
	f.add(Problem{Path: path, Line: at.line, Col: at.col, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// missing is the fault of a key that has to be there.
func (f *faults) missing(path, key string) {
	f.faultAt(f.places.of(path), subPath(path, key), "", "missing; it has no default")
}

// given reports whether there is a value at path, or one that was meant for it.
func (f *faults) given(path string) bool {
	_, there := f.places[path]
	return there || f.faulty[path]
}

// fine reports whether none of the values at paths has a fault.
func (f *faults) fine(paths ...string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return f.faulty[path] })
}

// fineInside reports whether neither the value at path nor one inside it has a
// fault.
func (f *faults) fineInside(path string) bool { return !f.inside[path] }

// A place is where a value stands in the text.
type place struct{ line, col int }

// places are those of the values, by their paths.
type places map[string]place

// of is the place of the value at path, or of the closest one around it.
func (p places) of(path string) place {
	for {
		if at, ok := p[path]; ok || path == "" {
			return at
		}
		path = around(path)
	}
}

// At is the place of the value at path, or of the closest one around it.
func (c *Config) At(path string) (line, col int) {
	at := c.places.of(path)
	return at.line, at.col
}

// subPath is the path of key below path. A key with a dot or a bracket in it
// is quoted.
func subPath(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\"\\ \t\r\n:"):
		return path + "[" + quoteValue(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// around is the path of what the value at path stands in. A quoted key with a
// dot in it takes more than one step: those between are the paths of nothing.
func around(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}
