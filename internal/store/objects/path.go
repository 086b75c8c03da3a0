package objects

import (
	"fmt"
	"strings"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// CheckPath refuses a path that looks like a URL but is not a valid one, and what
// [store.CheckHome] refuses. The error has only the scheme of a URL: the rest may contain a password.
func CheckPath(path string) error {
	if err := store.CheckHome(path); err != nil {
		return err
	}
	for _, scheme := range []string{bucket.S3, bucket.GS} {
		if strings.HasPrefix(path, scheme+":") && !store.IsURL(path) {
			return fmt.Errorf("%s: without two slashes is neither a path nor a URL: expected %s://BUCKET/NAME, or "+
				"./%s:…", scheme, scheme, scheme)
		}
	}
	_, _, err := bucket.Parse(path)
	return err
}

// Plain returns a path of the operating system that [CheckPath] accepts: if its first
// name is ~ or looks like the scheme of a URL, the result begins with ./.
func Plain(path string) string {
	if CheckPath(path) != nil {
		return "./" + path
	}
	return path
}

// Path returns the path that a file:// URL names. Other paths stay.
func Path(path string) string {
	if u, isURL, err := bucket.Parse(path); isURL && err == nil && u.IsLocal() {
		return u.Path()
	}
	return path
}
