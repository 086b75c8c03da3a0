package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
	"tfr-build/sources/parquet"
)

// mostNamed is how many names of classes a config lists that a file has.
const mostNamed = 1000

// areClasses reports whether the values are numbers of classes whose names the file has; -1
// stands for a row without a class.
func (k *kept) areClasses() bool {
	return len(k.names) > 0 && len(k.names) <= mostNamed && k.low >= -1 && k.high < int64(len(k.names))
}

// unnamed says why the names of classes that the file has are not used; empty where it has
// none.
func (k *kept) unnamed() string {
	switch {
	case len(k.names) == 0 || k.low > k.high:
		return ""
	case len(k.names) > mostNamed:
		return "; the file has " + plural.Of(len(k.names), "class name")
	}
	return fmt.Sprintf("; the file has %s, but the numbers are %d to %d", plural.Of(len(k.names), "class name"), k.low, k.high)
}

// classes adds the names that the file has.
func (k *kept) classes(s *spec) string {
	text := "{names: " + list(k.names) + ", numbers: true"
	note := plural.Of(len(k.names), "class name") + " in the file"
	if k.low < 0 {
		text += ", unknown: -1"
		note += "; -1 is a row without a class"
	}
	s.add("classes", text+"}")
	return note
}

// named takes the names of classes that Hugging Face's datasets has left in the files, where
// all files that are looked at have the same.
func (s *seen) named() error {
	var all map[string][]string
	for i, path := range s.tables[:min(len(s.tables), filesMost)] {
		listed, err := s.sys.Stat(base(path), path)
		if err != nil {
			return &input.Error{Path: path, Err: err}
		}
		f, err := s.sys.Open(path, &listed)
		if err != nil {
			return &input.Error{Path: path, Err: err}
		}
		names, err := parquet.ClassNames(f, listed.Size)
		_ = f.Close()
		switch {
		case err != nil:
			return &input.Error{Path: path, Err: err}
		case i == 0:
			all = names
		}
		maps.DeleteFunc(all, func(column string, list []string) bool { return !slices.Equal(list, names[column]) })
	}
	for _, c := range s.columns {
		if c.kept != nil {
			c.kept.names = all[strings.ReplaceAll(c.name, ".*", "")]
		}
	}
	return nil
}
