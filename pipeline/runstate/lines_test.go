package runstate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"testing"

	"tfr-build/sources/files"
)

// TestLines compares the digests with digests of the same lines, built separately. Names are quoted in
// every way. Lines added to a clone must not change the original.
func TestLines(t *testing.T) {
	names := []string{"", "a/b.jpg", "~", " ", "tab\t", "\"", `a\b`, "é", "\xff", "\x7f", "caf\u0301",
		"\u00ad", "a\x00"}
	var outer, inner bytes.Buffer
	l := newLines()
	for i, name := range names {
		f := files.File{Name: name, Size: int64(i) << 40, ModTime: -int64(i), Inode: ^uint64(i)}
		etag := ""
		if i%3 == 0 {
			f.ETag = name + "x"
			etag = fmt.Sprintf(" %q", f.ETag)
		}
		l.add(i-1, &f)
		line := fmt.Sprintf("%d %q %d %d%s", i-1, name, f.Size, f.ModTime, etag)
		fmt.Fprintf(&outer, "%s\n", line)
		fmt.Fprintf(&inner, "%s %d\n", line, f.Inode)

		more := l.clone()
		more.add(noSource, &files.File{Name: "of the clone alone"})
		if o, n := sha256.Sum256(outer.Bytes()), sha256.Sum256(inner.Bytes()); !bytes.Equal(l.outer.Sum(nil), o[:]) ||
			!bytes.Equal(l.inner.Sum(nil), n[:]) {
			t.Fatalf("%q: other digests than of\n%s%s", name, &outer, &inner)
		}
		if bytes.Equal(more.outer.Sum(nil), l.outer.Sum(nil)) || bytes.Equal(more.inner.Sum(nil), l.inner.Sum(nil)) {
			t.Fatalf("%q: the clone has what it was made of", name)
		}
	}
	for c := range 256 {
		name := "a" + string([]byte{byte(c)}) + "b"
		if got, want := string(appendQuoted(nil, name)), strconv.Quote(name); got != want {
			t.Errorf("quoted %s, want %s", got, want)
		}
	}
}
