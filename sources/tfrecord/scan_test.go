package tfrecord_test

import (
	"bytes"
	"slices"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// TestReadOnce scans an OFRecord with a feature in two parts. Joining them takes memory each time.
func TestReadOnce(t *testing.T) {
	piece := nested(2, nested(5, []byte{8, 5}))
	payload := nested(1, slices.Concat(nested(1, []byte("k")), piece, piece))
	in := open(t, "a", "ofrecord", string(tfrecord.OFRecord.Append(nil, payload)))
	l, err := in.Bind([]input.Bound{{Name: "k", Slot: 0}})
	if err != nil {
		t.Fatal(err)
	}
	s := l(input.NewObservations(), false)
	vals := make([]schema.Value, 1)
	data := tfrecord.OFRecord.Append(nil, payload)
	scan := func() {
		if n, err := s.Scan(0, 0, data, vals); err != nil || n != len(data) || len(vals[0].Text) != 16 {
			t.Fatalf("%d bytes, %v: %+v", n, err, vals)
		}
	}
	scan()
	once := testing.AllocsPerRun(10, func() { message.Is(message.OFRecord, payload) })
	if got := testing.AllocsPerRun(10, scan); got > once || once == 0 {
		t.Errorf("%v allocations, and %v for reading a record once", got, once)
	}
}

// TestHint damages a file. The hint names the other format only if the file can have it.
func TestHint(t *testing.T) {
	payload := nested(1, slices.Concat(nested(1, []byte("k")), nested(2, nested(5, []byte{8, 5}))))
	text := append([]byte("\x0a"), bytes.Repeat([]byte("text "), 20)...)
	for _, c := range []struct{ name, format, file, want string }{
		{"an OFRecord file", "tfrecord", string(tfrecord.OFRecord.Append(nil, payload)), "format: ofrecord"},
		{"a TFRecord file", "ofrecord", string(tfrecord.TFRecord.Append(nil, payload)), "format: tfrecord"},
		{"a TFRecord file", "array_record", string(tfrecord.TFRecord.Append(nil, payload)), "format: tfrecord"},
		{"an ArrayRecord file", "tfrecord", arrayFile(t, payload), "format: array_record"},
		{"a length, the tag of an OFRecord and text", "tfrecord", string(tfrecord.OFRecord.Append(nil, text)), ""},
	} {
		in := open(t, "a", c.format, c.file)
		err := input.EachRow(t.Context(), in, 0, func(rec *input.Record) error {
			if rec.Bad == nil || rec.Bad.Hint != c.want {
				t.Errorf("%s: %+v, want the hint %q", c.name, rec.Bad, c.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
