package sink_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// overMemory is the file system of the machine, with a store in place of buckets.
func overMemory(objects store.Reader) reach {
	return reach{vfs.OS(), store.OS().With("s3", objects)}
}

// wantIn checks that a store has the dataset and its state, and nothing else.
func (j job) wantIn(t *testing.T, m *storetest.Memory, state string) {
	t.Helper()
	want := map[string]string{"s3://data/sets/.out.tfr/state.json": state}
	for name, text := range j.files() {
		want[inBucket+"/"+name] = text
	}
	if got := m.Objects(); !maps.Equal(got, want) {
		t.Errorf("the store has %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestBuildInMemory publishes a dataset to a store that only reads and puts: nothing but the store
// is new.
func TestBuildInMemory(t *testing.T) {
	m, scratch := new(storetest.Memory), t.TempDir()
	j := job{tag: "new", shards: 5, blocks: 2, workers: 2, directories: true, indexed: true}.scratch(scratch)
	fsys := overMemory(m)
	j.halt(t, fsys, inBucket)
	if view, err := sink.Inspect(over(fsys), inBucket); err != nil || view.Found != sink.Absent || !view.Unfinished {
		t.Errorf("%+v, %v", view, err)
	}
	other := j.with("other").scratch(t.TempDir())
	if _, err := other.build(t.Context(), fsys, inBucket); !errors.As(err, new(*sink.TakenError)) {
		t.Errorf("a run of another plan: %v", err)
	}
	lost := j.shardName(3)
	if err := over(fsys).Remove(inBucket + "/" + lost); err != nil {
		t.Fatal(err)
	}
	r := attempt{job: j}
	if err := r.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	if !r.resumed || !slices.Equal(r.made, []string{lost}) {
		t.Errorf("resumed %v, made %v", r.resumed, r.made)
	}
	j.wantIn(t, m, "state of new")
	if left := names(tree(t, scratch)); left != "" {
		t.Errorf("the scratch directory has %s", left)
	}
	if _, err := j.with("other").build(t.Context(), fsys, inBucket); !errors.Is(err, sink.ErrDataset) {
		t.Errorf("over a dataset: %v", err)
	}
	j.wantIn(t, m, "state of new")
}

// TestEachErrorOfAStore fails each operation of a store in turn. The build returns the error, and no
// dataset exists unless it is complete. The next build publishes it.
func TestEachErrorOfAStore(t *testing.T) {
	broken := errors.New("broken")
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1, indexed: true}
	for n := 0; ; n++ {
		m := new(storetest.Memory)
		failing := storetest.NewFailing(m, func(i int, _ storetest.Op) error {
			if i == n {
				return broken
			}
			return nil
		})
		j := j.scratch(t.TempDir())
		_, err := j.build(t.Context(), overMemory(failing), inBucket)
		if ops := failing.Ops(); len(ops) <= n {
			if err != nil || n < 20 {
				t.Errorf("with %d operations: %v", n, err)
			}
			break
		}
		op := failing.Ops()[n]
		_, exists := m.Objects()[inBucket+"/_SUCCESS"]
		if exists {
			for name, text := range j.files() {
				if got := m.Objects()[inBucket+"/"+name]; got != text {
					t.Errorf("%v fails: %s of the dataset is %q", op, name, got)
				}
			}
		}
		isCleanup := exists && strings.Contains(op.Name, "/.out.tfr") // which only warns
		if !errors.Is(err, broken) && !(err == nil && isCleanup) {
			t.Errorf("%v fails: %v", op, err)
		}
		if _, err := j.build(t.Context(), overMemory(m), inBucket); err != nil &&
			!(exists && errors.Is(err, sink.ErrDataset)) {
			t.Errorf("after %v failed: %v", op, err)
		}
		for url := range m.Objects() {
			if name, ok := strings.CutPrefix(url, inBucket+"/"); ok && j.files()[name] == "" {
				t.Errorf("after %v failed: %s is left", op, name)
			}
		}
	}
}

// inMemory returns an output in a store in memory that tasks share.
func inMemory(t *testing.T, j *job) *shared {
	t.Helper()
	m := new(storetest.Memory)
	o := &shared{fs: overMemory(m), output: inBucket, scratch: t.TempDir(), memory: m}
	j.opt.Scratch = o.scratch
	o.claim(t, j)
	return o
}
