package sink

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// line returns a string as a line of a journal, with its CRC.
func line(text string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)), text)
}

var aJob = []byte("job of new")

func jobLine() string { return line(`{"job":"` + textDigest(aJob) + `"}`) }

func shardLine(name string) string { return line(`{"shard":{"name":"` + name + `","bytes":1}}`) }

func TestJournalIsReadUpToADamagedLine(t *testing.T) {
	a, b := shardLine("a"), shardLine("b")
	flipped := []byte(b)
	flipped[20] ^= 1
	type journal struct {
		name, text string
		want       string // the shards, or "none" if the job has no journal
	}
	journals := []journal{
		{"nothing", "", "none"},
		{"its job", jobLine(), ""},
		{"shards", jobLine() + a + b, "a b"},
		{"a job cut short", jobLine()[:40], "none"},
		{"without a job", a + b, "none"},
		{"another job", line(`{"job":"`+textDigest(nil)+`"}`) + a, "none"},
		{"a line cut short", jobLine() + a + b[:len(b)-1], "a"},
		{"a bit in the middle", jobLine() + string(flipped) + a, ""},
		{"a bit at the end", jobLine() + a + string(flipped), "a"},
		{"zeros", jobLine() + a + strings.Repeat("\x00", 5000), "a"},
		{"an empty line", jobLine() + a + "\n" + b, "a"},
		{"a short line", jobLine() + a + "00000000\n" + b, "a"},
		{"no CRC", jobLine() + a + "xxxxxxxx {}\n" + b, "a"},
		{"no JSON", jobLine() + a + line("{") + b, "a"},
		{"a field of another version", jobLine() + a + line(`{"shred":{}}`) + b, "a"},
		{"a line that says nothing", jobLine() + a + line(`{}`) + b, "a b"},
		{"a second job", jobLine() + a + jobLine() + b, "a b"},
		{"a shard twice", jobLine() + a + b + a, "a b"},
		{"a name above", jobLine() + a + shardLine("../x") + b, "a"},
		{"a name in a directory", jobLine() + a + shardLine("x/y") + b, "a x/y b"},
		{"a name two directories below", jobLine() + a + shardLine("x/y/z") + b, "a"},
		{"a name in a directory above", jobLine() + a + shardLine("../x") + b, "a"},
		{"a name in a hidden directory", jobLine() + a + shardLine(".x/y") + b, "a"},
		{"a hidden name in a directory", jobLine() + a + shardLine("x/.y") + b, "a"},
		{"a name in a directory of readers", jobLine() + a + shardLine("_tfr/y") + b, "a"},
		{"a name that leads back", jobLine() + a + shardLine("x/..") + b, "a"},
		{"spill files of an older program", jobLine() + a + line(`{"spill":{"dir":""}}`) + b, "a"},
		{"no name", jobLine() + a + shardLine("") + b, "a"},
		{"a hidden name", jobLine() + a + shardLine(".x") + b, "a"},
		{"the directory", jobLine() + a + shardLine(".") + b, "a"},
		{"the plan of an older program", jobLine() + a + line(`{"planned":{}}`) + b, "a"},
		{"rejects of another shard", jobLine() + a + line(`{"shard":{"name":"x","rejects":{"name":"../x"}}}`) + b, "a"},
		{"statistics of another shard", jobLine() + a + line(`{"shard":{"name":"x","statistics":{"name":"../x"}}}`) + b,
			"a"},
		{"rejects of a negative length",
			jobLine() + a + line(`{"shard":{"name":"x","rejects":{"name":"x","bytes":-1}}}`) + b, "a"},
		{"a negative length", jobLine() + a + line(`{"shard":{"name":"x","bytes":-1}}`) + b, "a"},
	}
	if testenv.Exhaustive() {
		journals = append(journals,
			journal{"a line that is too long", jobLine() + a +
				line(`{"shard":{"name":"x","note":"`+strings.Repeat("x", maxLine)+`"}}`) + b, "a"},
			journal{"no newline for long", jobLine() + a + strings.Repeat("x", maxLine+1<<20), "a"},
		)
	}
	for _, test := range journals {
		got := "none"
		if left := leftIn(t, test.text); left != nil {
			var shards []string
			for _, sh := range left.Shards {
				shards = append(shards, sh.Name)
			}
			got = strings.Join(shards, " ")
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// leftIn reads the leftovers in a staging directory with aJob and a journal.
func leftIn(t *testing.T, journal string) *Leftovers {
	t.Helper()
	disk := vfstest.NewMem("/staging")
	p := &location{disk: disk0(disk), staging: "/staging"}
	for name, text := range map[string]string{jobName: string(aJob), journalName: journal} {
		if err := p.disk.putFile(p.staging, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	left, err := readLeftovers(p)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func disk0(fsys vfs.FS) *Disk {
	return newDisk(store.Over(fsys), &Options{Sync: true})
}

func TestUnreadableJournal(t *testing.T) {
	in := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(jobLine())))
	if _, err := parseJournal(in, aJob, func(*journalLine) {}); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("%v", err)
	}
}

// Written lines are read again. The last line about spill files and the seal counts.
func TestJournalLines(t *testing.T) {
	shard := &FinishedShard{
		Sum:  Sum{Name: "a", Bytes: 3, CRC32C: 4, Digest: "00ff"},
		Note: []byte(`{"rows":["<1>","é"]}`), Rejects: &Sum{Name: "a", Bytes: 5, CRC32C: 6, Digest: "11"},
	}
	text := jobLine()
	for _, l := range []*journalLine{
		{Shard: shard}, {Spill: new("/x")}, {Spill: new("/y")}, {Sealed: "s1"}, {Sealed: "s2"},
	} {
		b, err := l.encode()
		if err != nil {
			t.Fatal(err)
		}
		text += string(b)
	}
	left := leftIn(t, text)
	switch got := left.Shards[0]; {
	case got.Sum != shard.Sum || *got.Rejects != *shard.Rejects:
		t.Errorf("%+v", got)
	case string(got.Note) != `{"rows":["\u003c1\u003e","é"]}`:
		t.Errorf("note %s", got.Note)
	case *left.spill != "/y" || left.sealed != "s2":
		t.Errorf("%+v", left)
	}
	if _, err := (&journalLine{Shard: &FinishedShard{Note: []byte("{")}}).encode(); err == nil {
		t.Error("a note that is not JSON was encoded")
	}
}

// After a failed line nothing is added, and the file is not synced again.
func TestFailedJournalIsNotAppendedTo(t *testing.T) {
	for _, kind := range []string{"writeat", "sync"} {
		failing := false
		in := vfstest.NewInject(vfstest.NewMem("/staging"), func(_ int, op vfstest.Op) error {
			if failing && op.Kind == kind {
				return syscall.EIO
			}
			return nil
		})
		j, err := newJournal(disk0(in), "/staging", journalLine{Job: "j"})
		if err != nil {
			t.Fatal(err)
		}
		if kind == "sync" || testenv.Exhaustive() {
			if noted, err := j.append(&journalLine{Sealed: strings.Repeat("x", maxLine)}); noted || err != nil {
				t.Errorf("a line that is too long: %v, %v", noted, err)
			}
		}
		failing = true
		_, first := j.append(&journalLine{Sealed: "a"})
		failing = false
		before := len(in.Ops())
		noted, second := j.append(&journalLine{Sealed: "b"})
		if !errors.Is(first, syscall.EIO) || first != second || noted || len(in.Ops()) != before {
			t.Errorf("%s: %v, then %v", kind, first, second)
		}
		if _, err := j.append(&journalLine{Shard: &FinishedShard{Note: []byte("{")}}); err == nil {
			t.Error("a note that is not JSON was added")
		}
		if err := j.close(); err != nil {
			t.Error(err)
		}
	}
}

// Any journal yields only valid lines, and needs no more memory than its size.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{
		"", jobLine(), jobLine() + shardLine("a") + shardLine("b"), jobLine() + shardLine("../a"),
		jobLine() + line(`{"spill":"/scratch/.out-0123456789abcdef.tfr/spill"}`),
		jobLine() + shardLine("a") + line(`{"sealed":"`+textDigest(nil)+`"}`),
	} {
		f.Add([]byte(text), false)
	}
	real, err := os.ReadFile(filepath.Join("testdata", "journal"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real, false)
	f.Add([]byte(`{"shard":{"name":"a","bytes":1,"crc32c":2,"digest":"ff","rejects":{"name":"a"},"note":[1]}}`), true)
	f.Fuzz(func(t *testing.T, data []byte, signed bool) {
		if signed { // lines with a right CRC, to come to what comes after it
			text := jobLine()
			for l := range bytes.Lines(data) {
				text += line(strings.TrimSuffix(string(l), "\n"))
			}
			data = []byte(text)
		}
		left, at := &Leftovers{}, map[string]int{}
		if _, err := parseJournal(bytes.NewReader(data), aJob, func(l *journalLine) { left.add(l, at) }); err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, sh := range left.Shards {
			size += len(sh.Name) + len(sh.Note)
			if checkName(sh.Name) != nil || sh.Bytes < 0 {
				t.Errorf("kept %q of %d bytes", sh.Name, sh.Bytes)
			}
		}
		if left.spill != nil {
			size += len(*left.spill)
		}
		if size > 3*len(data) { // a byte that is not UTF-8 becomes three
			t.Errorf("%d bytes of %d", size, len(data))
		}
	})
}
