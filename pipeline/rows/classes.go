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

// Classes has the class names of all features: from the config, from files, or collected from all
// rows.
type Classes struct {
	sys   *files.System
	cfg   *config.Config
	names map[string][]string // by feature
	files []string            // files read, once per mention in the config
	lines map[string][]string // the names in these files, by their path in the config

	indexed map[string]*schema.Classes // by feature; all sources share the index
}

func newClasses(cfg *config.Config, sys *files.System) *Classes {
	return &Classes{
		sys: sys, cfg: cfg,
		names: map[string][]string{}, lines: map[string][]string{}, indexed: map[string]*schema.Classes{},
	}
}

// readFiles reads the class files of the features, and takes the names that the config lists.
func (c *Classes) readFiles() error {
	for _, f := range c.cfg.AllFeatures() {
		if f.Classes == nil {
			continue
		}
		c.set(f.Key, f.Classes.Names)
		if f.Classes.File == "" {
			continue
		}
		names, err := c.readNames(f.Classes)
		if err != nil {
			return err
		}
		c.set(f.Key, names)
	}
	return nil
}

// readPerFile reads a file that class_per_file names. Its names may repeat, and it has no size
// limit.
func (c *Classes) readPerFile(path string) ([]string, error) {
	return c.read(path, math.MaxInt64, math.MaxInt)
}

// Of returns the class names of a feature. They are nil if it has `auto` and the names are not
// collected yet.
func (c *Classes) Of(key string) []string { return c.names[key] }

// set sets the class names of a feature; nil means that they are not known yet.
func (c *Classes) set(key string, names []string) {
	c.names[key] = names
	delete(c.indexed, key)
}

// index returns the classes of a feature with an index by name, which all sources share.
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

// InFile returns the names in a class file, by its path in the config.
func (c *Classes) InFile(path string) []string { return c.lines[path] }

// Files returns the paths of the class files that were read, once for each time that the config
// names one.
func (c *Classes) Files() []string { return c.files }

// Auto returns the features with `auto`, whose class names are collected from all rows.
func (c *Classes) Auto() []*config.Feature {
	var list []*config.Feature
	for _, f := range c.cfg.AllFeatures() {
		if f.Classes != nil && f.Classes.Auto {
			list = append(list, f)
		}
	}
	return list
}

// isCollected reports whether the class names of a feature were collected from all rows.
func (c *Classes) isCollected(key string) bool {
	return c.names[key] != nil && slices.ContainsFunc(c.Auto(), func(f *config.Feature) bool { return f.Key == key })
}

// Complete reports whether the class names of all features are known.
func (c *Classes) Complete() bool {
	return !slices.ContainsFunc(c.Auto(), func(f *config.Feature) bool { return c.names[f.Key] == nil })
}

// Limits for the class names of one feature, collected or from a file.
const (
	maxClasses   = 1_000_000 // names
	maxClassText = 64 << 20  // bytes, including line ends
)

// readNames reads the class file of a feature. A name that occurs twice is an error.
func (c *Classes) readNames(of *config.Classes) ([]string, error) {
	if config.IsLabelMap(of.File) {
		return c.readLabelMap(of)
	}
	names, err := c.read(of.File, maxClassText, maxClasses)
	if err != nil {
		return nil, err
	}
	if _, first, second := nameset.Of(names); second >= 0 {
		text := fmt.Sprintf("duplicate %q; it is on line %d already", names[second], first+1)
		return nil, &input.MismatchError{Path: c.cfg.Resolve(of.File), Line: second + 1, Col: 1, Text: text}
	}
	return names, nil
}

// readText reads a file of at most maxText bytes, without its byte order mark.
func (c *Classes) readText(full string, maxText int64) ([]byte, error) {
	c.files = append(c.files, full)
	text, err := c.sys.ReadFile(full, maxText)
	if large, ok := errors.AsType[*store.LargeError](err); ok {
		return nil, &input.MismatchError{Path: full,
			Text: fmt.Sprintf("%d bytes of names; expected at most %d", large.Size, maxText)}
	}
	if err != nil {
		return nil, &input.Error{Path: full, Err: err}
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

// read reads a file with one name per line, which ends with LF or CRLF. A blank line is an error,
// and so are more than maxText bytes or maxNames names. The names share the memory of the file's
// content.
func (c *Classes) read(path string, maxText int64, maxNames int) ([]string, error) {
	full := c.cfg.Resolve(path)
	text, err := c.readText(full, maxText)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, min(bytes.Count(text, []byte("\n"))+1, maxNames))
	for line := range strings.Lines(string(text)) {
		name := strings.TrimRight(line, "\r\n")
		n := len(names) + 1
		switch {
		case !utf8.ValidString(name):
			return nil, &input.MismatchError{Path: full, Line: n, Col: 1, Text: "the name is not UTF-8",
				Code: "UTF8_INVALID"}
		case name == "":
			return nil, &input.MismatchError{Path: full, Line: n, Col: 1, Text: "a blank line; expected a name"}
		case n > maxNames:
			return nil, &input.MismatchError{Path: full, Line: n, Col: 1,
				Text: fmt.Sprintf("found more names; expected at most %d", maxNames)}
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, &input.MismatchError{Path: full, Text: "no names in the file"}
	}
	c.lines[path] = names
	return names, nil
}
