package tfrecord_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tfr-build/tfrecord"
)

// salvage returns all records that can be found, and the final error.
func salvage(r io.Reader, opt tfrecord.Options) (records []string, err error) {
	in := tfrecord.NewReader(r, opt)
	for {
		payload, err := in.Next()
		var corrupt *tfrecord.CorruptError
		switch {
		case err == nil:
			records = append(records, string(payload))
			continue
		case errors.As(err, &corrupt) && corrupt.Skippable:
			continue
		case errors.As(err, &corrupt):
			err = in.Resync()
		}
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
	}
}

// TestResyncEveryFlip flips each bit of a file. Resync finds all records without a flipped bit.
func TestResyncEveryFlip(t *testing.T) {
	payloads := []string{"one", "", "three", strings.Repeat("x", 70), "\x00\x00\x00\x00\x00\x00\x00\x00", "six"}
	file := frame(payloads...)
	for bit := range 8 * len(file) {
		damaged := bytes.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		at, hit := 0, 0
		for ; at+len(payloads[hit])+tfrecord.TFRecord.Overhead() <= bit/8; hit++ {
			at += len(payloads[hit]) + tfrecord.TFRecord.Overhead()
		}
		want := slices.Delete(slices.Clone(payloads), hit, hit+1)
		got, err := salvage(bytes.NewReader(damaged), tfrecord.Options{})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("bit %d: %q (%v), want %q", bit, got, err, want)
		}
	}
}

// TestResyncEveryCut removes a range of every offset and length. If bytes of a payload are removed,
// its length is still valid, and the next record is lost, too.
func TestResyncEveryCut(t *testing.T) {
	payloads := []string{"a", "bc", "def", "ghij"}
	file := frame(payloads...)
	starts := []int{0, 17, 35, 54, 74}
	for from := range len(file) {
		for to := from + 1; to <= len(file); to++ {
			damaged := slices.Delete(bytes.Clone(file), from, to)
			var want []string
			claimed := 0 // up to here, in the damaged file
			for i, p := range payloads {
				switch {
				case starts[i+1] <= from, starts[i] >= to && starts[i]-(to-from) >= claimed:
					want = append(want, p)
				case starts[i] < from && tfrecord.IsRecord(damaged[starts[i]:]):
					claimed = starts[i+1]
				}
			}
			got, err := salvage(iotest.OneByteReader(bytes.NewReader(damaged)), tfrecord.Options{})
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("without %d to %d: %q (%v), want %q", from, to, got, err, want)
			}
		}
	}
}

func TestResyncOffsets(t *testing.T) {
	file := slices.Concat(frame("one"), []byte("some bytes that do not belong"), frame("two"))
	in := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{})
	_, err := in.Next()
	if err != nil || in.Resync() != nil {
		t.Fatalf("Resync without damage: %v", err)
	}
	if _, err = in.Next(); err == nil || in.Resync() != nil {
		t.Fatalf("Resync after %v", err)
	}
	if p, err := in.Next(); err != nil || string(p) != "two" || in.Record() != 1 || in.Offset() != 48 {
		t.Errorf("%q, %v: record %d at byte %d", p, err, in.Record(), in.Offset())
	}
	if _, err := in.Next(); err != io.EOF || in.Resync() != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// members returns a gzip file with one member per list of payloads, and the offsets of the members.
func members(t *testing.T, lists ...[]string) (file []byte, starts []int) {
	for _, payloads := range lists {
		starts = append(starts, len(file))
		file = append(file, compress(t, tfrecord.Gzip, frame(payloads...))...)
	}
	return file, append(starts, len(file))
}

// TestResyncGzip damages each byte of one of three members. Resync finds all records of the other
// members, and no false records in the damaged one.
func TestResyncGzip(t *testing.T) {
	lists := [][]string{{"a1", "a2"}, {"b1", "b2", "b3"}, {"c1"}}
	file, starts := members(t, lists...)
	for hit := range lists {
		for at := starts[hit]; at < starts[hit+1]; at++ {
			if at == starts[hit]+3 {
				continue // the flags, which may claim what follows for a header of 64 KiB
			}
			damaged := bytes.Clone(file)
			damaged[at] ^= 0x55
			got, err := salvage(bytes.NewReader(damaged), tfrecord.Options{Compression: tfrecord.Gzip})
			if err != nil {
				t.Fatal(err)
			}
			var others, want []string
			for _, p := range got {
				if !slices.Contains(lists[hit], p) {
					others = append(others, p)
				}
			}
			for i, list := range lists {
				if i != hit {
					want = append(want, list...)
				}
			}
			if !slices.Equal(others, want) {
				t.Errorf("byte %d of member %d: %q, want %q", at-starts[hit], hit, got, want)
			}
		}
	}
}

func TestResyncOtherStreams(t *testing.T) {
	file, _ := members(t, []string{"one"}, []string{"two"})
	zl := compress(t, tfrecord.Zlib, frame("one"))
	for _, c := range []struct {
		name string
		file []byte
		c    tfrecord.Compression
		want []string
	}{
		{"gzip and junk", append(bytes.Clone(file), "junk that is no member"...), tfrecord.Gzip,
			[]string{"one", "two"}},
		{"gzip, junk, gzip", append(append(bytes.Clone(file), "junk"...), file...), tfrecord.Gzip,
			[]string{"one", "two", "one", "two"}},
		{"no gzip", frame("one"), tfrecord.Gzip, nil},
		{"zlib and junk", append(bytes.Clone(zl), "junk"...), tfrecord.Zlib, []string{"one"}},
		{"zlib cut", zl[:len(zl)-2], tfrecord.Zlib, []string{"one"}},
		{"text", []byte("id,name\n1,Ann\n2,Bob\n"), tfrecord.None, nil},
	} {
		got, err := salvage(bytes.NewReader(c.file), tfrecord.Options{Compression: c.c})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q (%v), want %q", c.name, got, err, c.want)
		}
	}
}

func TestResyncAboveTheLimit(t *testing.T) {
	got, err := salvage(bytes.NewReader(frame("one", "threescore", "two")), tfrecord.Options{MaxRecord: 4})
	if err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestResyncReadErrors fails after each number of bytes. That is not the end of the file.
func TestResyncReadErrors(t *testing.T) {
	errDisk := errors.New("input/output error")
	gz, _ := members(t, []string{"one", "two"}, []string{"three"})
	gz[20] ^= 0x55
	for _, c := range []struct {
		file []byte
		c    tfrecord.Compression
	}{
		{append([]byte("junk"), frame("one", "two")...), tfrecord.None}, {gz, tfrecord.Gzip},
	} {
		for n := range len(c.file) {
			r := io.MultiReader(bytes.NewReader(c.file[:n]), iotest.ErrReader(errDisk))
			if _, err := salvage(r, tfrecord.Options{Compression: c.c}); !errors.Is(err, errDisk) {
				t.Errorf("%v, an error after %d bytes: %v", c.c, n, err)
			}
		}
	}
}

// TestResyncGivesUp has a file of headers that each claim most of the file.
func TestResyncGivesUp(t *testing.T) {
	file := append([]byte{1}, bytes.Repeat(header(1<<20), 1<<18)...)
	got, err := salvage(bytes.NewReader(file), tfrecord.Options{File: "f"})
	var corrupt *tfrecord.CorruptError
	if !errors.As(err, &corrupt) || got != nil || !strings.Contains(err.Error(), "look like headers") {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// TestResyncGivesUpAgain has ranges that each stay below the limit. The limit applies to their sum.
func TestResyncGivesUpAgain(t *testing.T) {
	const tail = 8 << 20
	var file []byte
	for i := range 3 {
		file = append(append(file, 1), bytes.Repeat(header(tail), 3<<29/tail)...)
		file = append(file, frame(fmt.Sprint(i))...)
	}
	got, err := salvage(bytes.NewReader(append(file, make([]byte, tail)...)), tfrecord.Options{})
	var corrupt *tfrecord.CorruptError
	if !errors.As(err, &corrupt) || !slices.Equal(got, []string{"0"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestResyncMemory has a header that claims far more than the file has.
func TestResyncMemory(t *testing.T) {
	file := append(append([]byte("junk"), header(1<<31-20)...), make([]byte, 100_000)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := salvage(bytes.NewReader(file), tfrecord.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("allocated %d bytes for a file of %d", n, len(file))
	}
}

// FuzzResync salvages any bytes. It must end, and find no record twice or out of order.
func FuzzResync(f *testing.F) {
	file := frame("one", "", "three")
	f.Add(append([]byte("junk"), file...), uint8(0))
	f.Add(append(header(1<<60), file...), uint8(0))
	f.Add(append(compress(f, tfrecord.Gzip, file), compress(f, tfrecord.Gzip, file)...), uint8(1))
	f.Add(compress(f, tfrecord.Zlib, file), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, c uint8) {
		compression := tfrecord.Compression(c % 3)
		records, err := salvage(bytes.NewReader(data), tfrecord.Options{Compression: compression, MaxRecord: 1 << 20})
		var corrupt *tfrecord.CorruptError
		if err != nil && !errors.As(err, &corrupt) {
			t.Fatal(err)
		}
		if compression != tfrecord.None {
			return
		}
		rest := data
		for i, r := range records {
			at := bytes.Index(rest, frame(r))
			if at < 0 {
				t.Fatalf("record %d, %q, is not where it should be", i, r)
			}
			rest = rest[at+len(r)+tfrecord.TFRecord.Overhead():]
		}
	})
}

func BenchmarkResync(b *testing.B) {
	for _, c := range []struct {
		name string
		fill func(i int) byte
	}{{"zeros", func(int) byte { return 0 }}, {"noise", func(i int) byte { return byte(i * i >> 3) }}} {
		b.Run(c.name, func(b *testing.B) {
			data := make([]byte, 8<<20)
			for i := range data {
				data[i] = c.fill(i)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if got, err := salvage(bytes.NewReader(data), tfrecord.Options{}); err != nil || got != nil {
					b.Fatal(fmt.Sprint(got, err))
				}
			}
		})
	}
}
