package dataset

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tfr-build/arrayrecord"
)

// arrayFile returns an ArrayRecord file.
func arrayFile(t testing.TB, payloads [][]byte, c arrayrecord.Compression) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := arrayrecord.NewWriter(&out, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range payloads {
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestInspectArrayRecord(t *testing.T) {
	payloads := inspectedPayloads(t)
	for _, c := range []arrayrecord.Compression{arrayrecord.None, arrayrecord.Zstd} {
		framed, _ := framed(t, payloads, formatNamed("tfrecord"))
		opt := InspectOptions{Form: ProtoForm, Skip: 1}
		if got, want := inspectString(t, arrayFile(t, payloads, c), opt), inspectString(t, framed, opt); got != want ||
			got == "" {
			t.Errorf("%v: %s\nwant %s", c, got, want)
		}
	}
	golden, err := os.ReadFile("../arrayrecord/testdata/digits.array_record-00000-of-00002")
	if err != nil {
		t.Fatal(err)
	}
	got := inspectString(t, golden, InspectOptions{Limit: 1})
	if !strings.HasPrefix(got, "record 0 at byte 64, 1 byte\n") {
		t.Error(got)
	}
}

// TestVerifyLoneArrayRecordFile flips bits of a file without a manifest. VerifyRecords finds each
// flip, and salvages the intact records into a similar file.
func TestVerifyLoneArrayRecordFile(t *testing.T) {
	payloads := ofRecords(0, 4)
	for _, c := range []arrayrecord.Compression{arrayrecord.None, arrayrecord.Zstd} {
		whole := arrayFile(t, payloads, c)
		l := newLone(t, "digits")
		if checked := l.verify(t, whole); l.found != nil || checked.Records != 4 || checked.Bytes != int64(len(whole)) {
			t.Errorf("unharmed: %q, %+v", l.found, checked)
		}
		for at := 0; at < 500; at += 7 {
			data := bytes.Clone(whole)
			data[at] ^= 1 << (at % 8)
			l.verify(t, data)
			if len(l.found) == 0 || len(l.warned) > 0 {
				t.Fatalf("byte %d: found %q, warned %q", at, l.found, l.warned)
			}
			got := l.kept(t, formatNamed("array_record"))
			want := slices.DeleteFunc(slices.Clone(payloads), func(p []byte) bool {
				return !slices.Contains(got, string(p))
			})
			if len(got) < 3 || len(got) != len(want) || l.saved[0].Records != int64(len(got)) {
				t.Fatalf("byte %d: %d records are salvaged, %q", at, len(got), l.found)
			}
			if saved, err := os.ReadFile(l.saved[0].Path); err != nil || len(want) == 4 && !bytes.Equal(saved, whole) {
				t.Fatalf("byte %d: what is salvaged is another file, %v", at, err)
			}
		}
	}
}

func TestVerifyArrayRecordNames(t *testing.T) {
	data := arrayFile(t, ofRecords(0, 3), arrayrecord.None)
	starts := arrayStarts(t, data)
	data[starts[1]+60] ^= 1
	data[starts[2]+3] ^= 1
	l := newLone(t, "digits")
	l.verify(t, data[:len(data)-1])
	want := []string{
		fmt.Sprintf("record 1 at byte %d: the data of its chunk is damaged", starts[1]),
		fmt.Sprintf("record 2 at byte %d: the header of its chunk is damaged", starts[2]),
		"record 2 at byte 65644: the file ends within its chunk, which has 65388 bytes of data",
	}
	if !slices.Equal(l.found, want) {
		t.Errorf("found %q\nwant  %q", l.found, want)
	}
}

// arrayStarts returns the offsets of the records.
func arrayStarts(t *testing.T, data []byte) (starts []int64) {
	t.Helper()
	r := arrayrecord.NewReader(bytes.NewReader(data), "")
	for {
		if _, err := r.Next(); err != nil {
			return starts
		}
		starts = append(starts, r.Offset())
	}
}

func TestRecordsOfArrayRecordFiles(t *testing.T) {
	path := t.TempDir() + "/train.array_record-00000-of-00001"
	payloads := inspectedPayloads(t)[:1]
	if err := os.WriteFile(path, arrayFile(t, payloads, arrayrecord.None), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := OpenFiles(nil, []string{path})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Count(t.Context()); err != nil || r.Files[0].Records != 1 || r.Splits[0] != "train" {
		t.Errorf("%+v, %v", r, err)
	}
	first, err := r.First(t.Context(), 0, 5)
	if err != nil || len(first) != 1 || !bytes.Equal(first[0], payloads[0]) {
		t.Errorf("%q, %v", first, err)
	}
}
