package conformance

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// stopPlaces is how many places each way of stopping is tried at, about.
func stopPlaces() int { return testenv.Times(3, 25, 25) }

// A stop ends a run at its operation n on the file system of the output.
type stop struct {
	name string
	hook func(n int, cancel context.CancelFunc) func(int, vfstest.Op) error
	want error
}

var stops = []stop{
	{"cancelled", func(n int, cancel context.CancelFunc) func(int, vfstest.Op) error {
		return func(i int, _ vfstest.Op) error {
			if i == n {
				cancel()
			}
			return nil
		}
	}, context.Canceled},
	{"full disk", func(n int, _ context.CancelFunc) func(int, vfstest.Op) error {
		return vfstest.From(n, syscall.ENOSPC)
	}, syscall.ENOSPC},
}

// TestStoppedRun stops runs at many places, with and without spill files, before a
// first dataset and over an old one: nothing is published afterwards that was
// not there before, nothing else is touched, every goroutine ends, and the next
// run makes the same dataset as if nothing had happened. A sample has every third of
// these ways.
func TestStoppedRun(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ways := 0
	for _, s := range stops {
		for _, memory := range []int64{plenty, little} {
			for _, over := range []bool{false, true} {
				if ways++; ways%testenv.Times(3, 1, 1) != 0 {
					continue
				}
				name := s.name
				if memory == little {
					name += ", spill"
				}
				if over {
					name += ", overwriting"
				}
				t.Run(name, func(t *testing.T) { stopEverywhere(t, s, memory, over) })
			}
		}
	}
}

func stopEverywhere(t *testing.T, s stop, memory int64, over bool) {
	dir := t.TempDir()
	file := formOf("csv").lay(t, dir, 1_200)
	run := pipeline.Run{Workers: 2, Memory: memory, Overwrite: over, Fresh: true, Output: filepath.Join(dir, "out"),
		Sync: true}
	build(t, file, filepath.Join(dir, "want"), pipeline.Run{})
	want := list(t, filepath.Join(dir, "want"))
	if over {
		build(t, formOf("csv").configure(t, dir, "old.yaml", "seed: 9\n"), run.Output, pipeline.Run{})
	}
	before := published(t, dir)
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	total := operations(t, cfg, run)
	for n := 0; n < total; n += max(1, total/stopPlaces()) {
		ctx, cancel := context.WithCancel(t.Context())
		run.Storage = store.Over(vfstest.NewInject(vfs.OS(), s.hook(n, cancel)))
		_, err := pipeline.Build(ctx, cfg, run)
		cancel()
		switch after := published(t, dir); {
		case err == nil: // it was too late to stop
			sameFiles(t, want, run.Output, "stopped too late")
			if n < total/3 { // the last operations write metadata, for which nothing has to wait
				t.Errorf("operation %d of %d is early, and the run did not stop", n, total)
			}
			return
		case !errors.Is(err, s.want):
			t.Errorf("stopped at operation %d of %d: %v, want %v", n, total, err, s.want)
		case !maps.Equal(before, after):
			t.Fatalf("stopped at operation %d of %d:\n%s", n, total, before.difference(after))
		}
	}
	run.Storage = nil
	if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, want, run.Output, "after stopped runs")
}

// operations counts what a complete run does on the file system, in a directory of
// its own.
func operations(t *testing.T, cfg *config.Config, run pipeline.Run) int {
	t.Helper()
	count := vfstest.NewInject(vfs.OS(), nil)
	run.Storage, run.Output = store.Over(count), filepath.Join(t.TempDir(), "out")
	if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	return len(count.Ops())
}

// published lists a directory without the hidden directories of runs.
func published(t *testing.T, dir string) listing {
	t.Helper()
	l := list(t, dir)
	maps.DeleteFunc(l, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	return l
}
