package vfs

import (
	"path/filepath"
	"strings"
)

// IsURL reports whether a name is of an object in a bucket, and not one of the
// operating system.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "s3://") || strings.HasPrefix(name, "gs://")
}

// Join is the name of a file below a folder, by its name there, with slashes. A
// folder that is a URL stays one, and so does a name.
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

// Split cuts a name into the folder that it stands in, and its last element.
func Split(name string) (dir, base string) {
	if !IsURL(name) {
		return filepath.Dir(name), filepath.Base(name)
	}
	name = strings.TrimSuffix(name, "/")
	at := strings.LastIndexByte(name, '/')
	return name[:at], name[at+1:]
}
