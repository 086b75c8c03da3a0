package filetest

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"testing"
)

// Zip returns a zip archive of compressed files. The arguments are the name and the content of each file in
// turn.
func Zip(t testing.TB, namesAndContents ...string) string {
	t.Helper()
	w := NewZip(t)
	for i := 0; i < len(namesAndContents); i += 2 {
		w.Add(namesAndContents[i], namesAndContents[i+1])
	}
	return w.Finish()
}

// A ZipWriter writes a zip archive in memory.
type ZipWriter struct {
	*zip.Writer
	t   testing.TB
	buf *bytes.Buffer
}

// NewZip begins a zip archive.
func NewZip(t testing.TB) *ZipWriter {
	var b bytes.Buffer
	return &ZipWriter{Writer: zip.NewWriter(&b), t: t, buf: &b}
}

// Add adds a compressed file.
func (w *ZipWriter) Add(name, content string) {
	w.t.Helper()
	w.AddHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}, content)
}

// Store adds a file that is not compressed.
func (w *ZipWriter) Store(name, content string) {
	w.t.Helper()
	w.AddHeader(&zip.FileHeader{Name: name, Method: zip.Store}, content)
}

// AddHeader adds a member of any type.
func (w *ZipWriter) AddHeader(h *zip.FileHeader, content string) {
	w.t.Helper()
	out, err := w.CreateHeader(h)
	w.write(out, err, content)
}

// Symlink adds a symbolic link.
func (w *ZipWriter) Symlink(name, target string) {
	w.t.Helper()
	h := &zip.FileHeader{Name: name}
	h.SetMode(0o777 | fs.ModeSymlink)
	w.AddHeader(h, target)
}

// AddRaw adds a member with a header that may lie: data is in the archive as it is.
func (w *ZipWriter) AddRaw(h *zip.FileHeader, data string) {
	w.t.Helper()
	out, err := w.CreateRaw(h)
	w.write(out, err, data)
}

func (w *ZipWriter) write(out io.Writer, err error, content string) {
	w.t.Helper()
	if err == nil {
		_, err = io.WriteString(out, content)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// Finish ends the archive and returns it.
func (w *ZipWriter) Finish() string {
	w.t.Helper()
	if err := w.Close(); err != nil {
		w.t.Fatal(err)
	}
	return w.buf.String()
}
