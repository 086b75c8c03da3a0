package table_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

func TestFindMatchesRows(t *testing.T) {
	text := "\ufeffx,y\r\n1,\"a\nb\"\n\n2,b\n\"3,c\nd\"e,f\n4,\"\"\"\"\n\n5,e"
	lines := "{\"a\":1}\n \n{\"a\":\"x\"}\n\n{}"
	for name, in := range map[string]input.Input{
		"csv":   mustOpen(t, testenv.Directory(t, map[string]string{"t": text}), csvOf("t")),
		"jsonl": mustOpen(t, testenv.Directory(t, map[string]string{"t": lines}), jsonlOf("t")),
	} {
		var want []int
		rows, err := in.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := rows.Next(); err == nil; rec, err = rows.Next() {
			want = append(want, int(rec.Offset))
		}
		blank := rows.Blank()
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		for size := 1; size < int(in.Listing().Files[0].Size)+2; size++ {
			s, err := in.Find(size)
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Steps() {
				s.Step(i)
			}
			stats := s.Finish(0)
			var got []int
			for _, c := range s.Chunks() {
				for _, start := range c.Starts {
					got = append(got, int(c.Offset)+int(start))
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || stats.Rows != len(want) || stats.Blank != blank {
				t.Fatalf("%s, chunks of %d: rows at %v, %+v; want %v, %d blank", name, size, got, stats, want, blank)
			}
			if in.(input.Texter).Contents()[0] == nil {
				t.Errorf("%s: no text after Find", name)
			}
			if in.Release(); in.(input.Texter).Contents()[0] != nil {
				t.Errorf("%s: a text after Release", name)
			}
		}
	}
}

func TestLongRecordsAreNotBuffered(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	for name, in := range map[string]input.Input{
		"csv": mustOpen(t, testenv.Directory(t, map[string]string{"t": "a\n" + long + "\n1\n"}), csvOf("t")),
		"jsonl": mustOpen(t, testenv.Directory(t, map[string]string{"t": `{"a":"` + long + "\"}\n{\"a\":1}\n"}),
			jsonlOf("t")),
	} {
		wantRows(t, tableOf(t, in, "a"), "LIMIT_RECORD", "1")
		rows, err := in.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, err = rows.Next(); err == nil; _, err = rows.Next() {
		}
		if heap, mapped := table.Window(rows); heap > 1<<20 || mapped {
			t.Errorf("%s: a window of %d bytes, mapped: %t", name, heap, mapped)
		}
		rows.Close()
	}
}

func TestSeek(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t": "a\n1\n\"x\ny\"\n3\n"})
	in := mustOpen(t, dir, csvOf("t"))
	rows, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := input.Seek(t.Context(), rows, in.Path(0), 10)
	if err != nil || string(rec.Raw) != "3\n" || rec.Line != 5 {
		t.Errorf("%+v, %v", rec, err)
	}
	if _, err := input.Seek(t.Context(), rows, in.Path(0), 100); !errors.Is(err, files.ErrChanged) {
		t.Errorf("a row that is not there: %v", err)
	}
	rows.Close()
	if err := os.Truncate(filepath.Join(dir, "t"), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Find(1 << 20); !errors.Is(err, files.ErrChanged) {
		t.Errorf("a file cut short: %v", err)
	}
}
