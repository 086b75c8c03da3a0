package tfrecord_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"tfr-build/arrayrecord"
	"tfr-build/sources/input"
)

// arrayFile returns an ArrayRecord file.
func arrayFile(t testing.TB, payloads ...[]byte) string {
	t.Helper()
	var b bytes.Buffer
	w, err := arrayrecord.NewWriter(&b, arrayrecord.Zstd)
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
	return b.String()
}

// TestArrayRecord reads an ArrayRecord file, both intact and with each byte of its first part
// changed. Then records are lost, and the damaged range is a row.
func TestArrayRecord(t *testing.T) {
	var payloads [][]byte
	for i := range 20 {
		payloads = append(payloads, fmt.Appendf(nil, "record %d", i))
	}
	payloads[7] = make([]byte, limit+1)
	file := []byte(arrayFile(t, payloads...))
	whole := sequential(t, open(t, "a", "array_record", string(file)))
	if len(whole) != len(payloads) || whole[0].offset != arrayrecord.SignatureSize {
		t.Fatalf("%v", whole)
	}
	for i, r := range whole {
		if want := string(payloads[i]); i != 7 && (r.what != want || !r.good) || i == 7 && r.what != "LIMIT_RECORD" {
			t.Errorf("row %d is %v", i, r)
		}
	}
	for at := 0; at < 300; at += 3 {
		file[at] ^= 8
		in := open(t, "a", "array_record", string(file))
		file[at] ^= 8
		rows := sequential(t, in)
		lost := 0
		for _, r := range whole {
			if !slices.ContainsFunc(rows, func(o row) bool { return o.what == r.what && o.good == r.good }) {
				lost++
			}
		}
		isNoticed := slices.ContainsFunc(rows, func(r row) bool { return r.what == "RECORD_DAMAGED" })
		if !isNoticed || lost > 1 || !in.Footprint().Streamed {
			t.Fatalf("byte %d changed: %d lost, %v", at, lost, rows)
		}
	}
}

// TestArrayErrors checks the errors for ArrayRecord files that are not supported.
func TestArrayErrors(t *testing.T) {
	// hashes, and the size of the data
	const brotli = "`9p\xb2\xc3\xf7\xf06\x03\x00\x00\x00\x00\x00\x00\x00\xba\xf4\xe4F\x9a\xfc\xc0\x13" +
		"r\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "b\x01\x00" // a chunk of one record
	var file bytes.Buffer
	w, err := arrayrecord.NewWriter(&file, arrayrecord.None)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	in := open(t, "a", "array_record", file.String()[:arrayrecord.SignatureSize]+brotli)
	err = input.EachRow(t.Context(), in, 0, func(*input.Record) error { return nil })
	want := "record 0 at byte 64: its chunk is compressed with brotli; expected zstd or no compression"
	if failed, ok := err.(*input.Error); !ok || failed.Err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
