package arrays

import (
	"archive/zip"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
)

// dictOf returns the dict of an array in C order.
func dictOf(descr, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
}

// A packed is a member of an archive, possibly with false sizes.
type packed struct {
	name, text string
	deflate    bool
	header     func(*zip.FileHeader)
}

// archive returns a zip archive.
func archive(t testing.TB, members ...packed) string {
	t.Helper()
	w := filetest.NewZip(t)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(m.text)),
			UncompressedSize64: uint64(len(m.text))}
		if m.deflate {
			h.Method, m.text = zip.Deflate, filetest.Deflate(m.text)
		}
		h.CompressedSize64 = uint64(len(m.text))
		if m.header != nil {
			m.header(h)
		}
		w.AddRaw(h, m.text)
	}
	return w.Finish()
}

// zeros returns n NULs.
func zeros(n int) string { return strings.Repeat("\x00", n) }
