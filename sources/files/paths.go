package files

import (
	"fmt"
	"path/filepath"
	"strings"

	"tfr-build/internal/bucket"
	"tfr-build/internal/vfs"
)

// IsURL reports whether a path is of a file in a bucket.
func IsURL(path string) bool { return vfs.IsURL(path) }

// cut cuts a URL after its bucket. What follows begins with a slash, or is empty; of a
// path of the local file system it is all. Keys are taken as they are written.
func cut(path string) (place, key string) {
	if !IsURL(path) {
		return "", path
	}
	begin := strings.Index(path, "://") + len("://")
	if n := strings.IndexByte(path[begin:], '/'); n >= 0 {
		return path[:begin+n], path[begin+n:]
	}
	return path, ""
}

// Join is the path of a file below a folder, by its name relative to it.
func Join(dir, name string) string {
	if IsURL(dir) {
		return strings.TrimSuffix(dir, "/") + "/" + name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// Base is the last element of a path; of a bucket it is a dot.
func Base(path string) string {
	if place, key := cut(path); place != "" {
		key = strings.TrimSuffix(key, "/")
		if key == "" {
			return "."
		}
		return key[strings.LastIndexByte(key, '/')+1:]
	}
	return filepath.Base(path)
}

// Dir is all but the last element of a path.
func Dir(path string) string {
	if place, key := cut(path); place != "" {
		key = strings.TrimSuffix(key, "/")
		return place + key[:max(0, strings.LastIndexByte(key, '/'))]
	}
	return filepath.Dir(path)
}

// Rel is the name of a file relative to a folder, with slashes; below is false where it
// does not lie there.
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

// Abs is the absolute path.
func Abs(path string) (string, error) {
	if IsURL(path) {
		return strings.TrimSuffix(path, "/"), nil
	}
	return filepath.Abs(path)
}

// Way is the path of a file as one in the local folder dir may name it: relative to
// that, where it can.
func Way(dir, path string) string {
	if IsURL(path) {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// Real is an absolute path with the links of as much of it followed as there is.
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

// IsAbs reports whether a path does not depend on a folder.
func IsAbs(path string) bool { return IsURL(path) || filepath.IsAbs(path) }

// CheckHome is the fault of a path that begins as shells write the home folder. Only they
// know where it is: to the system ~ is a name like any other.
func CheckHome(path string) error {
	if path != "~" && !strings.HasPrefix(path, "~/") {
		return nil
	}
	return fmt.Errorf("%s begins with ~, which only a shell replaces: expected the path of the home folder, or ./%s", path, path)
}

// CheckPath is the fault of what looks like a URL and is none that leads anywhere, and
// that of [CheckHome].
func CheckPath(path string) error {
	if err := CheckHome(path); err != nil {
		return err
	}
	for _, scheme := range []string{bucket.S3, bucket.GS} {
		if strings.HasPrefix(path, scheme+":") && !IsURL(path) {
			return fmt.Errorf("%s is neither a path nor a URL: expected %s://BUCKET/NAME, or ./%s", path, scheme, path)
		}
	}
	_, _, err := bucket.Parse(path)
	return err
}

// Plain is a path of the local file system that is none of what [CheckPath] refuses: one
// whose first name is ~, or looks like the scheme of a URL, begins with a dot.
func Plain(path string) string {
	if CheckPath(path) != nil {
		return "./" + path
	}
	return path
}

// Path is a path in place of a URL of the local file system.
func Path(path string) string {
	if u, isURL, err := bucket.Parse(path); isURL && err == nil && u.IsLocal() {
		return u.Path()
	}
	return path
}
