package files

import (
	"path/filepath"
	"strings"
)

// Join is the path of a file below a folder, by its name relative to it.
func Join(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

// Base is the last element of a path.
func Base(path string) string { return filepath.Base(path) }

// Dir is all but the last element of a path.
func Dir(path string) string { return filepath.Dir(path) }

// Rel is the name of a file relative to a folder, with slashes; below is false where it
// does not lie there.
func Rel(dir, path string) (name string, below bool) {
	name, err := filepath.Rel(dir, path)
	if err != nil || name == ".." || strings.HasPrefix(name, "../") {
		return "", false
	}
	return filepath.ToSlash(name), true
}

// Abs is the absolute path.
func Abs(path string) (string, error) { return filepath.Abs(path) }

// Way is the path of a file as one in dir may name it: relative to that, where it can.
func Way(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// Real is an absolute path with the links of as much of it followed as there is.
func Real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if p == filepath.Dir(p) {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}
