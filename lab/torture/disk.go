package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A disk is a mounted file system.
type disk struct {
	path  string // where it is mounted
	image string // the file that holds it; empty for one in memory
}

// imageBytes is the size of a disk in a file.
const imageBytes = 128 << 20

// newDisk makes an empty ext4 disk in a file in memory. It writes of itself what
// waits for a minute, which no trial does.
func (t *torture) newDisk(ctx context.Context) (*disk, error) {
	f, err := os.CreateTemp("/dev/shm", "torture")
	if err != nil {
		return nil, err
	}
	d := &disk{image: f.Name()}
	err = errors.Join(f.Truncate(imageBytes), f.Close())
	if err == nil {
		err = must(ctx, "mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", d.image)
	}
	if err == nil {
		err = d.mount(ctx)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// mount mounts the image, which replays its journal.
func (d *disk) mount(ctx context.Context) (err error) {
	if d.path, err = os.MkdirTemp("", "torture-disk"); err != nil {
		return err
	}
	return must(ctx, "mount", "-o", "loop,commit=60", d.image, d.path)
}

// newMemoryDisk makes a disk of so many bytes in memory.
func (t *torture) newMemoryDisk(ctx context.Context, size int64) (*disk, error) {
	path := filepath.Join(t.dir, "disk")
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	return &disk{path: path}, must(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tmpfs", path)
}

// resize gives a disk in memory another size.
func (d *disk) resize(ctx context.Context, size int64) error {
	return must(ctx, "mount", "-o", fmt.Sprintf("remount,size=%d", size), d.path)
}

// close unmounts a disk and takes its file away, also when the trial was
// interrupted.
func (d *disk) close() {
	if d.path != "" {
		if err := must(context.Background(), "umount", d.path); err != nil {
			fmt.Fprintln(os.Stderr, "torture:", err)
		}
		_ = os.Remove(d.path)
	}
	if d.image != "" {
		_ = os.Remove(d.image)
	}
}

// cutPower mounts a copy of the disk as it is now. What the system has not
// written to the disk yet is lost to the copy.
func (d *disk) cutPower(ctx context.Context) (*disk, error) {
	var was []byte
	for tries := 0; ; tries++ { // the disk may just be at work
		is, err := os.ReadFile(d.image)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(is, was) {
			break
		}
		if tries == 20 {
			return nil, errors.New("the disk does not come to rest")
		}
		was = is
	}
	f, err := os.CreateTemp("/dev/shm", "torture")
	if err != nil {
		return nil, err
	}
	cut := &disk{image: f.Name()}
	_, err = io.Copy(f, bytes.NewReader(was))
	if err = errors.Join(err, f.Close()); err == nil {
		err = cut.mount(ctx)
	}
	if err != nil {
		cut.close()
		return nil, err
	}
	return cut, nil
}

// used is how many bytes of a disk are in use.
func (d *disk) used() (int64, error) {
	var st syscall.Statfs_t
	err := syscall.Statfs(d.path, &st)
	return int64(st.Blocks-st.Bfree) * int64(st.Bsize), err
}

// freeze stops a process and waits until each of its threads is stopped, or it
// has ended.
func (p *process) freeze() error {
	p.signal(syscall.SIGSTOP)
	for range 5_000 {
		select {
		case <-p.ended:
			return nil
		default:
		}
		if allStopped(p.cmd.Process.Pid) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("the process does not stop")
}

// allStopped reports whether all threads of a process are stopped. It has none
// left once it ended.
func allStopped(pid int) bool {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil {
		return false
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		if !strings.HasPrefix(after, "T") && !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X") {
			return false
		}
	}
	return true
}
