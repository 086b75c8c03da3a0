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

// mostNamed is the largest number of class names from a file that a config lists.
const mostNamed = 1000

// areClasses reports whether the values are numbers of classes whose names are in the file; -1 is a
// row without a class.
func (k *parquetColumn) areClasses() bool {
	return len(k.names) > 0 && len(k.names) <= mostNamed && k.low >= -1 && k.high < int64(len(k.names))
}

// unusedNames returns a note if the class names in the file are not used, with the reason. It is
// empty if the file has no class names.
func (k *parquetColumn) unusedNames() string {
	switch {
	case len(k.names) == 0 || k.low > k.high:
		return ""
	case len(k.names) > mostNamed:
		return "; the file has " + plural.Of(len(k.names), "class name")
	}
	return fmt.Sprintf("; the file has %s, but the numbers are %d to %d", plural.Of(len(k.names), "class name"), k.low, k.high)
}

// addClasses adds the class names in the file to s.
func (k *parquetColumn) addClasses(s *spec) string {
	text := "{names: " + list(k.names) + ", numbers: true"
	note := plural.Of(len(k.names), "class name") + " in the file"
	if k.low < 0 {
		text += ", unknown: -1"
		note += "; -1 is a row without a class"
	}
	s.add("classes", text+"}")
	return note
}

// readClassNames reads the class names that the Hugging Face library datasets stores in Parquet
// files. It only uses names that are the same in all files that are inspected.
func (s *summary) readClassNames() error {
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
		if c.parquet != nil {
			c.parquet.names = all[strings.ReplaceAll(c.name, ".*", "")]
		}
	}
	return nil
}
