package arrays

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/schema"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
)

// FuzzHead reads headers of .npy and IDX. The numbers of an accepted header must not overflow.
func FuzzHead(f *testing.F) {
	f.Add(filetest.NPY("<f4", "(2, 3)", ""))
	f.Add(filetest.NPYHeader(3, "{'shape': (4L,), 'descr': '>U7', 'fortran_order': True}", ""))
	f.Add(filetest.IDX(0x08, "", 60000, 28, 28))
	f.Add(filetest.IDX(0x0e, "", 1<<31, 1<<31))
	f.Fuzz(func(t *testing.T, text string) {
		h, err := readHeader(bufio.NewReaderSize(strings.NewReader(text), maxHeader+headerBegin))
		if err != nil {
			return
		}
		elements := int64(1)
		for _, n := range h.shape {
			elements *= int64(n)
		}
		if h.stride <= 0 || h.rows < 0 || elements*int64(h.size) != int64(h.stride) ||
			h.rows*int64(h.stride) != h.bytes || h.first > int64(len(text)) || h.first+h.bytes < 0 {
			t.Errorf("%q: %+v", text, h)
		}
	})
}

// FuzzFile reads files of arrays and archives. The result is the same rows both ways, invalid rows,
// or one error of the input.
func FuzzFile(f *testing.F) {
	member := packed{name: "a.npy", text: filetest.NPY("<U2", "(2, 1)",
		"a\x00\x00\x00b\x00\x00\x00\xac\x20\x00\x00\x00\x00\x00\x00")}
	f.Add(filetest.NPY(">i4", "(2, 3)", zeros(24)))
	f.Add(filetest.NPYHeader(1, "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2)}", zeros(4)))
	f.Add(filetest.IDX(0x08, "abcdef", 3, 2))
	f.Add(filetest.Gzip(filetest.IDX(0x08, "abcdef", 3, 2)))
	f.Add(archive(f, member))
	member.deflate = true
	f.Add(archive(f, member))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := open(dir, &Options{Columns: columns("a")})
		if err == nil && in.arrays[0].rows > 1000 && in.files[0].codec != compress.Plain {
			return // a file that is much longer than it looks
		}
		var list []string
		if err == nil {
			list, err = sequential(t, in)
		}
		var fit *input.MismatchError
		var fault *input.Error
		var bad *schema.RowError
		switch {
		case errors.As(err, &fit) && fit.Code != "", errors.As(err, &fault) && fault.Code() != "", errors.As(err, &bad):
			return
		case err != nil:
			t.Fatalf("no fault of the input: %T %v", err, err)
		}
		if in.Footprint().Streamed {
			return
		}
		if found, err := mapped(t, in); err != nil || !slices.Equal(found, list) {
			t.Errorf("rows %q and %q, %v", list, found, err)
		}
	})
}
