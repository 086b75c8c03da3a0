package sink_test

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// sumOf returns the sum of a shard with these bytes.
func sumOf(name, text string) sink.Sum {
	digest := sink.XXH128.New()
	digest.Write([]byte(text))
	return sink.Sum{Name: name, Bytes: int64(len(text)), CRC32C: crc32c.Checksum([]byte(text)),
		Digest: hex.EncodeToString(digest.Sum(nil))}
}

// refusingLinks is the file system of the machine, whose links fail.
func refusingLinks(times int, err error) vfs.FS {
	return vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "link" && times > 0 {
			times--
			return err
		}
		return nil
	})
}

// TestAdopt takes over a file of another dataset: as a link, else as a copy with its digest. A file that is not as the
// dataset said is an error.
func TestAdopt(t *testing.T) {
	const text = "the bytes of a shard"
	longer, other := sumOf("train-0", text+"."), sumOf("train-0", "the bytes of another")
	for name, c := range map[string]struct {
		fsys  vfs.FS
		sum   sink.Sum
		moved bool
		want  error
	}{
		"a link":               {vfs.OS(), sumOf("train-0", text), false, nil},
		"below a directory":    {vfs.OS(), sumOf("a/b/train-0", text), false, nil},
		"after a stopped run":  {refusingLinks(1, fs.ErrExist), sumOf("train-0", text), false, nil},
		"a copy":               {refusingLinks(1, syscall.EXDEV), sumOf("train-0", text), true, nil},
		"longer":               {vfs.OS(), longer, false, sink.ErrDiffers},
		"other bytes":          {refusingLinks(1, syscall.EPERM), other, true, sink.ErrDiffers},
		"a disk that is full":  {refusingLinks(9, syscall.ENOSPC), sumOf("train-0", text), true, syscall.ENOSPC},
		"a name that is taken": {refusingLinks(9, fs.ErrExist), sumOf("train-0", text), true, fs.ErrExist},
	} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "shard")
			testenv.Put(t, from, text)
			s, output := open(t, c.fsys, sink.Options{})
			moved, err := s.Adopt(t.Context(), c.sum, from, sink.XXH128)
			if !errors.Is(err, c.want) || err == nil && moved != c.moved {
				t.Fatalf("moved %t (%v), want %t (%v)", moved, err, c.moved, c.want)
			}
			if _, err := s.Adopt(t.Context(), c.sum, from, sink.XXH128); err == nil {
				t.Error("two shards have one name")
			}
			if c.want != nil {
				return
			}
			is, err := os.Stat(filepath.Join(sink.StagingPath(output), "data", c.sum.Name))
			was, err2 := os.Stat(from)
			if err != nil || err2 != nil || os.SameFile(is, was) == c.moved || is.Size() != was.Size() {
				t.Errorf("the file is %v, was %v (%v, %v)", is, was, err, err2)
			}
		})
	}
	s, _ := open(t, vfs.OS(), sink.Options{})
	if _, err := s.Adopt(t.Context(), sumOf("x", ""), filepath.Join(t.TempDir(), "gone"), sink.XXH128); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("a shard that is gone: %v", err)
	}
}

// TestAdoptInAStore takes over an object of a store that does not copy: it is read, compared, and put.
func TestAdoptInAStore(t *testing.T) {
	const text = "the bytes of a shard"
	m := new(storetest.Memory)
	from := filepath.Join(t.TempDir(), "shard")
	testenv.Put(t, from, text)
	s, err := sink.Open(over(overMemory(m)), inBucket, sink.Options{Scratch: t.TempDir()})
	if err == nil {
		err = s.Begin([]byte("job"))
	}
	if err != nil {
		t.Fatal(err)
	}
	moved, err := s.Adopt(t.Context(), sumOf("train-0", text), from, sink.XXH128)
	if err != nil || !moved || m.Objects()[inBucket+"/train-0"] != text {
		t.Errorf("moved %t (%v), the store has %q", moved, err, m.Objects())
	}
	other := sumOf("train-1", "the bytes of another")
	if _, err := s.Adopt(t.Context(), other, from, sink.XXH128); !errors.Is(err, sink.ErrDiffers) {
		t.Errorf("other bytes: %v", err)
	}
	if _, isThere := m.Objects()[inBucket+"/train-1"]; isThere {
		t.Error("other bytes are in the store")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
