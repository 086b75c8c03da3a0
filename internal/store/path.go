package store

import (
	"fmt"
	"path/filepath"
	"strings"
)

// schemeOf returns the scheme of a URL; it is empty for a path of the operating system, which
// file:// URLs are, too.
func schemeOf(path string) string {
	scheme, _, found := strings.Cut(path, "://")
	if !found || scheme == "file" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return scheme
}

// IsURL reports whether a path is a URL of a store, and not a path of the operating
// system. Ask a [Storage] for what it can do; this is for the syntax of paths alone.
func IsURL(path string) bool { return schemeOf(path) != "" }

// cut splits a URL after its bucket. The key begins with a slash, or is empty; a path of
// the operating system is all key. Keys are used as they are written.
func cut(path string) (root, key string) {
	if !IsURL(path) {
		return "", path
	}
	begin := strings.Index(path, "://") + len("://")
	if n := strings.IndexByte(path[begin:], '/'); n >= 0 {
		return path[:begin+n], path[begin+n:]
	}
	return path, ""
}

// Key returns the part of a URL after the bucket, without the slash between them. It is empty for a
// bucket. A path of the operating system is all key.
func Key(path string) string {
	root, key := cut(path)
	if root == "" {
		return key
	}
	return strings.TrimPrefix(key, "/")
}

// Join returns the path of a file in a directory. name is relative, with slashes; a URL
// stays as it is.
func Join(dir, name string) string {
	switch {
	case IsURL(name):
		return name
	case !IsURL(dir):
		return filepath.Join(dir, filepath.FromSlash(name))
	case name == ".":
		return dir
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// Base returns the last element of a path. For a bucket it is a dot.
func Base(path string) string {
	if root, key := cut(path); root != "" {
		key = strings.TrimSuffix(key, "/")
		if key == "" {
			return "."
		}
		return key[strings.LastIndexByte(key, '/')+1:]
	}
	return filepath.Base(path)
}

// Dir returns all but the last element of a path.
func Dir(path string) string {
	if root, key := cut(path); root != "" {
		key = strings.TrimSuffix(key, "/")
		return root + key[:max(0, strings.LastIndexByte(key, '/'))]
	}
	return filepath.Dir(path)
}

// Rel returns the name of a file relative to a directory, with slashes. below is false
// if the file is not in it.
func Rel(dir, path string) (name string, below bool) {
	if IsURL(dir) || IsURL(path) {
		return strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	}
	name, err := filepath.Rel(dir, path)
	if err != nil || name == ".." || strings.HasPrefix(name, "../") {
		return "", false
	}
	return filepath.ToSlash(name), true
}

// Abs returns the absolute path.
func Abs(path string) (string, error) {
	if IsURL(path) {
		return strings.TrimSuffix(path, "/"), nil
	}
	return filepath.Abs(path)
}

// Clean returns the shortest equivalent path. Only the last slash of a URL is removed:
// dots in keys are names.
func Clean(path string) string {
	if IsURL(path) {
		return strings.TrimSuffix(path, "/")
	}
	return filepath.Clean(path)
}

// Resolve returns a path that is relative to a directory as one that is not, cleaned. A URL and an
// absolute path stay.
func Resolve(dir, path string) string {
	if IsAbs(path) {
		return Clean(path)
	}
	return filepath.Join(dir, path)
}

// Way returns the path by which a file in the local directory dir can name another one:
// relative to dir if possible.
func Way(dir, path string) string {
	if IsURL(path) {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// Real returns an absolute path whose existing part has no links.
func Real(path string) string {
	if IsURL(path) {
		return strings.TrimSuffix(path, "/")
	}
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

// IsAbs reports whether a path does not depend on a directory.
func IsAbs(path string) bool { return IsURL(path) || filepath.IsAbs(path) }

// CheckHome refuses a path that begins as shells write the home directory. Only shells
// replace it: for the system, ~ is a name like any other.
func CheckHome(path string) error {
	if path != "~" && !strings.HasPrefix(path, "~/") {
		return nil
	}
	return fmt.Errorf("%s begins with ~, which only a shell replaces: expected the path of the home directory, or ./%s",
		path, path)
}
