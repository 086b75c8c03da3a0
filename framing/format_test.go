package framing_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/tfrecord"
)

// ofPayload is an OFRecord without values: formats that need a message accept it, too.
func ofPayload(n int) []byte {
	return fmt.Appendf(nil, "\x0a\x06\x0a\x02k%d\x12\x00", n%10)
}

// TestRoundTrip writes files of each format as a build does and as a Writer does. Both are equal,
// are detected, and are read again, by number where the format can.
func TestRoundTrip(t *testing.T) {
	for _, f := range framing.All() {
		for _, compression := range f.Compressions {
			for _, records := range []int{0, 1, 7} {
				name := fmt.Sprintf("%s, %s, %d records", f.Name, compression, records)
				built, written := build(t, f, compression, records), write(t, f, compression, records)
				if f.FileCompression(compression) == tfrecord.None && !bytes.Equal(built, written) {
					t.Errorf("%s: a build has %d bytes, and a writer %d", name, len(built), len(written))
				}
				if got := framing.Detect(built[:min(len(built), framing.DetectSize)],
					int64(len(built))); len(built) > 0 && got != f {
					t.Errorf("%s: not detected", name)
				}
				check(t, name, f, f.NewReader(bytes.NewReader(written),
					framing.ReadOptions{Compression: f.FileCompression(compression)}), 0, records)
				if f.Open == nil || records == 0 {
					continue
				}
				file, err := f.Open(bytes.NewReader(written), int64(len(written)), name)
				if err != nil || file.Records() != int64(records) {
					t.Fatalf("%s: %v", name, err)
				}
				r, err := file.From(int64(records / 2))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				check(t, name, f, r, records/2, records)
			}
		}
	}
}

func build(t *testing.T, f *framing.Format, compression string, records int) []byte {
	t.Helper()
	batch, err := f.NewBatch(compression, nil)
	if err != nil {
		t.Fatal(err)
	}
	var block []byte
	for i := range records {
		block = batch.Cancel(append(batch.Begin(block, 99), "canceled"...))
		block = batch.End(append(batch.Begin(block, uint64(i)), ofPayload(i)...))
	}
	batch.Seal(block)
	if f.NewLayout == nil {
		return append(block, f.Tail...)
	}
	layout := f.NewLayout(compression)
	file := layout.AppendHead(nil)
	file = append(file, layout.LayOut(block, int64(len(file)))...)
	return layout.AppendTail(file, int64(len(file)))
}

func write(t *testing.T, f *framing.Format, compression string, records int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := f.NewWriter(&b, compression)
	for i := 0; i < records && err == nil; i++ {
		err = w.Write(ofPayload(i))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// check reads the records from number from on.
func check(t *testing.T, name string, f *framing.Format, r framing.Reader, from, records int) {
	t.Helper()
	for i := from; i < records; i++ {
		payload, err := r.Next()
		if err != nil || !bytes.Equal(payload, ofPayload(i)) {
			t.Fatalf("%s: record %d: %q, %v", name, i, payload, err)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%s: after the last record: %v", name, err)
	}
	if f.CompressionOf != nil && !f.HasCompression(f.CompressionOf(r)) {
		t.Errorf("%s: it has the compression %q", name, f.CompressionOf(r))
	}
}

func TestUnknownCompression(t *testing.T) {
	for _, f := range framing.All() {
		if _, err := f.NewWriter(io.Discard, "zip"); err == nil {
			t.Errorf("%s: a writer compresses with zip", f.Name)
		}
	}
}

func TestBare(t *testing.T) {
	var b bytes.Buffer
	w, err := framing.Bare().NewWriter(&b, "none")
	if err == nil {
		err = errors.Join(w.Write(ofPayload(1)), w.Close())
	}
	if err != nil || !bytes.Equal(b.Bytes(), ofPayload(1)) {
		t.Fatalf("%q, %v", &b, err)
	}
	if got := framing.BareMessage(b.Bytes()); got != message.OFRecord {
		t.Errorf("it is %v", got)
	}
	if err := w.Write(ofPayload(2)); err == nil {
		t.Error("it takes a second message")
	}
	if got := framing.BareMessage([]byte("text")); got != message.None {
		t.Errorf("text is %v", got)
	}
}
