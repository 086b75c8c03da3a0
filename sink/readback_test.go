package sink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// A slowDisk takes a second for each read. It counts the parallel reads and their buffers.
type slowDisk struct {
	vfs.FS
	mu      sync.Mutex
	now     int
	most    int
	buffers map[*byte]bool
}

type slowFile struct {
	vfs.File
	disk *slowDisk
}

func (d *slowDisk) Open(name string) (vfs.File, error) {
	f, err := d.FS.Open(name)
	return slowFile{f, d}, err
}

func (d *slowDisk) read(p []byte) {
	d.mu.Lock()
	d.now++
	d.most, d.buffers[&p[:1][0]] = max(d.most, d.now), true
	d.mu.Unlock()
	time.Sleep(time.Second)
	d.mu.Lock()
	d.now--
	d.mu.Unlock()
}

func (f slowFile) ReadAt(p []byte, off int64) (int, error) {
	f.disk.read(p)
	return f.File.ReadAt(p, off)
}

func (f slowFile) Read(p []byte) (int, error) {
	f.disk.read(p)
	return f.File.Read(p)
}

const readBlocks = 200 // of a shard: more than one task has

// writeAll writes all blocks of a shard, without Finish.
func writeAll(t *testing.T, s *sink.Stage, name string) *sink.Shard {
	t.Helper()
	sh, err := s.CreateShard(name, sink.ShardOptions{Blocks: readBlocks})
	if err != nil {
		t.Fatal(err)
	}
	for i := range readBlocks {
		if _, err := sh.WriteBlock(t.Context(), i, bytes.Repeat([]byte{'a'}, 4096), nil); err != nil {
			t.Fatal(err)
		}
	}
	return sh
}

// All readers read back one shard. Several shards, and the leftovers of a stopped run, do not
// use more readers or buffers.
func TestReadersAreBounded(t *testing.T) {
	for _, readers := range []int{0, 1, 3} {
		for _, shards := range []int{1, 5} {
			synctest.Test(t, func(t *testing.T) {
				mem := vfstest.NewMem("/disk")
				bounded := func(what string, work func(s *sink.Stage) error) {
					t.Helper()
					disk := &slowDisk{FS: mem, buffers: map[*byte]bool{}}
					s, err := sink.Open(over(disk), out, sink.Options{Readers: readers})
					if err != nil {
						t.Fatal(err)
					}
					if s.Leftovers() == nil {
						err = s.Begin(nil)
					}
					disk.most, disk.buffers = 0, map[*byte]bool{}
					if err := errors.Join(err, work(s)); err != nil {
						t.Fatal(err)
					}
					want := max(1, readers)
					if what == "left" {
						want = min(want, shards)
					}
					if disk.most != want || len(disk.buffers) > max(1, readers) {
						t.Errorf("%s, %d readers, %d shards: %d reads at once into %d buffers", what, readers,
							shards, disk.most, len(disk.buffers))
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
				bounded("finished", func(s *sink.Stage) error {
					var wg sync.WaitGroup
					errs := make([]error, shards)
					for k := range shards {
						sh := writeAll(t, s, fmt.Sprint("shard-", k))
						wg.Go(func() { _, errs[k] = sh.Finish(t.Context(), sink.About{}) })
					}
					wg.Wait()
					return errors.Join(errs...)
				})
				bounded("left", func(s *sink.Stage) error {
					kept, err := s.Resume(t.Context(), sink.XXH128)
					if len(kept) != shards {
						t.Errorf("kept %d", len(kept))
					}
					return err
				})
			})
		}
	}
}

// Waiting for a buffer stops with the context.
func TestWaitingForABufferStopsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{FS: vfstest.NewMem("/disk"), buffers: map[*byte]bool{}}
		s, err := sink.Open(over(disk), out, sink.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Begin(nil); err != nil {
			t.Fatal(err)
		}
		a, b := writeAll(t, s, "a"), writeAll(t, s, "b")
		ended := make(chan error)
		go func() {
			_, err := a.Finish(t.Context(), sink.About{})
			ended <- err
		}()
		time.Sleep(time.Second / 2) // a reads
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		before := time.Now()
		if _, err := b.Finish(ctx, sink.About{}); !errors.Is(err, why) || time.Since(before) > 0 {
			t.Errorf("%v after %v", err, time.Since(before))
		}
		ctx, cancel = context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second/4, func() { cancel(why) })
		if _, err := writeAll(t, s, "c").Finish(ctx, sink.About{}); !errors.Is(err, why) ||
			time.Since(before) > time.Second {
			t.Errorf("%v after %v", err, time.Since(before))
		}
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	})
}
