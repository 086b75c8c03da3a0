package rows

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nameset"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Classes are the names of class features: from the config, from files, or
// collected from all rows.
type Classes struct {
	sys   *files.System
	cfg   *config.Config
	names map[string][]string // by feature
	files []string            // that were read, each time that the config names one
	lines map[string][]string // of these files, by their path in the config

	indexed map[string]*schema.Classes // by feature, for all sources
}

func newClasses(cfg *config.Config, sys *files.System) *Classes {
	return &Classes{
		sys: sys, cfg: cfg,
		names: map[string][]string{}, lines: map[string][]string{}, indexed: map[string]*schema.Classes{},
	}
}

// readFiles reads the files that hold the features' class names.
func (c *Classes) readFiles() error {
	for _, f := range c.cfg.AllFeatures() {
		if f.Classes == nil {
			continue
		}
		c.set(f.Key, f.Classes.Names)
		if f.Classes.File == "" {
			continue
		}
		names, err := c.readNames(f.Classes.File)
		if err != nil {
			return err
		}
		c.set(f.Key, names)
	}
	return nil
}

// perFile reads a file of class_per_file.
func (c *Classes) perFile(path string) ([]string, error) {
	return c.read(path, math.MaxInt64, math.MaxInt)
}

// Of are the names of a feature; nil while `auto` has not found them.
func (c *Classes) Of(key string) []string { return c.names[key] }

// set sets the names of a feature; nil are none yet.
func (c *Classes) set(key string, names []string) {
	c.names[key] = names
	delete(c.indexed, key)
}

// index returns the classes of a feature with the index that all sources share.
func (c *Classes) index(key string, of *schema.Classes) *schema.Classes {
	if of == nil || c.names[key] == nil {
		return of
	}
	if c.indexed[key] == nil {
		of.Index()
		c.indexed[key] = of
	}
	return c.indexed[key]
}

// InFile are the names in a file, by its path in the config.
func (c *Classes) InFile(path string) []string { return c.lines[path] }

// Files are the paths of the files of names, once for each time that the config
// names one.
func (c *Classes) Files() []string { return c.files }

// Auto are the features whose classes are the texts of all rows.
func (c *Classes) Auto() []*config.Feature {
	var list []*config.Feature
	for _, f := range c.cfg.AllFeatures() {
		if f.Classes != nil && f.Classes.Auto {
			list = append(list, f)
		}
	}
	return list
}

// isCollected reports whether the classes of a feature were collected from all rows.
func (c *Classes) isCollected(key string) bool {
	return c.names[key] != nil && slices.ContainsFunc(c.Auto(), func(f *config.Feature) bool { return f.Key == key })
}

// Complete reports whether the names of all features are known.
func (c *Classes) Complete() bool {
	return !slices.ContainsFunc(c.Auto(), func(f *config.Feature) bool { return c.names[f.Key] == nil })
}

// What the names of one feature may be: those of `auto`, and those in a file.
const (
	maxClasses   = 1_000_000 // names
	maxClassText = 64 << 20  // bytes of them, with the ends of their lines
)

// readNames reads the file of a feature's names, which differ.
func (c *Classes) readNames(path string) ([]string, error) {
	names, err := c.read(path, maxClassText, maxClasses)
	if err != nil {
		return nil, err
	}
	if _, first, second := nameset.Of(names); second >= 0 {
		text := fmt.Sprintf("duplicate %q; it is on line %d already", names[second], first+1)
		return nil, &input.FitError{Path: c.cfg.Resolve(path), Line: second + 1, Col: 1, Text: text}
	}
	return names, nil
}

// read reads a file of names, one a line, LF or CRLF, of so many bytes and names at most.
// Blank lines are faults. The names share the memory of their text.
func (c *Classes) read(path string, maxText int64, maxNames int) ([]string, error) {
	full := c.cfg.Resolve(path)
	c.files = append(c.files, full)
	text, err := c.sys.ReadFile(full, maxText)
	if large, ok := errors.AsType[*store.LargeError](err); ok {
		return nil, &input.FitError{Path: full, Text: fmt.Sprintf("%d bytes of names; expected at most %d", large.Size, maxText)}
	}
	if err != nil {
		return nil, &input.Error{Path: full, Err: err}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	names := make([]string, 0, min(bytes.Count(text, []byte("\n"))+1, maxNames))
	for line := range strings.Lines(string(text)) {
		name := strings.TrimRight(line, "\r\n")
		n := len(names) + 1
		switch {
		case !utf8.ValidString(name):
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: "the name is not UTF-8", Code: "UTF8_INVALID"}
		case name == "":
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: "a blank line; expected a name"}
		case n > maxNames:
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: fmt.Sprintf("found more names; expected at most %d", maxNames)}
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, &input.FitError{Path: full, Text: "no names in the file"}
	}
	c.lines[path] = names
	return names, nil
}
