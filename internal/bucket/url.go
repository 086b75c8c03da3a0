package bucket

import (
	"fmt"
	"net/url"
	"strings"
)

// The schemes of a [URL].
const (
	S3    = "s3"
	GS    = "gs"
	Local = "file" // a file of this machine
)

// A URL names an object in a bucket of a store, or a prefix of keys. Keys are used as they are
// written: nothing in them is escaped. A * or ? is part of the key, unless the caller reads it as
// a pattern.
type URL struct {
	Scheme string // S3, GS, or Local
	Bucket string // empty for Local
	Key    string // without the slash after the bucket; for Local a path
}

// Parse parses a URL. A string without a scheme:// is a local path, and isURL is false.
//
// A local file may also be written as a URL: file:///data/a.csv has the scheme Local, no bucket,
// and the path /data/a.csv as its key. Escapes such as %20 are decoded in it. If [URL.IsLocal],
// callers open [URL.Path].
func Parse(text string) (u URL, isURL bool, err error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || !isScheme(scheme) {
		return URL{}, false, nil
	}
	switch scheme {
	case S3, GS:
		u, err = parseStore(scheme, rest)
	case Local:
		u, err = parseLocal(rest)
	default:
		// The message has only the scheme: the rest may contain a password.
		err = fmt.Errorf("%s:// is not supported: %s://, %s:// and %s:/// are", scheme, S3, GS, Local)
	}
	return u, true, err
}

// isScheme reports whether a string is a scheme. In a path such as a/b://c, "a/b" is not.
func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || !strings.Contains("0123456789+-.", s[i:i+1])) {
			return false
		}
	}
	return s != ""
}

func parseStore(scheme, rest string) (URL, error) {
	bucket, key, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(bucket, "@:") { // a secret key may have a slash, so that the bucket ends before the @
		return URL{}, fmt.Errorf("%s://: credentials and ports do not belong in a URL; credentials are taken from the "+
			"environment", scheme)
	}
	if err := checkBucket(bucket); err != nil {
		return URL{}, fmt.Errorf("%s://%s: %w", scheme, rest, err)
	}
	if len(key) > maxKeyBytes {
		return URL{}, fmt.Errorf("%s://%s/%.40s…: the key has %d bytes, at most %d are possible", scheme, bucket, key,
			len(key), maxKeyBytes)
	}
	return URL{Scheme: scheme, Bucket: bucket, Key: key}, nil
}

// maxKeyBytes is the largest length of a key, in S3 and in GCS.
const maxKeyBytes = 1024

// A NameError says that a string cannot be the name of a bucket.
type NameError struct {
	Expected string // what should be there instead
	text     string
}

func (e *NameError) Error() string { return e.text }

// checkBucket returns an error for a string that cannot be the name of a bucket.
func checkBucket(name string) error {
	if name == "" {
		return &NameError{"the name of a bucket after ://", "the name of the bucket is missing"}
	}
	for _, c := range name {
		if isName := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.ContainsRune("-._", c); !isName {
			return &NameError{"a bucket name of letters, digits, -, ., and _",
				fmt.Sprintf("the name of a bucket cannot have a %q", c)}
		}
	}
	if len(name) < 3 || len(name) > 222 { // GCS allows domains, of up to 222 bytes
		return &NameError{"a bucket name of 3 to 63 characters", "the name of a bucket has 3 to 63 characters"}
	}
	return nil
}

func parseLocal(rest string) (URL, error) {
	host, path, found := strings.Cut(rest, "/")
	if !found || host != "" && host != "localhost" {
		return URL{}, fmt.Errorf("%s:// without a third slash: a local file is written %s:///its/path", Local, Local)
	}
	path, err := url.PathUnescape("/" + path)
	if err != nil {
		return URL{}, fmt.Errorf("%s://%s: %w", Local, rest, err)
	}
	return URL{Scheme: Local, Key: path}, nil
}

// IsLocal reports whether the URL names a local file.
func (u URL) IsLocal() bool { return u.Scheme == Local }

// Path returns the path of a local file.
func (u URL) Path() string { return u.Key }

// String returns the URL in the form that [Parse] reads.
func (u URL) String() string {
	if u.IsLocal() {
		return (&url.URL{Scheme: Local, Path: u.Key}).String()
	}
	return u.Scheme + "://" + u.Bucket + "/" + u.Key
}

// Join returns the URL of a name below u, which is a directory then.
func (u URL) Join(name string) URL {
	if u.Key != "" && !strings.HasSuffix(u.Key, "/") {
		u.Key += "/"
	}
	u.Key += name
	return u
}

// withKey returns the URL of another key in the same bucket.
func (u URL) withKey(key string) URL {
	u.Key = key
	return u
}
