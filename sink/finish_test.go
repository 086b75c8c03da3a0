package sink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"

	"github.com/zeebo/xxh3"
)

func wantSum(t *testing.T, got sink.Sum, data []byte) {
	t.Helper()
	want := sink.Sum{
		Name: got.Name, Bytes: int64(len(data)),
		CRC32C: crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)),
		Digest: fmt.Sprintf("%x", xxh3.Hash128(data).Bytes()),
	}
	if len(got.Digest) == 64 {
		want.Digest = sha(data)
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestDigests(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	// The published values of XXH3-128 and SHA-256 for no bytes.
	for digest, want := range map[sink.Digest]string{
		sink.XXH128: "99aa06d3014798d86001c324468d497f",
		sink.SHA256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	} {
		empty, err := s.CreateShard("empty-"+digest.String(), sink.ShardOptions{Digest: digest})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := empty.Finish(t.Context(), sink.About{})
		if err != nil || sum.Digest != want || sum.Bytes != 0 || sum.CRC32C != 0 {
			t.Errorf("%s of nothing: %+v, %v", digest, sum, err)
		}
		sh, err := s.CreateShard("full-"+digest.String(), sink.ShardOptions{Blocks: 1, Digest: digest})
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Repeat([]byte("tfrecord"), 300_000) // more than is written at once
		if last, err := sh.WriteBlock(t.Context(), 0, data, nil); err != nil || !last {
			t.Fatal(last, err)
		}
		if sum, err = sh.Finish(t.Context(), sink.About{}); err != nil {
			t.Fatal(err)
		}
		wantSum(t, sum, data)
	}
}

func TestFinishIsCalledOnce(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err != nil {
		t.Fatal(err)
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err == nil || !strings.Contains(err.Error(), "finished before") {
		t.Errorf("%v", err)
	}
}

// A disk that skips a write, or returns other bytes, is detected before the shard has its name.
func TestReadBackFindsMissingWrites(t *testing.T) {
	for _, lose := range []int{0, 7, 8, 15} { // which of the 16 pieces that the blocks are written in
		n := 0
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind != "writeat" || filepath.Base(op.Name) != ".a.tmp" {
				return nil
			}
			if n++; n == lose+1 {
				return vfstest.ErrSkip
			}
			return nil
		})
		s, output := open(t, in, sink.Options{})
		sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if _, err := sh.WriteBlock(t.Context(), i, bytes.Repeat([]byte{'a'}, 1<<20), nil); err != nil {
				t.Fatal(err)
			}
		}
		_, err = sh.Finish(t.Context(), sink.About{})
		var at *sink.OutputError
		if !errors.Is(err, sink.ErrDiffers) || !errors.As(err, &at) {
			t.Errorf("piece %d: %v", lose, err)
		} else if want := int64(lose / 8 << 20); at.Offset != want {
			t.Errorf("piece %d: found at byte %d, want the block at %d", lose, at.Offset, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wantAbsent(t, output)
	}
}

func TestReadBackFindsAWrongLength(t *testing.T) {
	for _, length := range []int64{0, 1, 3} { // not 2
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == "open" && strings.HasSuffix(op.Name, ".a.tmp") {
				return os.Truncate(op.Name, length)
			}
			return nil
		})
		s, _ := open(t, in, sink.Options{})
		sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sh.WriteBlock(t.Context(), 0, []byte("ab"), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := sh.Finish(t.Context(), sink.About{}); !errors.Is(err, sink.ErrDiffers) {
			t.Errorf("%d bytes in place of 2: %v", length, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReadBackStopsWithTheContext(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.WriteBlock(t.Context(), 0, []byte("ab"), nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sh.Finish(ctx, sink.About{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAllocatedSpaceIsFreed(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 1, SizeHint: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.WriteBlock(t.Context(), 0, []byte("ab"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(staging(output), "data", "a"))
	if err != nil {
		t.Fatal(err)
	}
	if n := info.Sys().(*syscall.Stat_t).Blocks * 512; info.Size() != 2 || n > 1<<20 {
		t.Errorf("%d bytes take %d on the disk", info.Size(), n)
	}
}
