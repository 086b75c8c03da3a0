package dataset

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// TestLongRecords reads a record that does not fit in memory: Inspect shows its beginning,
// Salvage copies it as a stream, and nothing parses it.
func TestLongRecords(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("takes seconds; internal/badinput has a sample, of the program")
	}
	var b bytes.Buffer
	out := tfrecord.NewWriter(&b, tfrecord.TFRecord, tfrecord.Gzip)
	for _, payload := range [][]byte{[]byte("one"), make([]byte, tfrecord.MaxInMemory+1), []byte("three")} {
		if err := out.Write(payload); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}

	var shown strings.Builder
	err := Inspect(&shown, bytes.NewReader(b.Bytes()), "f", InspectOptions{})
	if want := "  not parsed, longer than 256 MiB: \"\\x00"; err != nil || !strings.Contains(shown.String(), want) {
		t.Errorf("shown %q, %v", shown.String(), err)
	}
	err = Inspect(&shown, bytes.NewReader(b.Bytes()), "f", InspectOptions{Form: ProtoForm})
	if want := "none of more than 256 MiB is parsed"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("as JSON: %v", err)
	}

	r := newRescue(t, fstest.MapFS{"a.gz": {Data: append(b.Bytes(), "junk"...)}})
	salvage, err := NewSalvage(r.to)
	if err != nil {
		t.Fatal(err)
	}
	opt := r.options(salvage)
	opt.Store = nil
	if _, err := VerifyRecords(t.Context(), filepath.Join(r.dir, "a.gz"), opt); err != nil {
		t.Fatal(err)
	}
	if len(r.saved) != 1 || r.saved[0].Records != 3 {
		t.Fatalf("saved %v", r.saved)
	}
	found, err := VerifyRecords(t.Context(), r.saved[0].Path, VerifyOptions{Workers: 1})
	if err != nil || found.Records != 3 {
		t.Errorf("what was saved: %v, %v", found, err)
	}
}
