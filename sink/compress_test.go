package sink

import (
	"bytes"
	stdgzip "compress/gzip"
	stdzlib "compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// blocksOf returns blocks of several sizes and textures, among them one without bytes.
func blocksOf() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var table bytes.Buffer
	for i := range 5000 {
		fmt.Fprintf(&table, "row %d, %d, species %d\n", i, r.IntN(1000), r.IntN(3))
	}
	return [][]byte{
		table.Bytes(), nil, noise, []byte("a"), bytes.Repeat([]byte("abc"), 200_000),
		append(slices.Clone(noise[:70_000]), noise[:70_000]...),
	}
}

// writeShard writes blocks as a shard and returns the file.
func writeShard(t *testing.T, kind Compression, blocks [][]byte) []byte {
	t.Helper()
	s, err := Open(store.OS(), filepath.Join(t.TempDir(), "out"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Begin(nil); err != nil {
		t.Fatal(err)
	}
	c, err := NewCompressor(kind)
	if err != nil {
		t.Fatal(err)
	}
	sh, err := s.CreateShard("a", ShardOptions{Blocks: len(blocks), Compression: kind})
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range blocks {
		if _, err := sh.WriteBlock(t.Context(), i, block, c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sh.Finish(t.Context(), About{}); err != nil {
		t.Fatal(err)
	}
	data, err := vfstest.ReadFile(vfs.OS(), filepath.Join(s.files.dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Readers of gzip and zlib, by two makers.
var makers = map[Compression][]func(io.Reader) (io.Reader, error){
	None: {func(r io.Reader) (io.Reader, error) { return r, nil }},
	Gzip: {
		func(r io.Reader) (io.Reader, error) { return stdgzip.NewReader(r) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	},
	Zlib: {
		func(r io.Reader) (io.Reader, error) { return stdzlib.NewReader(r) },
		func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
	},
}

func TestCompressedShardsAreRead(t *testing.T) {
	for name, blocks := range map[string][][]byte{"blocks": blocksOf(), "one": {[]byte("a")}, "empty blocks": {nil, {}},
		"no blocks": nil} {
		for kind, readers := range makers {
			file := writeShard(t, kind, blocks)
			for i, reader := range readers {
				from := bytes.NewReader(file)
				r, err := reader(from)
				if err != nil {
					t.Fatalf("%s, %s, reader %d: %v", name, kind, i, err)
				}
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, slices.Concat(blocks...)) {
					t.Errorf("%s, %s, reader %d: %d bytes, %v", name, kind, i, len(got), err)
				}
				if from.Len() != 0 {
					t.Errorf("%s, %s, reader %d: %d bytes after the end", name, kind, i, from.Len())
				}
			}
		}
	}
}

// TensorFlow inflates zlib with a window of 15 bits and stops at the end of the
// first stream; with gzip it continues with the next member.
func TestShapesOfCompressedShards(t *testing.T) {
	if got := writeShard(t, None, nil); len(got) != 0 {
		t.Errorf("an empty shard has %d bytes", len(got))
	}
	if got := writeShard(t, Gzip, nil); string(got) != gzipEmpty {
		t.Errorf("an empty gzip shard is %x", got)
	}
	if got := writeShard(t, Zlib, nil); string(got) != "\x78\x9c\x03\x00\x00\x00\x00\x01" {
		t.Errorf("an empty zlib shard is %x", got)
	}
	blocks := blocksOf()
	members := bytes.Count(writeShard(t, Gzip, blocks), []byte(gzipHeader))
	if members != len(blocks)-1 {
		t.Errorf("%d members for %d blocks with bytes", members, len(blocks)-1)
	}
	first := writeShard(t, Zlib, blocks)
	if head := int(first[0])<<8 | int(first[1]); first[0] != 0x78 || head%31 != 0 {
		t.Errorf("zlib header %x", first[:2])
	}
}

// A compressor that did other work before makes the same bytes as a new one.
func TestCompressedBytesDependOnTheBlockAlone(t *testing.T) {
	blocks := blocksOf()
	for _, kind := range []Compression{None, Gzip, Zlib} {
		worn, err := NewCompressor(kind)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		for range 60 {
			block := blocks[r.IntN(len(blocks))]
			block = block[:len(block)-r.IntN(len(block)+1)/2]
			fresh, err := NewCompressor(kind)
			if err != nil {
				t.Fatal(err)
			}
			want, err := fresh.Append([]byte("x"), block)
			if err != nil {
				t.Fatal(err)
			}
			got, err := worn.Append([]byte("x"), block)
			if err != nil || !bytes.Equal(got, want) || got[0] != 'x' {
				t.Fatalf("%s: a block of %d bytes depends on the blocks before it, %v", kind, len(block), err)
			}
		}
	}
}

// The bytes of a dataset are a promise: when these change, its version must.
func TestCompressedBytesAreFrozen(t *testing.T) {
	for kind, want := range map[Compression]string{
		None: "24ee7f58c29d949d", Gzip: "1ac4666f5e80f8f4", Zlib: "ee1c84386320ed14",
	} {
		sum := sha256.Sum256(writeShard(t, kind, blocksOf()))
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

func TestCompressorMustMatchItsShard(t *testing.T) {
	c, err := NewCompressor(Gzip)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.compress(Zlib, []byte("a")); err == nil ||
		!strings.Contains(err.Error(), "a gzip block for a zlib shard") {
		t.Errorf("%v", err)
	}
}

// TestLargeBlocksAreCompressedOnce compresses a block of noise. Its buffer grows once, and serves all later blocks.
func TestLargeBlocksAreCompressedOnce(t *testing.T) {
	c, err := NewCompressor(Gzip)
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	var first *byte
	for i, block := range [][]byte{noise, []byte("a"), noise} {
		out, err := c.compress(Gzip, block)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = &out[0]
		}
		if cap(out) > len(noise)+len(noise)/16 || &out[0] != first {
			t.Errorf("block %d is in a buffer of %d bytes, another one than before: %v", i, cap(out), &out[0] != first)
		}
	}
}
