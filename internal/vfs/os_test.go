package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func wantText(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(name), got, err, want)
	}
}

func TestCreateIsExclusive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	f, err := OS().Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := OS().Create(name); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second create: %v", err)
	}
	link := name + ".link"
	if err := os.Symlink(name+".none", link); err != nil {
		t.Fatal(err)
	}
	if _, err := OS().Create(link); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create through a link: %v", err)
	}
	wantText(t, name, "text")
}

func TestEditKeepsTheBytes(t *testing.T) {
	name := write(t, filepath.Join(t.TempDir(), "f"), "before")
	f, err := OS().Edit(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("B"), 0); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(3), f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
	wantText(t, name, "Bef")
	if _, err := OS().Edit(name + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("edit made a file: %v", err)
	}
}

func TestRenameReplacesAnEmptyDirectoryOnly(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for _, d := range []string{from, to} {
		if err := OS().Mkdir(d); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(from, "f"), "new")
	write(t, filepath.Join(to, "f"), "old")
	var link *os.LinkError
	if err := OS().Rename(from, to); !errors.As(err, &link) || !errors.Is(err, syscall.ENOTEMPTY) &&
		!errors.Is(err, syscall.EEXIST) {
		t.Errorf("rename over a full directory: %v", err)
	}
	wantText(t, filepath.Join(to, "f"), "old")
	if err := OS().Remove(filepath.Join(to, "f")); err != nil {
		t.Fatal(err)
	}
	if err := OS().Rename(from, to); err != nil {
		t.Errorf("rename over an empty directory: %v", err)
	}
	wantText(t, filepath.Join(to, "f"), "new")
}

func TestExchange(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, d := range []string{a, b} {
		if err := OS().Mkdir(d); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(d, "f"), filepath.Base(d))
	}
	err := OS().Exchange(a, b)
	if errors.Is(err, errors.ErrUnsupported) {
		wantText(t, filepath.Join(a, "f"), "a") // and nothing has changed
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, filepath.Join(a, "f"), "b")
	wantText(t, filepath.Join(b, "f"), "a")
	if err := OS().Exchange(a, b+".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("exchange with nothing: %v", err)
	}
}

func TestResolve(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for link, target := range map[string]string{
		"relative": "real", "absolute": in("real"), "chain": "relative", "dangling": "none/of/it",
		"loop": "loop", "up": "../" + filepath.Base(dir) + "/real",
	} {
		if err := os.Symlink(target, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := OS().Mkdir(in("real")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"real": "real", "none": "none", "relative": "real", "absolute": "real", "chain": "real",
		"up": "real", "dangling": "none/of/it",
	} {
		if got, err := OS().Resolve(in(name)); err != nil || got != in(want) {
			t.Errorf("%s leads to %s, %v; want %s", name, got, err, in(want))
		}
	}
	write(t, in("file"), "")
	if _, err := OS().Resolve(in("file/below")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
	if _, err := OS().Resolve(in("loop")); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("loop: %v", err)
	}
}

func TestIsMount(t *testing.T) {
	dir := t.TempDir()
	if mount, err := OS().IsMount(dir); err != nil || mount {
		t.Errorf("a new directory is a mount point: %v, %v", mount, err)
	}
	if _, err := OS().IsMount(dir + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := otherDevice(dir + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if other, err := otherDevice("/dev"); err != nil || !other {
		t.Errorf("/dev is on the device of /: %v, %v", other, err)
	}
	if mount, err := OS().IsMount("/dev"); err != nil || !mount {
		t.Errorf("/dev is not a mount point: %v, %v", mount, err)
	}
}

func TestSyncDir(t *testing.T) {
	dir := t.TempDir()
	if err := OS().SyncDir(dir); err != nil {
		t.Error(err)
	}
	if err := OS().SyncDir(dir + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := OS().SyncDir("/proc"); runtime.GOOS == "linux" && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a file system that does not sync directories: %v", err)
	}
}

func TestFreeSpace(t *testing.T) {
	dir := t.TempDir()
	if n, err := OS().Free(dir); err != nil || n <= 0 {
		t.Errorf("%d bytes free, %v", n, err)
	}
	var at *fs.PathError
	if _, err := OS().Free(dir + ".none"); !errors.As(err, &at) || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestAllocateKeepsTheLength(t *testing.T) {
	f, err := OS().Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	allocated := f.Allocate(1 << 20)
	blocks := func() int64 {
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() != 0 {
			t.Fatalf("the file is %d bytes long", info.Size())
		}
		return info.Sys().(*syscall.Stat_t).Blocks
	}
	if allocated == nil && blocks() < 1<<20/512 {
		t.Errorf("%d blocks were allocated", blocks())
	}
	if err := f.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if n := blocks(); n != 0 {
		t.Errorf("%d blocks are left after cutting the file to its length", n)
	}
	var at *fs.PathError
	if err := f.Allocate(-1); runtime.GOOS == "linux" && !errors.As(err, &at) {
		t.Errorf("a negative size: %v", err)
	}
}

func TestDropCacheKeepsTheBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	f, err := OS().Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	if err := f.DropCache(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	f.Close()
	if err := f.DropCache(); err == nil {
		t.Error("the cache of a closed file was dropped")
	}
	wantText(t, name, "text")
}

func TestThisProcess(t *testing.T) {
	me := ThisProcess()
	if me.PID != os.Getpid() || me.Host == "" {
		t.Errorf("%+v", me)
	}
}
