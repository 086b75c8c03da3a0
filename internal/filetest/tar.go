package filetest

import (
	"archive/tar"
	"bytes"
	"io"
	"testing"
)

// Tar returns a tar archive. The arguments are the name and the content of each file in turn.
func Tar(t testing.TB, namesAndContents ...string) string {
	t.Helper()
	w := NewTar(t)
	for i := 0; i < len(namesAndContents); i += 2 {
		w.Add(namesAndContents[i], namesAndContents[i+1])
	}
	return w.Finish()
}

// A TarWriter writes a tar archive in memory.
type TarWriter struct {
	Format tar.Format // of the headers; 0 for the first one that can represent a file
	t      testing.TB
	buf    *bytes.Buffer
	tar    *tar.Writer
}

// NewTar begins a tar archive.
func NewTar(t testing.TB) *TarWriter {
	var b bytes.Buffer
	return &TarWriter{t: t, buf: &b, tar: tar.NewWriter(&b)}
}

// Add adds a file. A name that ends with a slash is a directory.
func (w *TarWriter) Add(name, content string) {
	w.t.Helper()
	w.AddHeader(&tar.Header{Name: name}, content)
}

// Symlink adds a symbolic link.
func (w *TarWriter) Symlink(name, target string) {
	w.t.Helper()
	w.AddHeader(&tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: target}, "")
}

// AddHeader adds a member of any type. It sets the size, the format, and the mode.
func (w *TarWriter) AddHeader(h *tar.Header, content string) {
	w.t.Helper()
	h.Size, h.Format, h.Mode = int64(len(content)), w.Format, 0o644
	if err := w.tar.WriteHeader(h); err != nil {
		w.t.Fatal(err)
	}
	if _, err := io.WriteString(w.tar, content); err != nil {
		w.t.Fatal(err)
	}
}

// Finish ends the archive and returns it.
func (w *TarWriter) Finish() string {
	w.t.Helper()
	if err := w.tar.Close(); err != nil {
		w.t.Fatal(err)
	}
	return w.buf.String()
}
