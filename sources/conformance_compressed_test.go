package sources

import (
	"bytes"
	"compress/bzip2"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
)

// codecs compress a file. There is no encoder of bzip2.
var codecs = map[string]func(s *sample, text string) (string, error){
	".gz":  func(_ *sample, text string) (string, error) { return filetest.Gzip(text), nil },
	".zst": func(_ *sample, text string) (string, error) { return filetest.Zstd(text), nil },
	".bz2": func(s *sample, _ string) (string, error) {
		data, err := base64.StdEncoding.DecodeString(s.bzip2)
		return string(data), err
	},
}

// packed is the sample with the first file compressed, or nil if files are rows.
func (k *kit) packed(suffix string) []string {
	k.Helper()
	plain := filepath.Join(k.dir, k.first)
	text, err := os.ReadFile(plain)
	if err != nil {
		k.Fatal(err)
	}
	packed, err := codecs[suffix](k.sample, string(text))
	if err := errors.Join(err, os.Remove(plain)); err != nil {
		k.Fatal(err)
	}
	path := filepath.Join(k.dir, k.packedName(suffix))
	testenv.Put(k.T, path, packed)
	rows := k.conforms()
	if err := os.Remove(path); err != nil {
		k.Fatal(err)
	}
	testenv.Put(k.T, plain, string(text))
	return rows
}

// packedName is the name of the first file when it is compressed.
func (s *sample) packedName(suffix string) string {
	if s.named {
		return s.first
	}
	return s.first + suffix
}

// checkCompressed reads the first file compressed. The IDs of its rows must not change.
func (s *sample) checkCompressed(t *testing.T) {
	for suffix, compress := range codecs {
		k := newKit(t, s)
		in := k.mustOpen()
		if in.Listing().Sized || s.inside {
			return // rows are files as they are, or there is nothing to read
		}
		if suffix == ".bz2" && s.bzip2 == "" {
			continue // other samples have it
		}
		plain := filepath.Join(k.dir, k.first)
		text, err := os.ReadFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := compress(s, string(text))
		if err != nil {
			t.Fatal(err)
		}
		if suffix == ".bz2" {
			if unpacked, err := io.ReadAll(bzip2.NewReader(strings.NewReader(packed))); err != nil ||
				!bytes.Equal(unpacked, text) {
				t.Fatalf("the sample in bzip2 holds %q, %v; want %q", unpacked, err, text)
			}
		}
		if err := os.Remove(plain); err != nil {
			t.Fatal(err)
		}
		testenv.Put(t, filepath.Join(k.dir, s.packedName(suffix)), packed)
		wantRows(t, k.conforms(), s.rows...)
		in = k.mustOpen()
		first := slices.IndexFunc(in.Listing().Files, func(f files.File) bool { return f.Name == s.packedName(suffix) })
		if a := in.Address(first); !in.Footprint().Streamed || a.Name != k.first || a.Size != order.CompressedSize &&
			!s.named {
			t.Errorf("%s: address %+v, footprint %+v", suffix, a, in.Footprint())
		}
	}
}
