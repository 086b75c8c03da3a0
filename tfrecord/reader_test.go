package tfrecord_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tfr-build/internal/filetest"
	"tfr-build/tfrecord"
)

// readAll returns the records of file and the final error.
func readAll(r io.Reader, opt tfrecord.Options) (records []string, err error) {
	in := tfrecord.NewReader(r, opt)
	for {
		payload, err := in.Next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, string(payload))
	}
}

func checkRecords(t *testing.T, file []byte, c tfrecord.Compression, want ...string) {
	t.Helper()
	got, err := readAll(bytes.NewReader(file), tfrecord.Options{Compression: c})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
}

func frame(payloads ...string) (file []byte) {
	for _, p := range payloads {
		file = tfrecord.TFRecord.Append(file, []byte(p))
	}
	return file
}

func compress(t testing.TB, c tfrecord.Compression, data []byte) []byte {
	t.Helper()
	if c == tfrecord.Zlib {
		return []byte(filetest.Zlib(string(data)))
	}
	return []byte(filetest.Gzip(string(data)))
}

func TestReadWritten(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 20_000)
	for _, records := range [][]string{nil, {""}, {"a"}, {"", "a", "", large, "b"}, {large, large, large}} {
		for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
			var file bytes.Buffer
			w := tfrecord.NewWriter(&file, tfrecord.TFRecord, c)
			for _, r := range records {
				if err := w.Write([]byte(r)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkRecords(t, file.Bytes(), c, records...)
			if head := file.Bytes(); tfrecord.Detect(head[:min(len(head), 12)]) != c {
				t.Errorf("%v is detected as %v", c, tfrecord.Detect(head))
			}
		}
	}
}

func TestReadInParts(t *testing.T) {
	file := frame("", "one", strings.Repeat("two", 50_000), "three")
	want, _ := readAll(bytes.NewReader(file), tfrecord.Options{})
	for name, r := range map[string]io.Reader{
		"one byte":       iotest.OneByteReader(bytes.NewReader(file)),
		"half":           iotest.HalfReader(bytes.NewReader(file)),
		"data with EOF":  iotest.DataErrReader(bytes.NewReader(file)),
		"gzip, one byte": iotest.OneByteReader(bytes.NewReader(compress(t, tfrecord.Gzip, file))),
	} {
		opt := tfrecord.Options{}
		if strings.HasPrefix(name, "gzip") {
			opt.Compression = tfrecord.Gzip
		}
		if got, err := readAll(r, opt); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
}

func TestRecordAndOffset(t *testing.T) {
	r := tfrecord.NewReader(bytes.NewReader(frame("", "abc", "z")), tfrecord.Options{})
	if r.Record() != -1 || r.Offset() != 0 || r.End() != 0 {
		t.Errorf("before the first record: record %d at %d", r.Record(), r.Offset())
	}
	ends := []int64{16, 35, 52}
	for i, offset := range []int64{0, 16, 35} {
		if _, err := r.Next(); err != nil || r.Record() != int64(i) || r.Offset() != offset || r.End() != ends[i] {
			t.Errorf("record %d from %d to %d (%v), want %d from %d to %d", r.Record(), r.Offset(), r.End(),
				err, i, offset, ends[i])
		}
	}
	for range 2 {
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("after the last record: %v", err)
		}
	}
}

// TestEveryCut truncates a file at every byte. Only between records, the Reader returns io.EOF.
func TestEveryCut(t *testing.T) {
	file := frame("one", "", "three")
	ends := map[int]int{0: 0, 19: 1, 35: 2, 56: 3} // length → records
	for n := range len(file) + 1 {
		got, err := readAll(bytes.NewReader(file[:n]), tfrecord.Options{File: "f"})
		if records, ok := ends[n]; ok {
			if err != nil || len(got) != records {
				t.Errorf("cut at %d: %d records, %v; want %d", n, len(got), err, records)
			}
			continue
		}
		var corrupt *tfrecord.CorruptError
		if !errors.As(err, &corrupt) || corrupt.File != "f" || corrupt.Record != int64(len(got)) || corrupt.Skippable {
			t.Errorf("cut at %d: %v after %d records", n, err, len(got))
		}
	}
}

// TestEveryFlip flips every bit of a file. Each flip is detected in its record.
func TestEveryFlip(t *testing.T) {
	file := frame("one", "", "three")
	for bit := range len(file) * 8 {
		flipped := bytes.Clone(file)
		flipped[bit/8] ^= 1 << (bit % 8)
		record, offset := int64(0), int64(0)
		switch at := bit / 8; {
		case at >= 35:
			record, offset = 2, 35
		case at >= 19:
			record, offset = 1, 19
		}
		_, err := readAll(bytes.NewReader(flipped), tfrecord.Options{})
		var corrupt *tfrecord.CorruptError
		if !errors.As(err, &corrupt) || corrupt.Record != record || corrupt.Offset != offset {
			t.Errorf("bit %d: %v, want record %d at %d", bit, err, record, offset)
		}
	}
}

func TestContinuesAfterADamagedPayload(t *testing.T) {
	file := frame("one", "two", "three")
	file[19+12] ^= 1
	r := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
	var got []string
	var damaged []int64
	for {
		payload, err := r.Next()
		var corrupt *tfrecord.CorruptError
		if err == io.EOF {
			break
		} else if errors.As(err, &corrupt) && corrupt.Skippable {
			damaged = append(damaged, corrupt.Record)
		} else if err != nil {
			t.Fatal(err)
		} else {
			got = append(got, string(payload))
		}
	}
	if !slices.Equal(got, []string{"one", "three"}) || !slices.Equal(damaged, []int64{1}) {
		t.Errorf("read %q, damaged %d", got, damaged)
	}
}

func TestPayloadChecksumMessage(t *testing.T) {
	file := frame("123456789")
	file[12] = '0'
	_, err := readAll(bytes.NewReader(file), tfrecord.Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "and e3069283 is written") {
		t.Errorf("the message does not have the plain CRC-32C that was written: %v", err)
	}
}

func TestSeveralGzipMembers(t *testing.T) {
	file := compress(t, tfrecord.Gzip, frame("one", "two"))
	file = append(file, compress(t, tfrecord.Gzip, nil)...)
	file = append(file, compress(t, tfrecord.Gzip, frame("three"))...)
	checkRecords(t, file, tfrecord.Gzip, "one", "two", "three")

	split := frame("a record in two members")
	file = append(compress(t, tfrecord.Gzip, split[:20]), compress(t, tfrecord.Gzip, split[20:])...)
	checkRecords(t, file, tfrecord.Gzip, "a record in two members")
}

func TestEmptyFiles(t *testing.T) {
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		checkRecords(t, nil, c)
	}
}

// TestReadErrorIsNotDamage checks that an error of the disk is not reported as damage of the file.
func TestReadErrorIsNotDamage(t *testing.T) {
	broken := errors.New("input/output error")
	file := frame("one", "two")
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		data := file
		if c != tfrecord.None {
			data = compress(t, c, file)
		}
		for n := range data {
			r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken))
			_, err := readAll(r, tfrecord.Options{File: "f", Compression: c})
			var corrupt *tfrecord.CorruptError
			if !errors.Is(err, broken) || errors.As(err, &corrupt) {
				t.Fatalf("%v, error after %d bytes: %v", c, n, err)
			}
		}
	}
}

func TestErrorIsRepeated(t *testing.T) {
	r := tfrecord.NewReader(strings.NewReader("no record at all"), tfrecord.Options{})
	_, first := r.Next()
	_, second := r.Next()
	if first == nil || first != second {
		t.Errorf("first %v, then %v", first, second)
	}
}

func TestParseCompression(t *testing.T) {
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		if got, err := tfrecord.ParseCompression(c.String()); got != c || err != nil {
			t.Errorf("%v comes back as %v, %v", c, got, err)
		}
	}
	if _, err := tfrecord.ParseCompression("GZIP"); err == nil ||
		err.Error() != `unknown compression "GZIP"; expected none, gzip or zlib` {
		t.Errorf("GZIP: %v", err)
	}
	if got := tfrecord.Compression(9).String(); got != "Compression(9)" {
		t.Errorf("an unknown compression is called %s", got)
	}
}

// TestDetectPrefersRecords has a record whose length begins with the magic number of zlib.
func TestDetectPrefersRecords(t *testing.T) {
	file := tfrecord.TFRecord.Append(nil, make([]byte, 0x9c78))
	if got := tfrecord.Detect(file[:12]); got != tfrecord.None {
		t.Errorf("a record of length 0x9c78 is detected as %v", got)
	}
	if got := tfrecord.Detect(file[:2]); got != tfrecord.Zlib {
		t.Errorf("the bytes 78 9c alone are detected as %v", got)
	}
	if got := tfrecord.Detect(nil); got != tfrecord.None {
		t.Errorf("an empty file is detected as %v", got)
	}
}

func TestNextAllocatesNothing(t *testing.T) {
	var file []byte
	for i := range 2000 {
		file = tfrecord.TFRecord.Append(file, fmt.Appendf(nil, "record %d", i))
	}
	r := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Next allocates %v times", n)
	}
}

func BenchmarkReader(b *testing.B) {
	for _, size := range []int{84, 100_000} {
		b.Run(fmt.Sprintf("payload=%d", size), func(b *testing.B) {
			payload := bytes.Repeat([]byte("x"), size)
			var file []byte
			for len(file) < 100_000_000 {
				file = tfrecord.TFRecord.Append(file, payload)
			}
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				r := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
				for {
					if _, err := r.Next(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// TestSkipTo skips to each record of a file from each record before it.
func TestSkipTo(t *testing.T) {
	payloads := []string{"a", strings.Repeat("b", 1000), "c", strings.Repeat("d", 200_000), "e"}
	file := frame(payloads...)
	for from := range payloads {
		for to := from; to <= len(payloads); to++ {
			in := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
			for range from {
				if _, err := in.Next(); err != nil {
					t.Fatal(err)
				}
			}
			at := int64(len(frame(payloads[:to]...)))
			err := in.SkipTo(at)
			for i := to; i < len(payloads) && err == nil; i++ {
				var p []byte
				if p, err = in.Next(); err == nil && (string(p) != payloads[i] || in.Offset() != at) {
					t.Fatalf("from %d to %d: %d bytes at %d, want record %d at %d", from, to, len(p), in.Offset(), i,
						at)
				}
				at = in.End()
			}
			if _, end := in.Next(); err != nil || end != io.EOF {
				t.Errorf("from %d to %d: %v, and at the end %v", from, to, err, end)
			}
		}
	}
}
