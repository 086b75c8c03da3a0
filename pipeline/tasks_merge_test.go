package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/work"
)

// TestWriteTasks compares the tasks of a dataset with its shards: their number is as requested,
// and no task of a split has two shards more than another.
func TestWriteTasks(t *testing.T) {
	const tera = 1_000_000_000_000
	for _, test := range []struct {
		shards  []int
		bytes   uint64 // of each split
		few     int
		buckets int
		want    int
		of      []int // tasks of each split; nil for one split
	}{
		{[]int{80}, 1000, 70, 280, 70, nil},
		{[]int{80}, 1000, 70, 0, 70, nil},
		{[]int{80}, 1000, 100, 400, 80, nil},
		{[]int{40}, 1000, 32, 128, 32, nil},
		{[]int{63}, 1000, 32, 0, 32, nil},
		{[]int{5}, 1000, 32, 128, 5, nil},
		{[]int{10_000}, 10 * tera, 32, 4096, 1000, nil},
		{[]int{102_400}, 1000 * tera, 32, 4096, 1024, nil},
		{[]int{100_000}, 2000 * tera, 32, 0, 100_000, nil},
		{[]int{100, 10}, 1000, 32, 128, 32, []int{29, 3}},
		{[]int{100, 1, 1}, 1000, 32, 128, 32, []int{30, 1, 1}},
		{[]int{1, 3}, 1000, 32, 128, 4, []int{1, 3}},
		{[]int{9, 9, 9}, 1000, 2, 8, 3, []int{1, 1, 1}},
	} {
		p := &plan.Plan{}
		for _, shards := range test.shards {
			p.Splits = append(p.Splits, plan.Split{Shards: shards, Bytes: test.bytes})
		}
		list := writeTasks(p, test.few, test.buckets)
		if len(list) != test.want {
			t.Errorf("%+v: %d tasks", test, len(list))
		}
		next, of := make([]int, len(p.Splits)), make([]int, len(p.Splits))
		least, most := make([]int, len(p.Splits)), make([]int, len(p.Splits))
		for _, s := range list {
			i, n := s.Split, s.To-s.From
			if s.From != next[i] || n < 1 {
				t.Fatalf("%+v: %+v after shard %d", test, s, next[i])
			}
			if of[i] == 0 {
				least[i] = n
			}
			next[i], of[i], least[i], most[i] = s.To, of[i]+1, min(least[i], n), max(most[i], n)
		}
		for i, shards := range test.shards {
			if next[i] != shards || most[i]-least[i] > 1 || test.of != nil && of[i] != test.of[i] {
				t.Errorf("%+v: split %d has %d of %d shards in %d tasks of %d to %d", test, i, next[i], shards,
					of[i], least[i], most[i])
			}
		}
	}
}

// TestRequestedTasks plans the requested number of tasks, from one file and from many.
func TestRequestedTasks(t *testing.T) {
	const files, least = 100, 70
	dir := t.TempDir()
	for i := range files {
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("%02d.csv", i)),
			"x\n"+strings.Repeat("1234567890123456789\n", 1<<10))
	}
	tasks := tasksOfConfig(t, dir, strings.NewReplacer("a.csv", `"*.csv"`, "40", "80").Replace(fortyShards), least)
	if n := len(tasks.plan.Scans); n != least {
		t.Errorf("%d scan tasks; want %d", n, least)
	}
	doAll(t, tasks, work.Scan, work.Merge)
	if n, err := tasks.Count(work.Write); err != nil || n != least {
		t.Errorf("%d write tasks, %v", n, err)
	}
	doAll(t, tasks, work.Write, work.Commit)
}
