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
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"tfr-build/internal/testenv"
	"tfr-build/order"
	"tfr-build/sources/input"
)

// codecs compress a file. There is no encoder of bzip2.
var codecs = map[string]func(s *sample, text []byte) ([]byte, error){
	".gz": func(_ *sample, text []byte) ([]byte, error) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write(text)
		err = errors.Join(err, w.Close())
		return b.Bytes(), err
	},
	".zst": func(_ *sample, text []byte) ([]byte, error) {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			return nil, err
		}
		defer w.Close()
		return w.EncodeAll(text, nil), nil
	},
	".bz2": func(s *sample, _ []byte) ([]byte, error) { return base64.StdEncoding.DecodeString(s.bzip2) },
}

// packed is what the kit reads where the first file is compressed; nil where
// files are rows.
func (k *kit) packed(suffix string) []string {
	k.Helper()
	plain := filepath.Join(k.dir, k.first)
	text, err := os.ReadFile(plain)
	if err != nil {
		k.Fatal(err)
	}
	packed, err := codecs[suffix](k.sample, text)
	if err := errors.Join(err, os.Remove(plain)); err != nil {
		k.Fatal(err)
	}
	testenv.Put(k.T, plain+suffix, string(packed))
	rows := k.conforms()
	testenv.Put(k.T, plain, string(text))
	if err := os.Remove(plain + suffix); err != nil {
		k.Fatal(err)
	}
	return rows
}

// checkCompressed reads the first file compressed: its rows have the same
// addresses.
func (s *sample) checkCompressed(t *testing.T) {
	for suffix, compress := range codecs {
		k := newKit(t, s)
		in := k.mustOpen()
		if in.Listing().Sized {
			return // rows are files as they are
		}
		if suffix == ".bz2" && s.bzip2 == "" {
			continue // other samples have it
		}
		plain := filepath.Join(k.dir, k.first)
		text, err := os.ReadFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := compress(s, text)
		if err != nil {
			t.Fatal(err)
		}
		if suffix == ".bz2" {
			if unpacked, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(unpacked, text) {
				t.Fatalf("the sample in bzip2 holds %q, %v; want %q", unpacked, err, text)
			}
		}
		testenv.Put(t, plain+suffix, string(packed))
		if err := os.Remove(plain); err != nil {
			t.Fatal(err)
		}
		wantRows(t, k.conforms(), s.rows...)
		in = k.mustOpen()
		first := slices.IndexFunc(in.Listing().Files, func(f input.File) bool { return f.Name == k.first+suffix })
		if a := in.Address(first); !in.Footprint().Streamed || a.Name != k.first || a.Size != order.CompressedSize {
			t.Errorf("%s: address %+v, footprint %+v", suffix, a, in.Footprint())
		}
	}
}
