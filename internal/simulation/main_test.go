package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// taskVar is set in a process that does a task and is not a test: its phase.
const taskVar = "TFR_SIMULATED_TASK"

func TestMain(m *testing.M) {
	if phase := os.Getenv(taskVar); phase != "" {
		if err := task(phase, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// task does a task as the program does, and prints how many operations it took.
func task(phase string, args []string) error {
	ops := &counting{FS: vfs.OS()}
	run := pipeline.Run{Workers: runtime.GOMAXPROCS(0), Memory: 2_000_000_000, Storage: store.Over(ops)}
	if err := phaseOf(run, phase, args); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(&ops.ops)
}

func phaseOf(run pipeline.Run, phase string, args []string) error {
	if phase == "plan" {
		cfg, err := config.Load("c.yaml")
		if err == nil {
			_, err = pipeline.PlanTasks(context.Background(), cfg, run, "w")
		}
		return err
	}
	tasks, err := pipeline.OpenTasks(context.Background(), run, "w")
	if err != nil {
		return err
	}
	defer tasks.Close()
	share := work.Share{Of: 1}
	if len(args) > 0 {
		if share.Of, err = strconv.Atoi(args[0]); err != nil {
			return err
		}
	}
	_, err = tasks.Do(context.Background(), work.Phase(phase), share)
	return err
}

// operations are those of a file system that a task does in the work directory and at the
// output.
type operations struct {
	Opens, Reads, Lists, Stats, Makes, Renames atomic.Int64
}

// MarshalJSON is the counts.
func (o *operations) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int64{o.Opens.Load(), o.Reads.Load(), o.Lists.Load(), o.Stats.Load(), o.Makes.Load(),
		o.Renames.Load()})
}

// A counting file system counts. It has as much room as anybody wants: what is written is
// less than it seems.
type counting struct {
	vfs.FS
	ops operations
}

func (c *counting) Free(string) (int64, error) { return 1 << 60, nil }

func (c *counting) Open(name string) (vfs.File, error) {
	c.ops.Opens.Add(1)
	f, err := c.FS.Open(name)
	return &countedFile{f, &c.ops}, err
}

func (c *counting) Create(name string) (vfs.File, error) {
	c.ops.Makes.Add(1)
	f, err := c.FS.Create(name)
	return &countedFile{f, &c.ops}, err
}

func (c *counting) Rename(from, to string) error {
	c.ops.Renames.Add(1)
	return c.FS.Rename(from, to)
}

func (c *counting) ReadDir(name string) ([]fs.DirEntry, error) {
	c.ops.Lists.Add(1)
	return c.FS.ReadDir(name)
}

func (c *counting) Stat(name string) (fs.FileInfo, error) {
	c.ops.Stats.Add(1)
	return c.FS.Stat(name)
}

func (c *counting) Lstat(name string) (fs.FileInfo, error) {
	c.ops.Stats.Add(1)
	return c.FS.Lstat(name)
}

// A countedFile is a file whose reads are counted, and which takes no room before it is
// written.
type countedFile struct {
	vfs.File
	ops *operations
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	f.ops.Reads.Add(1)
	return f.File.ReadAt(p, off)
}

func (f *countedFile) Allocate(int64) error { return nil }

func (f *countedFile) Read(p []byte) (int, error) {
	f.ops.Reads.Add(1)
	return f.File.Read(p)
}

// A dataset is one to be simulated.
type dataset struct {
	t   *testing.T
	dir string
}

// directory is the work directory.
func (d *dataset) directory() *work.Directory {
	d.t.Helper()
	f, err := work.NewDirectory(store.OS(), filepath.Join(d.dir, "w"), "", false)
	if err != nil {
		d.t.Fatal(err)
	}
	return f
}

// A took has the time and memory that a task took.
type took struct {
	wall, cpu                                  time.Duration
	memory                                     int64 // bytes, at most
	opens, reads, lists, stats, makes, renames int64
}

func (t took) String() string {
	return fmt.Sprintf("%.1f s, %.1f s of CPU, %d MiB; opens %d, reads %d, lists %d, stats %d, makes %d, renames %d",
		t.wall.Seconds(), t.cpu.Seconds(), t.memory>>20, t.opens, t.reads, t.lists, t.stats, t.makes, t.renames)
}

// task does a task in a process of its own.
func (d *dataset) task(phase string, args ...string) took {
	d.t.Helper()
	self, err := os.Executable()
	if err != nil {
		d.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = d.dir, append(os.Environ(), taskVar+"="+phase), os.Stderr
	began := time.Now()
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("%s: %v", phase, err)
	}
	var ops [6]int64
	if err := json.Unmarshal(out, &ops); err != nil {
		d.t.Fatalf("%s: %v: %q", phase, err, out)
	}
	memory := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" { // where it is bytes
		memory <<= 10
	}
	t := took{time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory, ops[0], ops[1],
		ops[2], ops[3], ops[4], ops[5]}
	d.t.Logf("%s: %s", phase, t)
	return t
}

// size returns the size of a file in bytes.
func (d *dataset) size(name string) int64 {
	d.t.Helper()
	info, err := os.Stat(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return info.Size()
}
