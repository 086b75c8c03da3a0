package tfrecord_test

import (
	"bytes"
	"fmt"
	"testing"

	"tfr-build/tfrecord"
)

// TestIndexLines compares the lines of a file's index with the offsets of a Reader, for a file
// split at different records.
func TestIndexLines(t *testing.T) {
	var file bytes.Buffer
	w := tfrecord.NewWriter(&file, tfrecord.TFRecord, tfrecord.None)
	var cuts []int
	want := ""
	at := 0
	for _, size := range []int{84, 84, 0, 1, 1000, 99_999} {
		if err := w.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		cuts = append(cuts, at)
		want += fmt.Sprintf("%d %d\n", at, size+16)
		at += size + 16
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, cut := range append(cuts, file.Len()) {
		got := tfrecord.AppendIndex(nil, file.Bytes()[:cut], 0)
		got = tfrecord.AppendIndex(got, file.Bytes()[cut:], int64(cut))
		if string(got) != want {
			t.Errorf("cut at %d: %q; want %q", cut, got, want)
		}
	}
	if got := tfrecord.AppendIndex(nil, file.Bytes()[:100], 1<<40); string(got) != "1099511627776 100\n" {
		t.Errorf("beyond 1 TiB: %q", got)
	}
}
