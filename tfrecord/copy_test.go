package tfrecord_test

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tfr-build/tfrecord"
)

// copyAll returns the bytes that Copy writes for each record, and the final error. It skips damaged
// payloads.
func copyAll(r io.Reader, opt tfrecord.Options) (records []string, err error) {
	in := tfrecord.NewReader(r, opt)
	for {
		var b strings.Builder
		n, err := in.Copy(&b)
		var corrupt *tfrecord.CorruptError
		switch {
		case err == io.EOF:
			return records, nil
		case err == nil && n != int64(b.Len()):
			return records, errors.New("wrote another number of bytes")
		case err == nil:
			records = append(records, b.String())
		case !errors.As(err, &corrupt) || !corrupt.Skippable:
			return records, err
		}
	}
}

// longs are payloads just below and above the size of a chunk.
func longs() []string {
	text := strings.Repeat("0123456789abcdef", 1<<16)
	return []string{"one", text, "", text + "x", text[1:] + text + text, "end"}
}

func TestCopy(t *testing.T) {
	want := longs()
	file := frame(want...)
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		data := file
		if c != tfrecord.None {
			data = compress(t, c, file)
		}
		if got, err := copyAll(iotest.HalfReader(bytes.NewReader(data)),
			tfrecord.Options{Compression: c}); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %d records, %v", c, len(got), err)
		}
		var b bytes.Buffer
		in, out := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{Compression: c}), tfrecord.NewWriter(&b,
			tfrecord.TFRecord, c)
		err := out.Copy(in)
		for ; err == nil; err = out.Copy(in) {
		}
		if err != io.EOF || out.Close() != nil {
			t.Fatal(err)
		}
		checkRecords(t, b.Bytes(), c, want...)
	}
}

// TestCopyFailsLikeNext reads files with every kind of damage of a long record. Copy and Next
// return the same errors.
func TestCopyFailsLikeNext(t *testing.T) {
	file := frame(longs()...)
	starts := []int{0, 19, 19 + 16 + 1<<20, 19 + 32 + 1<<20}
	long := starts[3] // the first that is copied in pieces
	var damaged [][]byte
	for _, at := range []int{long, long + 11, long + 12, long + 12 + 1<<20, long + 13 + 1<<20, long + 16 + 1<<20} {
		damaged = append(damaged, file[:at], slices.Concat(file[:at], []byte{file[at] ^ 1}, file[at+1:]))
	}
	for i, data := range damaged {
		next, copied := tfrecord.NewReader(bytes.NewReader(data),
			tfrecord.Options{}), tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{})
		for range 8 {
			payload, want := next.Next()
			var b bytes.Buffer
			_, got := copied.Copy(&b)
			if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() || want == nil &&
				!bytes.Equal(b.Bytes(), payload) {
				t.Fatalf("file %d: Copy says %v, Next %v", i, got, want)
			}
			if want == nil && (copied.Record() != next.Record() || copied.Offset() != next.Offset() ||
				copied.End() != next.End()) {
				t.Errorf("file %d: Copy is at record %d, from %d to %d; Next at %d, from %d to %d", i,
					copied.Record(), copied.Offset(), copied.End(), next.Record(), next.Offset(), next.End())
			}
		}
	}
}

func TestLength(t *testing.T) {
	r := tfrecord.NewReader(bytes.NewReader(frame("abc", "")), tfrecord.Options{})
	for i, want := range []int64{3, 0} {
		for range 2 {
			if n, err := r.Length(); err != nil || n != want || r.Record() != int64(i) || r.Offset() != int64(19*i) {
				t.Errorf("record %d: %d bytes (%v), record %d at %d", i, n, err, r.Record(), r.Offset())
			}
		}
		if payload, err := r.Next(); err != nil || int64(len(payload)) != want {
			t.Errorf("record %d: %q, %v", i, payload, err)
		}
	}
	if _, err := r.Length(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if _, err := r.Copy(io.Discard); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestWriterCopyFails has a truncated record, and a writer that fails. The Writer returns the error
// from then on.
func TestWriterCopyFails(t *testing.T) {
	file := frame(longs()...)
	file[len(file)-100] ^= 1 // in the third long one
	out := tfrecord.NewWriter(io.Discard, tfrecord.TFRecord, tfrecord.None)
	in := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
	for range 4 {
		if err := out.Copy(in); err != nil {
			t.Fatal(err)
		}
	}
	var corrupt *tfrecord.CorruptError
	if err := out.Copy(in); !errors.As(err, &corrupt) || !corrupt.Skippable || out.Copy(in) != err ||
		out.Close() != err {
		t.Errorf("a damaged payload: %v", err)
	}
	errFull := errors.New("no space left")
	for _, payload := range []string{"short", longs()[4]} {
		in := tfrecord.NewReader(bytes.NewReader(frame(payload)), tfrecord.Options{})
		if _, err := in.Copy(failing{errFull}); err != errFull {
			t.Errorf("copied %d bytes: %v", len(payload), err)
		}
		if _, err := in.Next(); err != errFull {
			t.Errorf("after that: %v", err)
		}
		out := tfrecord.NewWriter(failing{errFull}, tfrecord.TFRecord, tfrecord.None)
		if err := errors.Join(out.Write([]byte(payload)), out.Close()); !errors.Is(err, errFull) {
			t.Errorf("wrote %d bytes: %v", len(payload), err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// zeros returns a file with one record of n zeros, without keeping it in memory.
func zeros(n int64) io.Reader {
	crc := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	_, _ = io.Copy(crc, io.LimitReader(nulls{}, n))
	sum := crc.Sum32()
	sum = sum>>15 | sum<<17
	sum += 0xa282ead8
	footer := []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}
	return io.MultiReader(bytes.NewReader(header(uint64(n))), io.LimitReader(nulls{}, n), bytes.NewReader(footer))
}

type nulls struct{}

func (nulls) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestCopyMemory copies a long record, and searches past one. Neither keeps the record in memory.
// Next needs little more memory than the record.
func TestCopyMemory(t *testing.T) {
	const n = tfrecord.MaxInMemory + 1
	for name, file := range map[string]io.Reader{
		"copied": zeros(n),
		"found":  io.MultiReader(strings.NewReader("junk"), zeros(n), bytes.NewReader(frame("end"))),
	} {
		got := allocated(func() {
			in, out := tfrecord.NewReader(file, tfrecord.Options{}), tfrecord.NewWriter(io.Discard, tfrecord.TFRecord,
				tfrecord.None)
			if name == "found" {
				if _, err := in.Next(); err == nil || in.Resync() != nil {
					t.Errorf("found: %v", err)
				}
			}
			if err := out.Copy(in); err != nil || in.End()-in.Offset() != n+int64(tfrecord.TFRecord.Overhead()) {
				t.Errorf("%s: %v, a record from %d to %d", name, err, in.Offset(), in.End())
			}
			if name == "found" {
				if p, err := in.Next(); err != nil || string(p) != "end" {
					t.Errorf("after what was found: %q, %v", p, err)
				}
			}
		})
		if got > 1<<20 {
			t.Errorf("%s: allocated %d bytes", name, got)
		}
	}
	const held = 20 << 20
	var in *tfrecord.Reader
	if got := allocated(func() {
		in = tfrecord.NewReader(zeros(held), tfrecord.Options{})
		if _, err := in.Next(); err != nil {
			t.Error(err)
		}
	}); got > 3*held {
		t.Errorf("allocated %d bytes for a record of %d", got, held)
	}
}
