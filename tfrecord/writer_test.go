package tfrecord_test

import (
	"bytes"
	"errors"
	"testing"

	"tfr-build/tfrecord"
)

var errFull = errors.New("no space left on device")

// A fullDisk accepts a number of bytes, and then fails.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestWriterReportsFullDisk(t *testing.T) {
	payload := bytes.Repeat([]byte("0123456789"), 1000)
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		for _, room := range []int{0, 1, 20, 100} {
			w := tfrecord.NewWriter(&fullDisk{room}, tfrecord.TFRecord, c)
			var err error
			for i := 0; i < 100 && err == nil; i++ {
				err = w.Write(payload)
			}
			closed := w.Close()
			if !errors.Is(closed, errFull) || err != nil && closed != err {
				t.Errorf("%v, room for %d bytes: Write %v, Close %v", c, room, err, closed)
			}
			if err := w.Write(payload); !errors.Is(err, errFull) {
				t.Errorf("%v, room for %d bytes: Write after the error: %v", c, room, err)
			}
		}
	}
}

func TestWriterIsClosedOnce(t *testing.T) {
	w := tfrecord.NewWriter(&bytes.Buffer{}, tfrecord.TFRecord, tfrecord.None)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Write(nil) == nil || w.Close() == nil {
		t.Error("a closed Writer continues")
	}
}

func TestWriterKeepsNoLargeBuffer(t *testing.T) {
	var file bytes.Buffer
	w := tfrecord.NewWriter(&file, tfrecord.TFRecord, tfrecord.None)
	for _, n := range []int{3 << 20, 10} {
		if err := w.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := 3<<20 + 10 + 2*tfrecord.TFRecord.Overhead(); file.Len() != want {
		t.Errorf("wrote %d bytes, want %d", file.Len(), want)
	}
}
