package tfrecord_test

import (
	"slices"
	"testing"

	"tfr-build/tfrecord"
)

// FuzzRows reads any bytes as files of records. Both ways to find rows must agree, and each byte of
// a file must be in a row.
func FuzzRows(f *testing.F) {
	for _, framing := range []tfrecord.Framing{tfrecord.TFRecord, tfrecord.OFRecord} {
		whole := someRecords(framing, 5)
		f.Add([]byte(whole), uint16(7))
		f.Add([]byte(whole[:20]+"junk"+whole[20:]), uint16(100))
		f.Add([]byte(whole[:len(whole)-3]), uint16(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, step uint16) {
		for _, format := range []string{"tfrecord", "ofrecord"} {
			in := open(t, "a", format, string(data))
			rows := sequential(t, in)
			if in.Footprint().Streamed {
				continue
			}
			if got := found(t, in, int(step)+1); !slices.Equal(got, rows) {
				t.Fatalf("%s:\n got %v\nwant %v", format, got, rows)
			}
			if len(data) > 0 && (len(rows) == 0 || rows[0].offset != 0) {
				t.Fatalf("%s: rows %v", format, rows)
			}
		}
	})
}
