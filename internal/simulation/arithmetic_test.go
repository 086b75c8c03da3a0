package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// figures are the figures for a dataset of tables in docs/how-to/many-machines.md.
type figures struct {
	files         int
	scans, writes int
	plan          int64 // bytes, at most
	notes         int64 // bytes of those of the scans, at most
	inputs        int   // tables that a scan task opens, about
	runs          int   // that a write task opens, at most: each for each bucket that it reads
	stretch       int64 // bytes that a run has of a bucket
	scan, write   float64
}

// What the program does, by its constants.
const (
	scanBytes, taskBytes = 4e9, 10e9
	mostTasks            = 100_000
	buckets              = 4096
	mostWrites           = buckets / 4
)

// What was measured: bytes of the plan for a file, bytes of a note for a bucket, and of the
// input and the records that a processor takes in a second.
const (
	fileInPlan   = 45
	bucketInNote = 9
	scanRate     = 315e6
	writeRate    = 220e6 // of the input, whose records were 1.5 times as long
)

// arithmetic computes the figures for that many bytes in files of 1 GB.
func arithmetic(bytes float64) figures {
	f := figures{files: int(bytes / 1e9)}
	f.scans = int(bytes / max(scanBytes, bytes/mostTasks))
	f.writes = int(min(bytes/taskBytes, mostWrites))
	f.plan = int64(f.files) * fileInPlan
	f.notes = int64(f.scans) * buckets * bucketInNote
	f.inputs = f.files / f.scans
	f.runs = f.scans * ((buckets+f.writes-1)/f.writes + 1)
	f.stretch = int64(bytes / float64(f.scans) / buckets)
	f.scan, f.write = bytes/scanRate/3600, bytes/writeRate/3600
	return f
}

// TestArithmetic computes the table of docs/how-to/many-machines.md.
func TestArithmetic(t *testing.T) {
	text, err := os.ReadFile("../../docs/how-to/many-machines.md")
	if err != nil {
		t.Fatal(err)
	}
	a, b := arithmetic(10e12), arithmetic(1e15)
	mega := func(n int64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + " MB" }
	number := func(n int) string {
		s := fmt.Sprint(n)
		for at := len(s) - 3; at > 0; at -= 3 {
			s = s[:at] + "," + s[at:]
		}
		return s
	}
	hours := func(h float64) string {
		if h < 100 {
			return fmt.Sprintf("%.1f h", h)
		}
		return number(int(h+0.5)) + " h"
	}
	for _, row := range [][3]string{
		{"of input", "10 TB", "1 PB"},
		{"tables of 1 GB", number(a.files), number(b.files)},
		{"scan tasks", number(a.scans), number(b.scans)},
		{"write tasks", number(a.writes), number(b.writes)},
		{"the plan, at most", mega(a.plan), mega(b.plan)},
		{"all scan task records, at most", mega(a.notes), mega(b.notes)},
		{"tables that a scan task opens", number(a.inputs), number(b.inputs)},
		{"times that a write task opens a scan result, at most", number(a.runs), number(b.runs)},
		{"bytes that it reads each time", mega(a.stretch), mega(b.stretch)},
		{"CPU time of the scans", hours(a.scan), hours(b.scan)},
		{"CPU time of the write tasks", hours(a.write), hours(b.write)},
		{"elapsed time of both, with 100 CPUs", hours((a.scan + a.write) / 100), hours((b.scan + b.write) / 100)},
	} {
		if line := fmt.Sprintf("| %s | %s | %s |\n", row[0], row[1], row[2]); !strings.Contains(string(text), line) {
			t.Errorf("docs/how-to/many-machines.md lacks %s", line)
		}
	}
}

// holds compares what was simulated with the arithmetic.
func (f *figures) holds(t *testing.T, s *simulated) {
	t.Helper()
	if s.scans != f.scans || s.writes != f.writes {
		t.Errorf("%d scans and %d write tasks; want %d and %d", s.scans, s.writes, f.scans, f.writes)
	}
	for _, at := range []struct {
		what      string
		got, most int64
	}{
		{"bytes of the plan", s.plan, f.plan},
		{"bytes of a note", s.note, buckets * bucketInNote},
		{"runs that a write task opens", s.write.opens, int64(f.runs) + fewOperations},
		{"ranges that it reads", s.write.reads, 2*int64(f.runs) + int64(s.read) + fewOperations},
		{"listings of a write task", s.write.lists, 0},
		{"notes that the merge opens", s.merge.opens, int64(f.scans) + fewOperations},
		{"listings of the merge", s.merge.lists, 1},
		{"memory of the plan", s.planned.memory, mostMemory},
		{"memory of the merge", s.merge.memory, mostMemory},
		{"memory of a write task", s.write.memory, mostMemory},
		{"memory of the commit", s.commit.memory, mostMemory},
	} {
		if at.got > at.most {
			t.Errorf("%d %s; want at most %d", at.got, at.what, at.most)
		}
	}
}

const (
	mostMemory    = 2 << 30
	fewOperations = 2000 // for its own shards, and for files that exist once in the work directory
)
