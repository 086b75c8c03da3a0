package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// A slowDisk is a file system on which a sync of a file ends when until says so, or
// fails after a time that no disk takes.
type slowDisk struct {
	vfs.FS
	until func(name string) <-chan struct{} // nil: at once
}

func (d slowDisk) Create(name string) (vfs.File, error) {
	f, err := d.FS.Create(name)
	if err != nil {
		return nil, err
	}
	return &slowFile{f, d}, nil
}

type slowFile struct {
	vfs.File
	disk slowDisk
}

func (f *slowFile) Sync() error {
	if ended := f.disk.until(f.Name()); ended != nil {
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			return fmt.Errorf("nothing happens while %s is synced", f.Name())
		}
	}
	return f.File.Sync()
}

// TestSyncsOverlapWork makes syncs wait for something else: rows are found while the staging
// directory is prepared, and the files of the dataset are synced together.
func TestSyncsOverlapWork(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(100)})
	cfg := load(t, dir, tinyCSV)
	var progress Progress
	found, both := make(chan struct{}), make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Add(2)
	described := 0
	var mu sync.Mutex
	until := func(name string) <-chan struct{} {
		switch base := filepath.Base(name); {
		case base == ".job.json.tmp":
			go func() {
				for progress.State().Phase != pool.FindingRows {
					time.Sleep(time.Millisecond)
				}
				close(found)
			}()
			return found
		case strings.Contains(name, "/data/_tfr/"):
			mu.Lock()
			defer mu.Unlock()
			if described++; described <= 2 {
				waiting.Done()
			}
			if described == 1 {
				go func() { waiting.Wait(); close(both) }()
			}
			return both
		}
		return nil
	}
	disk := slowDisk{vfstest.NewMem("/disk"), until}
	run := Run{Workers: 1, Memory: plenty, Output: "/disk/out", Storage: store.Over(disk), Sync: true,
		Progress: &progress}
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
}

// TestSealIsWrittenLast checks that the manifest is written after all files that it names, and the
// seal after the manifest.
func TestSealIsWrittenLast(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(100)})
	fsys := vfstest.NewInject(vfstest.NewMem("/disk"), nil)
	if _, err := Build(t.Context(), load(t, dir, tinyCSV),
		Run{Workers: 3, Memory: plenty, Output: "/disk/out", Storage: store.Over(fsys), Sync: true}); err != nil {
		t.Fatal(err)
	}
	var named, created []string // files of the dataset, in the order in which they are
	for _, op := range fsys.Ops() {
		switch {
		case op.Kind == "create" && strings.Contains(op.Name, "/data/"):
			created = append(created, fmt.Sprint(len(named), " ", filepath.Base(op.Name)))
		case op.Kind == "rename" && strings.Contains(op.To, "/data/"):
			named = append(named, filepath.Base(op.To))
		}
	}
	n := len(named)
	want := []string{fmt.Sprint(n-2, " .manifest.json.tmp"), fmt.Sprint(n-1, " ._SUCCESS.tmp")}
	if got := created[len(created)-2:]; fmt.Sprint(got) != fmt.Sprint(want) || n < 5 {
		t.Errorf("begun after so many others had their names: %q, expected %q of %d", got, want, n)
	}
}
