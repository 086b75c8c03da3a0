package raster

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// inflated decompresses size bytes of data, n at a time, and returns the number of bytes after
// the compressed data.
func inflated(f *inflater, data []byte, size, n int) (all []byte, rest int, err error) {
	if err := f.reset(data); err != nil {
		return nil, 0, err
	}
	for len(all) < size {
		piece, err := f.next(min(n, size-len(all)))
		if err != nil {
			return nil, 0, err
		}
		all = append(all, piece...)
	}
	more, rest, err := f.end()
	if more {
		err = fmt.Errorf("more than %d bytes", size)
	}
	return all, rest, err
}

// TestInflate decompresses one stream after the other with the same inflater. Each is also
// followed by other bytes, truncated, read for too long or too short, and changed.
func TestInflate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var f inflater
	for _, size := range []int{0, 1, 258, 1000, 32768, 200000} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(r.ExpFloat64() * 8)
		}
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 9} {
			var b bytes.Buffer
			w, _ := zlib.NewWriterLevel(&b, level)
			_, _ = w.Write(want)
			_ = w.Close()
			data, name := b.Bytes(), fmt.Sprintf("%d bytes at level %d", size, level)
			for _, n := range []int{97, 100000} {
				got, rest, err := inflated(&f, append(data, "rest"...), size, n)
				if err != nil || rest != 4 || !bytes.Equal(got, want) {
					t.Fatalf("%s, in pieces of %d: %d bytes and %d more, %v", name, n, len(got), rest, err)
				}
			}
			for _, length := range []int{0, 1, 2, 5, len(data) / 2, len(data) - 5, len(data) - 4, len(data) - 1} {
				cut := data[:max(0, min(length, len(data)-1))]
				if _, _, err := inflated(&f, cut, size, 97); err != io.ErrUnexpectedEOF {
					t.Errorf("%s, truncated to %d of %d: %v", name, len(cut), len(data), err)
				}
			}
			if _, _, err := inflated(&f, data, size+1, 97); err != io.ErrUnexpectedEOF {
				t.Errorf("%s, one byte more: %v", name, err)
			}
			if size > 0 {
				if _, _, err := inflated(&f, data, size-1, 97); err == nil || err == io.ErrUnexpectedEOF {
					t.Errorf("%s, one byte less: %v", name, err)
				}
			}
			data[len(data)-1]++
			if _, _, err := inflated(&f, data, size, 97); err != zlib.ErrChecksum {
				t.Errorf("%s, with another checksum: %v", name, err)
			}
		}
	}
}

// TestInflateHeader has headers that zlib rejects for PNGs.
func TestInflateHeader(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       error
	}{
		{"another method", "\x79\x9c\x03\x00\x00\x00\x00\x01", zlib.ErrHeader},
		{"a wrong check", "\x78\x9d\x03\x00\x00\x00\x00\x01", zlib.ErrHeader},
		{"a window of 64 KiB", "\x88\x1c\x03\x00\x00\x00\x00\x01", zlib.ErrHeader},
		{"a dictionary", "\x78\xbb\x03\x00\x00\x00\x00\x01", errDictionary},
		{"an empty dictionary", "\x78\xbb\x00\x00\x00\x01\x03\x00\x00\x00\x00\x01", errDictionary},
	} {
		if _, _, err := inflated(new(inflater), []byte(test.data), 0, 1); err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}
