package sink_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func TestShardsInSubdirectories(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	j := full.inDirectories()
	j.workers, j.delay = 3, 1000
	for k, sum := range j.mustBuild(t, output) {
		if sum.Name != j.shardName(k) {
			t.Errorf("shard %d is %s", k, sum.Name)
		}
	}
	j.wantAt(t, output)
	if got := names(tree(t, output)); got != "_SUCCESS _tfr/ _tfr/manifest.json test/ test/part-00000 train/ "+
		"train/part-00000 train/part-00001" {
		t.Errorf("there is %s", got)
	}
	j.with("newer").overwriting().mustBuild(t, output)
	wantStaging(t, output, "lock state.json")
}

// A name cannot be both a file and a directory.
func TestDirectoryAndFileNamesDoNotConflict(t *testing.T) {
	for _, test := range []struct{ first, second string }{{"a", "a/b"}, {"a/b", "a"}, {"a/b", "a/b"}} {
		s, output := open(t, vfs.OS(), sink.Options{})
		if _, err := s.CreateShard(test.first, sink.ShardOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateShard(test.second, sink.ShardOptions{}); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s after %s: %v", test.second, test.first, err)
		}
		if err := s.WriteFile(test.second, nil); !errors.Is(err, os.ErrExist) {
			t.Errorf("the file %s after the shard %s: %v", test.second, test.first, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wantStaging(t, output, "lock")
	}
}

// Only finished files of a subdirectory stay. A subdirectory without finished files is removed.
func TestResumeCleansSubdirectories(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	j := full.inDirectories()
	j.halt(t, vfs.OS(), output)
	want := names(tree(t, staging(output)))
	for _, stray := range []string{
		"data/train/stray", "data/train/.part-00000.tmp", "data/other/part-00000", "data/train/below/part-00000",
		"rejects/train/part-00000", "rejects/test/stray",
	} {
		write(t, filepath.Join(staging(output), stray), "x")
	}
	s, err := sink.Open(store.OS(), output, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := s.Resume(t.Context(), sink.XXH128)
	if err != nil || len(kept) != 3 {
		t.Error(kept, err)
	}
	wantStaging(t, output, want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(staging(output), "data/test/part-00000"), "damaged, and alone in its directory")
	j.mustBuild(t, output)
	j.wantAt(t, output)
}

// A subdirectory whose name may not be durable is not used, and is not synced again for the
// next shard.
func TestSubdirectoryThatIsNotSynced(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	s, err := sink.Open(store.OS(), output, sink.Options{})
	if err != nil || s.Close() != nil {
		t.Fatal(err)
	}
	for _, below := range []string{"/data", "/rejects", "/statistics"} {
		syncs, made := 0, false
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			made = made || op.Kind == "mkdir" && strings.HasSuffix(op.Name, below+"/test")
			if op.Kind == "syncdir" && made && strings.HasSuffix(op.Name, below) {
				syncs++
				return os.ErrInvalid
			}
			return nil
		})
		j := full.inDirectories()
		if _, err := j.build(t.Context(), in, output); !errors.Is(err, os.ErrInvalid) || syncs != 1 {
			t.Errorf("%s: %v after %d syncs", below, err, syncs)
		}
		j.mustBuild(t, output)
		if err := os.RemoveAll(output); err != nil {
			t.Fatal(err)
		}
	}
}

// Files of users in a subdirectory of shards are not lost.
func TestUnknownFileInASubdirectory(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	j := full.inDirectories()
	j.mustBuild(t, output)
	write(t, filepath.Join(output, "train", "notes.txt"), "mine")
	_, err := j.with("newer").overwriting().build(t.Context(), vfs.OS(), output)
	if !errors.Is(err, sink.ErrUnknownFile) || !strings.Contains(err.Error(), "train/notes.txt") {
		t.Errorf("got %v", err)
	}
}
