package config

import (
	"slices"

	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// InputKey returns the position of the key that names an input: a file, a pattern, or a directory. For
// a file that a pattern matches, and for the directory of a pattern, it is the pattern's. ok is false if no key names
// the input.
func (c *Config) InputKey(path string) (at input.KeyPosition, ok bool) {
	for i := range c.Sources {
		s := &c.Sources[i]
		if key := c.keyOf(&s.Kind, path); key != "" {
			return c.PositionOf(s.At + "." + key), true
		}
		for k := range s.Join {
			if key := c.keyOf(&s.Join[k].Kind, path); key != "" {
				return c.PositionOf(s.Join[k].At + "." + key), true
			}
		}
		for k := range s.Load {
			if c.Resolve(s.Load[k].Dir) == path {
				return c.PositionOf(s.Load[k].At + ".dir"), true
			}
		}
	}
	for _, f := range c.AllFeatures() {
		if f.Classes != nil && f.Classes.File != "" && c.Resolve(f.Classes.File) == path {
			return c.PositionOf(f.At + ".classes.file"), true
		}
	}
	return at, false
}

// keyOf returns the key of a source type that names a path, below the source; empty if none does.
func (c *Config) keyOf(kind *sources.Chosen, path string) string {
	isPath := func(p string) bool {
		p = c.Resolve(p)
		return p == path || files.HasWildcard(p) && (files.Matches(p, path) || files.FixedDirectory(p) == path)
	}
	if o, ok := kind.Options.(interface{ FilePatterns() []string }); ok &&
		slices.ContainsFunc(o.FilePatterns(), isPath) {
		return kind.Name + ".files"
	}
	if o, ok := kind.Options.(interface{ Directory() string }); ok && o.Directory() != "" && isPath(o.Directory()) {
		return kind.Name + ".dir"
	}
	return ""
}
