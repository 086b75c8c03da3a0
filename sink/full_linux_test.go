package sink_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// inMountNamespace is set for a copy of the test that runs in a mount namespace of its own.
const inMountNamespace = "SINK_TEST_MOUNTS"

// A disk of many sizes is full. The run reports it and publishes nothing, and succeeds once
// there is space.
func TestFullDisk(t *testing.T) {
	if os.Getenv(inMountNamespace) == "" {
		runWithMounts(t, "TestFullDisk")
		return
	}
	disk := t.TempDir()
	j := job{tag: strings.Repeat("full ", 20), shards: 2, blocks: 40, workers: 2}
	failed, built := 0, 0
	for size := 32 << 10; built == 0; size += 16 << 10 {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			t.Fatal(err)
		}
		output := filepath.Join(disk, "sub", "out")
		_, err := j.build(t.Context(), vfs.OS(), output)
		switch {
		case err == nil:
			built++
			j.wantAt(t, output)
		default:
			failed++
			wantFull(t, size, err)
			wantAbsent(t, output)
			if !resumable(t, output) {
				t.Errorf("%d bytes: the staging directory has %s", size, names(tree(t, staging(output))))
			}
			if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=1m"); err != nil {
				t.Fatal(err)
			}
			j.mustBuild(t, output)
			j.wantAt(t, output)
		}
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Fatalf("a file is still open: %v", err)
		}
	}
	if failed < 16 {
		t.Errorf("only %d sizes were too small", failed)
	}
	t.Logf("%d sizes were too small", failed)
}

func wantFull(t *testing.T, size int, err error) {
	t.Helper()
	var refused *sink.OutputError
	if !errors.As(err, &refused) || !errors.Is(err, syscall.ENOSPC) ||
		!strings.HasSuffix(err.Error(), ": no space left on device") {
		t.Errorf("%d bytes: %v", size, err)
	}
}

// An output that is a mount point is refused, even if the mount is of the same file system as
// its parent.
func TestMountedOutput(t *testing.T) {
	if os.Getenv(inMountNamespace) == "" {
		runWithMounts(t, "TestMountedOutput")
		return
	}
	dir := t.TempDir()
	output := filepath.Join(dir, "out")
	for _, name := range []string{output, filepath.Join(dir, "other")} {
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mount(filepath.Join(dir, "other"), output, "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	defer syscall.Unmount(output, 0)
	_, err := small.build(t.Context(), vfs.OS(), output)
	if !errors.Is(err, sink.ErrMountPoint) || !strings.Contains(err.Error(), "name a directory below it") {
		t.Errorf("%v", err)
	}
	if got := names(tree(t, dir)); got != "other/ out/" {
		t.Errorf("there is %s", got)
	}
	small.mustBuild(t, filepath.Join(output, "below"))
}

// runWithMounts runs a test again as a process with a mount table of its own.
func runWithMounts(t *testing.T, name string) {
	cmd := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-test.v")
	cmd.Env = append(os.Environ(), inMountNamespace+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("not run: this machine does not allow a test its own mounts (user and mount namespaces): %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
