package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// flipLast changes the last byte of the entries in a spill file, which is in its last range.
func flipLast(t *testing.T, path string, s spill.Segment) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		data[s.Offset+s.Bytes-1] ^= 1
		err = os.WriteFile(path, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGroupTasksReadTheirRanges groups rows by several tasks. Only the task of the last range finds that a
// scan is damaged there, and only the write task that needs it finds a damaged file of groups. Both are
// made again, and the dataset is that of one process.
func TestGroupTasksReadTheirRanges(t *testing.T) {
	const rows, groups = 9000, 600
	files := map[string]string{}
	for i := range rows {
		name := fmt.Sprintf("%d.csv", i/1000)
		if i%1000 == 0 {
			files[name] = "g,at,c\n"
		}
		files[name] += fmt.Sprintf("group %d,%d,c%d\n", i*7919%groups, i*31%rows, i*7919%groups%5)
	}
	dir := testenv.Directory(t, files)
	const cfg = "name: d\noutput: out\nsource: {csv: {files: '*.csv'}}\nsplit: {fractions: {train: 80%, test: 20%}, " +
		"stratify: c}\nlimit: {train: {rows: 300, per: c}}\n" +
		"group: {by: g, sort: {column: at, type: int64}, windows: {length: 4, stride: 3}}\nfeatures: {at: int64, c: " +
		"{classes: auto}}\nshards: 4\n"
	want := tree(t, mustBuild(t, load(t, dir, cfg), ways[0]))

	said, run := warnings(Run{Workers: 1, Memory: MinMemory, Output: filepath.Join(dir, "out"), Tasks: 8})
	p, err := PlanTasks(t.Context(), load(t, dir, cfg), run, "")
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := OpenTasks(t.Context(), run, p.Work)
	if err != nil {
		t.Fatal(err)
	}
	defer tasks.Close()
	doAll(t, tasks, work.Scan)
	noteOf := func(phase work.Phase, k int) *work.Note {
		n, err := tasks.plan.Note(phase, k)
		if err != nil || n == nil {
			t.Fatalf("%s %d: %v, %v", phase, k, n, err)
		}
		return n
	}
	of := tasks.plan.Groups
	if of != p.Count(work.Scan) || of < 5 {
		t.Fatalf("%d group tasks of %d scans", of, p.Count(work.Scan))
	}
	scanned := noteOf(work.Scan, 0)
	flipLast(t, filepath.Join(p.Work, scanned.File), scanned.Scanned.Segments[0])
	sum, bytes := int64(0), int64(0)
	for k := range of {
		if _, err := tasks.Do(t.Context(), work.Group, work.Share{Index: k, Of: of}); err != nil {
			t.Fatal(err)
		}
		if damaged := len(*said) > 0; damaged != (k == of-1) {
			t.Errorf("group task %d of %d: %q", k, of, *said)
		}
		n := noteOf(work.Group, k)
		sum, bytes = sum+n.Rows, bytes+n.Bytes
		if n.Rows < groups/int64(of)/2 || n.Rows > groups/int64(of)*2 {
			t.Errorf("group task %d of %d has %d of %d groups", k, of, n.Rows, groups)
		}
	}
	if sum != groups {
		t.Errorf("%d groups, expected %d", sum, groups)
	}
	if done, err := tasks.Do(t.Context(), work.Group, work.Share{Of: 1}); err != nil || done.Before != of ||
		done.Did != 0 {
		t.Errorf("the group tasks again: %+v, %v", done, err)
	}
	doAll(t, tasks, work.Merge)
	*said = nil
	grouped := noteOf(work.Group, 1)
	flipLast(t, filepath.Join(p.Work, grouped.File), grouped.Scanned.Segments[0])
	doAll(t, tasks, work.Write)
	if len(*said) != 1 || !strings.Contains((*said)[0], filepath.Base(grouped.File)) {
		t.Errorf("a damaged file of groups: %q", *said)
	}
	doAll(t, tasks, work.Commit)
	if got := tree(t, filepath.Join(dir, "out")); got != want {
		t.Errorf("by tasks:\n%s\nwant\n%s", got, want)
	}
}
