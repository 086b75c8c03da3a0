package sink

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// NoteRuns adds a line to the journal in a staging directory: the spill files are in dir.
func NoteRuns(t *testing.T, fsys vfs.FS, staging, dir string) {
	t.Helper()
	job, err := vfstest.ReadFile(fsys, filepath.Join(staging, jobName))
	if err != nil {
		t.Fatal(err)
	}
	lines := []journalLine{{Job: textDigest(job)}}
	if _, err := readJournal(store.Local{FS: fsys}, staging, job,
		func(l *journalLine) { lines = append(lines, *l) }); err != nil {
		t.Fatal(err)
	}
	lines = append(lines, journalLine{Spill: &dir})
	j, err := newJournal(disk0(fsys), staging, lines...)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}

// IndexName returns the name of a shard's index in the dataset.
func IndexName(shard string) string { return IndexOf(shard, false) }
