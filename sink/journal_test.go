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

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// line returns a text as a line of a journal, with the right CRC.
func line(text string) string {
	return fmt.Sprintf("%08x %s\n", crc32.Checksum([]byte(text), castagnoli), text)
}

var aPlan = []byte("plan of new")

func planLine() string { return line(`{"plan":"` + textDigest(aPlan) + `"}`) }

func shardLine(name string) string { return line(`{"shard":{"name":"` + name + `","bytes":1}}`) }

func TestAJournalIsReadUpToWhatIsNotWhole(t *testing.T) {
	a, b := shardLine("a"), shardLine("b")
	flipped := []byte(b)
	flipped[20] ^= 1
	for _, test := range []struct {
		name, text string
		want       string // the shards, or "none" where there is no journal of the plan
	}{
		{"nothing", "", "none"},
		{"its plan", planLine(), ""},
		{"shards", planLine() + a + b, "a b"},
		{"a plan cut short", planLine()[:40], "none"},
		{"without a plan", a + b, "none"},
		{"another plan", line(`{"plan":"`+textDigest(nil)+`"}`) + a, "none"},
		{"a line cut short", planLine() + a + b[:len(b)-1], "a"},
		{"a bit in the middle", planLine() + string(flipped) + a, ""},
		{"a bit at the end", planLine() + a + string(flipped), "a"},
		{"zeros", planLine() + a + strings.Repeat("\x00", 5000), "a"},
		{"an empty line", planLine() + a + "\n" + b, "a"},
		{"a short line", planLine() + a + "00000000\n" + b, "a"},
		{"no CRC", planLine() + a + "xxxxxxxx {}\n" + b, "a"},
		{"no JSON", planLine() + a + line("{") + b, "a"},
		{"a field of another version", planLine() + a + line(`{"shred":{}}`) + b, "a"},
		{"a line that says nothing", planLine() + a + line(`{}`) + b, "a b"},
		{"a second plan", planLine() + a + planLine() + b, "a b"},
		{"a shard twice", planLine() + a + b + a, "a b"},
		{"a name above", planLine() + a + shardLine("../x") + b, "a"},
		{"a name below", planLine() + a + shardLine("x/y") + b, "a"},
		{"no name", planLine() + a + shardLine("") + b, "a"},
		{"a hidden name", planLine() + a + shardLine(".x") + b, "a"},
		{"the folder", planLine() + a + shardLine(".") + b, "a"},
		{"a part above", planLine() + a + line(`{"parts":{"files":[{"name":"p"},{"name":"../../p"}]}}`) + b, "a"},
		{"a negative length", planLine() + a + line(`{"shard":{"name":"x","bytes":-1}}`) + b, "a"},
		{"a line that is too long", planLine() + a + line(`{"shard":{"name":"x","note":"`+strings.Repeat("x", maxLine)+`"}}`) + b, "a"},
		{"no newline for long", planLine() + a + strings.Repeat("x", maxLine+1<<20), "a"},
	} {
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

// leftIn returns what a hidden folder with aPlan and a journal says.
func leftIn(t *testing.T, journal string) *Left {
	t.Helper()
	disk := vfstest.NewMem("/hidden")
	s := &Stage{disk: disk0(disk), hidden: "/hidden"}
	for name, text := range map[string]string{planName: string(aPlan), journalName: journal} {
		if err := s.put(s.hidden, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	left, err := s.readLeft()
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func disk0(fsys vfs.FS) disk { return disk{fs: fsys, sync: true, warn: func(string) {}} }

func TestAJournalThatCannotBeRead(t *testing.T) {
	in := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(planLine())))
	if _, err := parseJournal(in, aPlan, func(*journalLine) {}); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("%v", err)
	}
}

// What was written is read, and the last word on parts and the seal counts.
func TestJournalLines(t *testing.T) {
	shard := &LeftShard{
		Sum:  Sum{Name: "a", Bytes: 3, CRC32C: 4, Digest: "00ff"},
		Note: []byte(`{"rows":["<1>","é"]}`), Rejects: &Sum{Name: "a", Bytes: 5, CRC32C: 6, Digest: "11"},
	}
	text := planLine()
	for _, l := range []*journalLine{
		{Shard: shard}, {Parts: &LeftParts{Dir: "/x"}},
		{Parts: &LeftParts{Files: []Sum{{Name: "p"}}, Note: []byte("7")}}, {Sealed: "s1"}, {Sealed: "s2"},
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
	case left.Parts.Dir != "" || len(left.Parts.Files) != 1 || string(left.Parts.Note) != "7" || left.sealed != "s2":
		t.Errorf("%+v", left)
	}
	if _, err := (&journalLine{Shard: &LeftShard{Note: []byte("{")}}).encode(); err == nil {
		t.Error("a note that is no JSON was encoded")
	}
}

// After a line that could not be written nothing is added, and the file is not
// synced again.
func TestAJournalThatFailedIsNotAppendedTo(t *testing.T) {
	for _, kind := range []string{"writeat", "sync"} {
		failing := false
		in := vfstest.NewInject(vfstest.NewMem("/hidden"), func(_ int, op vfstest.Op) error {
			if failing && op.Kind == kind {
				return syscall.EIO
			}
			return nil
		})
		s := &Stage{disk: disk0(in), hidden: "/hidden"}
		j, err := s.newJournal(journalLine{Plan: "p"})
		if err != nil {
			t.Fatal(err)
		}
		if noted, err := j.append(&journalLine{Sealed: strings.Repeat("x", maxLine)}); noted || err != nil {
			t.Errorf("a line that is too long: %v, %v", noted, err)
		}
		failing = true
		_, first := j.append(&journalLine{Sealed: "a"})
		failing = false
		before := len(in.Ops())
		noted, second := j.append(&journalLine{Sealed: "b"})
		if !errors.Is(first, syscall.EIO) || first != second || noted || len(in.Ops()) != before {
			t.Errorf("%s: %v, then %v", kind, first, second)
		}
		if _, err := j.append(&journalLine{Shard: &LeftShard{Note: []byte("{")}}); err == nil {
			t.Error("a note that is no JSON was added")
		}
		if err := j.close(); err != nil {
			t.Error(err)
		}
	}
}

// Whatever stands in a journal: what is taken from it can be used as it is, and
// takes no more memory than what is there.
func FuzzJournal(f *testing.F) {
	for _, text := range []string{
		"", planLine(), planLine() + shardLine("a") + shardLine("b"), planLine() + shardLine("../a"),
		planLine() + line(`{"parts":{"dir":"/scratch/.out-0123456789abcdef.tfr/parts","files":[{"name":"part-0","bytes":12,"crc32c":9,"digest":"ab"}],"note":{"rows":3}}}`),
		planLine() + shardLine("a") + line(`{"sealed":"`+textDigest(nil)+`"}`),
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
		if signed { // lines with a right CRC, to come to what is behind it
			text := planLine()
			for l := range bytes.Lines(data) {
				text += line(strings.TrimSuffix(string(l), "\n"))
			}
			data = []byte(text)
		}
		left, at := &Left{}, map[string]int{}
		if _, err := parseJournal(bytes.NewReader(data), aPlan, func(l *journalLine) { left.add(l, at) }); err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, sh := range left.Shards {
			size += len(sh.Name) + len(sh.Note)
			if checkName(sh.Name) != nil || sh.Bytes < 0 {
				t.Errorf("kept %q of %d bytes", sh.Name, sh.Bytes)
			}
		}
		if left.Parts != nil {
			size += len(left.Parts.Note)
			for _, part := range left.Parts.Files {
				size += len(part.Name)
				if checkName(part.Name) != nil || part.Bytes < 0 {
					t.Errorf("part %q of %d bytes", part.Name, part.Bytes)
				}
			}
		}
		if size > 3*len(data) { // a byte that is no UTF-8 becomes three
			t.Errorf("%d bytes of %d", size, len(data))
		}
	})
}
