package arrays

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// npy returns a .npy file of a version, with any dict.
func npy(version byte, dict, elements string) string {
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))
	if version > 1 {
		length = binary.LittleEndian.AppendUint32(nil, uint32(len(dict)))
	}
	return npyMagic + string([]byte{version, 0}) + string(length) + dict + elements
}

// dictOf returns the dict of an array in C order.
func dictOf(descr, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
}

// array1 returns a .npy file of version 1.
func array1(descr, shape, elements string) string { return npy(1, dictOf(descr, shape), elements) }

// idx returns an IDX file.
func idx(typ byte, elements string, axes ...uint32) string {
	head := []byte{0, 0, typ, byte(len(axes))}
	for _, n := range axes {
		head = binary.BigEndian.AppendUint32(head, n)
	}
	return string(head) + elements
}

func gzipped(t testing.TB, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func deflated(t testing.TB, text string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
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
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(m.text)), UncompressedSize64: uint64(len(m.text))}
		if m.deflate {
			h.Method, m.text = zip.Deflate, deflated(t, m.text)
		}
		h.CompressedSize64 = uint64(len(m.text))
		if m.header != nil {
			m.header(h)
		}
		out, err := w.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zeros returns n NULs.
func zeros(n int) string { return strings.Repeat("\x00", n) }
