package sink

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/vfs"
)

// NoteParts adds a line to the journal in a hidden folder: parts that hold every
// row stand in dir.
func NoteParts(t *testing.T, fsys vfs.FS, hidden, dir string) {
	t.Helper()
	s := &Stage{disk: disk0(fsys), hidden: hidden}
	job, err := vfs.ReadFile(fsys, filepath.Join(hidden, jobName))
	if err != nil {
		t.Fatal(err)
	}
	lines := []journalLine{{Job: textDigest(job)}}
	if _, err := s.readJournal(job, func(l *journalLine) { lines = append(lines, *l) }); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, journalLine{Parts: &LeftParts{Dir: dir, Files: []Sum{{Name: "part-0"}}}})
	j, err := s.newJournal(lines...)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}
