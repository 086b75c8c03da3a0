package tfrecord_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"tfr-build/tfrecord"
)

// TestInPlace looks at records where they lie.
func TestInPlace(t *testing.T) {
	for _, f := range []tfrecord.Framing{tfrecord.TFRecord, tfrecord.OFRecord} {
		for _, payload := range []string{"x", "some bytes", string(make([]byte, 70000))} {
			record := f.Append(nil, []byte(payload))
			for n := range min(len(record), 30) {
				size, ok := f.Size(record[:n])
				if header := f.Overhead() * 3 / 4; f == tfrecord.TFRecord && ok != (n >= header) || ok && size != len(record) {
					t.Errorf("%v: the size by %d bytes is %d, %v", f, n, size, ok)
				}
			}
			got, ok := f.Payload(record)
			if string(got) != payload || !ok || cap(got) != len(got) {
				t.Errorf("%v: payload %q, %v", f, got, ok)
			}
			record[len(record)-1] ^= 1
			if _, ok := f.Payload(record); ok != (f == tfrecord.OFRecord) {
				t.Errorf("%v: a changed record is right: %v", f, ok)
			}
		}
	}
	for _, length := range []uint64{0, 1 << 63, 1<<64 - 1, 1<<63 - 8} {
		if size, ok := tfrecord.OFRecord.Size(binary.LittleEndian.AppendUint64(nil, length)); ok {
			t.Errorf("an OFRecord of %d bytes takes %d", length, size)
		}
		if size, ok := tfrecord.TFRecord.Size(header(length)); ok != (length == 0) {
			t.Errorf("a record of %d bytes takes %d", length, size)
		}
	}
}

// TestFramed gives the bytes of records that Next has read, damaged ones too.
func TestFramed(t *testing.T) {
	one, two, three := tfrecord.TFRecord.Append(nil, []byte("one")), tfrecord.TFRecord.Append(nil, make([]byte, 100_000)), tfrecord.TFRecord.Append(nil, nil)
	two[50] = 1
	r := tfrecord.NewReader(bytes.NewReader(bytes.Join([][]byte{one, two, three}, nil)), tfrecord.Options{})
	for i, want := range [][]byte{one, two, three} {
		_, err := r.Next()
		if damaged := errors.As(err, new(*tfrecord.CorruptError)); damaged != (i == 1) || !bytes.Equal(r.Framed(), want) {
			t.Errorf("record %d: %d bytes framed, want %d; %v", i, len(r.Framed()), len(want), err)
		}
	}
}
