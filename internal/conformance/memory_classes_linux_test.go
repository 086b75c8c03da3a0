package conformance

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
)

// TestMemoryOfClasses holds the binary against what it says of its memory where a
// feature has many classes: from a file, and collected from all rows.
func TestMemoryOfClasses(t *testing.T) {
	const many, length = 400_000, 16
	var names, rows bytes.Buffer
	rows.WriteString("a\n")
	for i := range many {
		fmt.Fprintf(&names, "class-%010d\n", i)
		fmt.Fprintf(&rows, "class-%010d\n", i*7%many)
	}
	for classes, n := range map[string]int64{"{file: names.txt}": 2, "auto": many} {
		t.Run(classes, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "names.txt", names.Bytes())
			write(t, dir, "a.csv", rows.Bytes()[:2+n*(length+1)])
			write(t, dir, "job.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {a: {classes: "+classes+"}}\n"))
			keepsTo(t, promised(1, 0, length, 16_000_000)+many*(200+12*length),
				[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "16MB", "-workers", "1"})
		})
	}
}
