package sink_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// TestPartsOfBlocksKeepTheirOrder writes blocks in several parts from several
// goroutines: the file is all parts in the order of the blocks.
func TestPartsOfBlocksKeepTheirOrder(t *testing.T) {
	const blocks, parts = 20, 5
	for _, kind := range []sink.Compression{sink.None, sink.Gzip, sink.Zlib} {
		s, output := open(t, vfs.OS(), sink.Options{})
		sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: blocks, Compression: kind})
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for i := range blocks * parts {
			want = append(want, bytes.Repeat([]byte{byte(i)}, i*97%1000)...)
		}
		part := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i*97%1000) }
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				c, err := sink.NewCompressor(kind)
				for i := worker; i < blocks && err == nil; i += 4 {
					for p := range parts - 1 {
						if err == nil {
							err = sh.WritePart(t.Context(), i, part(i*parts+p), c)
						}
					}
					if err == nil {
						_, err = sh.WriteBlock(t.Context(), i, part(i*parts+parts-1), c)
					}
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if _, err := sh.Finish(t.Context(), sink.About{}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(filepath.Dir(output), ".out.tfr", "data", "a"))
		if err != nil {
			t.Fatal(err)
		}
		if got = unpack(t, kind, got); !bytes.Equal(got, want) {
			t.Errorf("%v: %d bytes, not the %d that were written", kind, len(got), len(want))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func unpack(t *testing.T, kind sink.Compression, data []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(data)
	var err error
	switch kind {
	case sink.Gzip:
		r, err = gzip.NewReader(r)
	case sink.Zlib:
		r, err = zlib.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return data
}
