package conformance

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestMemoryOfFeatures compares the binary with what it says of its memory where records
// have many features, all of which are counted, in three splits.
func TestMemoryOfFeatures(t *testing.T) {
	inExhaustiveRuns(t)
	const splits, many = 3, 6_000
	var head, row, features strings.Builder
	for i := range many {
		fmt.Fprintf(&head, "c%d,", i)
		row.WriteString("1,")
		fmt.Fprintf(&features, "  c%d: int64\n", i)
	}
	dir := t.TempDir()
	write(t, dir, "a.csv", []byte(head.String()+"end\n"+strings.Repeat(row.String()+"1\n", 40)))
	write(t, dir, "job.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: a.csv}}\n"+
		"split: {fractions: {train: 60%, validation: 20%, test: 20%}}\nfeatures:\n"+features.String()))
	keepsTo(t, promised(1, 0, 0, 16_000_000)+many*(8<<10+splits*12<<10),
		[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "16MB", "-workers", "1"})
}

// TestMemoryOfClasses compares the binary with what it says of its memory where a
// feature has many classes: from a file, and collected from all rows.
func TestMemoryOfClasses(t *testing.T) {
	inExhaustiveRuns(t)
	const length, many = 16, 400_000
	var names, rows bytes.Buffer
	rows.WriteString("a\n")
	for i := range many {
		fmt.Fprintf(&names, "class-%010d\n", i)
		fmt.Fprintf(&rows, "class-%010d\n", i*7%many)
	}
	for classes, n := range map[string]int{"{file: names.txt}": 2, "auto": many} {
		t.Run(classes, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "names.txt", names.Bytes())
			mapped := 2 + n*(length+1)
			write(t, dir, "a.csv", rows.Bytes()[:mapped])
			write(t, dir, "job.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {a: "+
				"{classes: "+classes+"}}\n"))
			keepsTo(t, promised(1, int64(n), length, 0)+int64(mapped)+many*(200+12*length),
				[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "16MB", "-workers", "1"})
		})
	}
}
