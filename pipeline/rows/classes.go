package rows

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/pipeline/config"
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
}

func newClasses(cfg *config.Config, sys *files.System) *Classes {
	return &Classes{sys: sys, cfg: cfg, names: map[string][]string{}, lines: map[string][]string{}}
}

// readFiles reads the files that hold the features' class names.
func (c *Classes) readFiles() error {
	for _, f := range c.cfg.AllFeatures() {
		if f.Classes == nil {
			continue
		}
		c.names[f.Key] = f.Classes.Names
		if f.Classes.File == "" {
			continue
		}
		names, err := c.read(f.Classes.File, false)
		if err != nil {
			return err
		}
		c.names[f.Key] = names
	}
	return nil
}

// perFile reads a file of class_per_file.
func (c *Classes) perFile(path string) ([]string, error) { return c.read(path, true) }

// Of are the names of a feature; nil while `auto` has not found them.
func (c *Classes) Of(key string) []string { return c.names[key] }

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

// Complete reports whether the names of all features are known.
func (c *Classes) Complete() bool {
	return !slices.ContainsFunc(c.Auto(), func(f *config.Feature) bool { return c.names[f.Key] == nil })
}

// read reads a file of names, one a line, LF or CRLF. Blank lines are faults, and
// duplicates where they are not allowed.
func (c *Classes) read(path string, duplicates bool) ([]string, error) {
	full := c.cfg.Resolve(path)
	c.files = append(c.files, full)
	text, err := c.sys.ReadFile(full)
	if err != nil {
		return nil, &input.Error{Path: full, Err: err}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var names []string
	line := map[string]int{}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, len(text)+1)
	for n := 1; scan.Scan(); n++ {
		name := strings.TrimSuffix(scan.Text(), "\r")
		switch first, double := line[name]; {
		case !utf8.ValidString(name):
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: "the name is not UTF-8", Code: "UTF8_INVALID"}
		case name == "":
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: "a blank line; expected a name"}
		case double && !duplicates:
			return nil, &input.FitError{Path: full, Line: n, Col: 1, Text: fmt.Sprintf("duplicate %q; it is on line %d already", name, first)}
		}
		line[name] = n
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, &input.FitError{Path: full, Text: "no names in the file"}
	}
	c.lines[path] = names
	return names, nil
}
