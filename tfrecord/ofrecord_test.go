package tfrecord_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tfr-build/tfrecord"
)

func ofFrame(payloads ...string) (file []byte) {
	for _, p := range payloads {
		file = tfrecord.OFRecord.Append(file, []byte(p))
	}
	return file
}

// isText is the Accepts of these tests: a message is "<" and ">" around bytes without either.
func isText(payload []byte, size int64) bool {
	if payload[0] != '<' {
		return false
	}
	inner := payload[1:]
	if int64(len(payload)) == size {
		if size < 2 || inner[len(inner)-1] != '>' {
			return false
		}
		inner = inner[:len(inner)-1]
	}
	return !bytes.ContainsAny(inner, "<>\x00")
}

var ofOptions = tfrecord.Options{File: "part-0", Framing: tfrecord.OFRecord, Accepts: isText}

// TestOFRecordVector compares the framing with a record of OneFlow.
func TestOFRecordVector(t *testing.T) {
	payload := unhex(t, "0a140a0b636c6173732f6c6162656c120522030a01070a120a07656e636f64656412070a050a03ffd8ff")
	want := append(unhex(t, "2a00000000000000"), payload...)
	batch := tfrecord.Batch{Framing: tfrecord.OFRecord}
	batched := batch.End(append(batch.Begin(nil), payload...))
	batch.Seal(batched)
	var written bytes.Buffer
	w := tfrecord.NewWriter(&written, tfrecord.OFRecord, tfrecord.None)
	if err := errors.Join(w.Write(payload), w.Close()); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"Append": tfrecord.OFRecord.Append(nil, payload), "Batch": batched,
		"Writer": written.Bytes()} {
		if !bytes.Equal(got, want) {
			t.Errorf("%s gives %x, want %x", name, got, want)
		}
	}
	if n := tfrecord.OFRecord.Overhead(); n != len(want)-len(payload) {
		t.Errorf("Overhead is %d", n)
	}
	got, err := readAll(bytes.NewReader(want), tfrecord.Options{Framing: tfrecord.OFRecord})
	if err != nil || !slices.Equal(got, []string{string(payload)}) {
		t.Errorf("%x, %v", got, err)
	}
}

// TestOFRecordBatch compares batches with records that are framed one by one. It cancels each third
// record.
func TestOFRecordBatch(t *testing.T) {
	for _, size := range []int{1, 3, 16} {
		batch := tfrecord.Batch{Framing: tfrecord.OFRecord}
		buf, want := []byte("before"), []byte("before")
		for i := range 100 {
			payload := bytes.Repeat([]byte{byte(i)}, 1+i*7%50)
			buf = append(batch.Begin(buf), payload...)
			if i%3 == 0 {
				buf = batch.Cancel(buf)
			} else {
				buf = batch.End(buf)
				want = tfrecord.OFRecord.Append(want, payload)
			}
			if i%size == 0 {
				batch.Seal(buf)
			}
		}
		if batch.Seal(buf); !bytes.Equal(buf, want) {
			t.Fatalf("a batch of %d records has other bytes", size)
		}
	}
}

func TestOFRecordIsNeverEmpty(t *testing.T) {
	w := tfrecord.NewWriter(io.Discard, tfrecord.OFRecord, tfrecord.None)
	if err := w.Write(nil); err == nil || w.Close() == nil {
		t.Error("an empty record was written")
	}
}

// TestOFRecordCopy copies long and short records between all framings.
func TestOFRecordCopy(t *testing.T) {
	want := slices.DeleteFunc(longs(), func(p string) bool { return p == "" })
	for _, from := range []tfrecord.Framing{tfrecord.TFRecord, tfrecord.OFRecord} {
		var file []byte
		for _, p := range want {
			file = from.Append(file, []byte(p))
		}
		if got, err := copyAll(iotest.HalfReader(bytes.NewReader(file)), tfrecord.Options{Framing: from}); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("%v: %d records, %v", from, len(got), err)
		}
		for _, to := range []tfrecord.Framing{tfrecord.TFRecord, tfrecord.OFRecord} {
			var b bytes.Buffer
			in, out := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{Framing: from}),
				tfrecord.NewWriter(&b, to, tfrecord.None)
			err := out.Copy(in)
			for ; err == nil; err = out.Copy(in) {
			}
			if err != io.EOF || out.Close() != nil {
				t.Fatal(err)
			}
			if got, err := readAll(&b, tfrecord.Options{Framing: to}); err != nil || !slices.Equal(got, want) {
				t.Errorf("%v to %v: %d records, %v", from, to, len(got), err)
			}
		}
	}
}

func TestOFRecordErrors(t *testing.T) {
	length := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	one := ofFrame("<one>")
	limited := ofOptions
	limited.MaxRecord = 4
	for _, c := range []struct {
		name string
		file []byte
		opt  tfrecord.Options
		want string
	}{
		{"no length", length(0), ofOptions,
			"part-0: record 0 at byte 0: its length is 0; expected at least 1: this may be no OFRecord file"},
		{"a negative one", append(one, length(-7)...), ofOptions,
			"part-0: record 1 at byte 13: its length is -7; expected at least 1"},
		{"cut in the length", append(one, 1, 2, 3), ofOptions,
			"part-0: record 1 at byte 13: the file ends within its length, after 3 bytes of the record"},
		{"cut in the payload", one[:12], ofOptions,
			"part-0: record 0 at byte 0: the file ends within its payload, after 12 bytes of the record"},
		{"no payload", length(5), ofOptions,
			"part-0: record 0 at byte 0: the file ends within its payload, after 8 bytes of the record"},
		{"a length beyond any file", length(math.MaxInt64), ofOptions,
			"part-0: record 0 at byte 0: its length 9223372036854775807 is beyond any file"},
		{"a length above the limit", one, limited, "part-0: record 0 at byte 0: its length 5 is above the limit of 4 " +
			"bytes"},
		{"no message", ofFrame("<one>", "two"), ofOptions,
			"part-0: record 1 at byte 13: the 3 bytes of its payload are not a complete record"},
	} {
		_, err := readAll(bytes.NewReader(c.file), c.opt)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		var corrupt *tfrecord.CorruptError
		if errors.As(err, &corrupt) && corrupt.Skippable {
			t.Errorf("%s: nothing says where the next record begins", c.name)
		}
	}
}

// TestOFRecordClaimedLength has lengths above the size of the file. The memory must depend on the
// existing bytes.
func TestOFRecordClaimedLength(t *testing.T) {
	for _, claimed := range []uint64{1 << 30, 1 << 60} {
		file := append(binary.LittleEndian.AppendUint64(nil, claimed), make([]byte, 100_000)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readAll(bytes.NewReader(file), ofOptions)
		runtime.ReadMemStats(&after)
		if !errors.As(err, new(*tfrecord.CorruptError)) {
			t.Errorf("length %d: %v", claimed, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 600_000 {
			t.Errorf("length %d: allocated %d bytes for a file of %d", claimed, n, len(file))
		}
	}
}

// TestOFRecordWrongLengthIsNotRead has a wrong length within the size of the file. It is detected
// before all of its bytes are read.
func TestOFRecordWrongLengthIsNotRead(t *testing.T) {
	file := slices.Concat(ofFrame("<one>"), ofFrame("<two>"), make([]byte, 64<<20))
	file[3] = 2 // 32 MiB more
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readAll(bytes.NewReader(file), ofOptions)
	runtime.ReadMemStats(&after)
	if !errors.As(err, new(*tfrecord.CorruptError)) {
		t.Errorf("got %v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("allocated %d bytes", n)
	}
}

// TestOFRecordResyncEveryFlip flips each bit of a file. Resync finds each record that has no
// flipped bit in it or directly before it. It finds a record with a flipped bit only if the record
// is still a message, because nothing in the file can detect that.
func TestOFRecordResyncEveryFlip(t *testing.T) {
	payloads := []string{"<one>", "<>", "<three>", "<" + strings.Repeat("x", 70) + ">", "<12345678>", "<six>"}
	file := ofFrame(payloads...)
	for bit := range 8 * len(file) {
		damaged := bytes.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		at, hit := 0, 0
		for ; at+len(payloads[hit])+8 <= bit/8; hit++ {
			at += len(payloads[hit]) + 8
		}
		got, err := salvage(iotest.OneByteReader(bytes.NewReader(damaged)), ofOptions)
		if err != nil {
			t.Fatal(err)
		}
		got = slices.DeleteFunc(got, func(p string) bool { return !slices.Contains(payloads, p) })
		if want := slices.Delete(slices.Clone(payloads), hit, hit+1); !slices.Equal(got, want) {
			t.Fatalf("bit %d, of record %d: %q, want %q", bit, hit, got, want)
		}
	}
}

// TestOFRecordResyncEveryCut removes a range of every offset and length. Resync finds the records
// after it.
func TestOFRecordResyncEveryCut(t *testing.T) {
	payloads := []string{"<a>", "<bc>", "<def>", "<ghij>"}
	file := ofFrame(payloads...)
	starts := []int{0, 11, 23, 36, 50}
	for from := range len(file) {
		for to := from + 1; to <= len(file); to++ {
			var want []string
			for i, p := range payloads {
				if starts[i+1] <= from || starts[i] >= to {
					want = append(want, p)
				}
			}
			got, err := salvage(bytes.NewReader(slices.Delete(bytes.Clone(file), from, to)), ofOptions)
			got = slices.DeleteFunc(got, func(p string) bool { return !slices.Contains(want, p) })
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("without %d to %d: %q (%v), want %q", from, to, got, err, want)
			}
		}
	}
}

// TestOFRecordResync has bytes that look like a record and are not.
func TestOFRecordResync(t *testing.T) {
	zero := make([]byte, 8)
	for name, c := range map[string]struct {
		file []byte
		want []string
	}{
		"a length of zeros before": {slices.Concat(zero, zero, ofFrame("<a>", "<b>")), []string{"<a>", "<b>"}},
		"no record follows":        {slices.Concat(zero, ofFrame("<a>"), zero, ofFrame("<b>")), []string{"<b>"}},
		"some bytes follow":        {slices.Concat(zero, ofFrame("<a>"), zero[1:]), []string{"<a>"}},
		"a length beyond the file": {slices.Concat(zero, ofFrame("<a" + strings.Repeat("x", 300))[:200],
			ofFrame("<b>")), []string{"<b>"}},
		"nothing": {zero, nil},
	} {
		for _, r := range []io.Reader{bytes.NewReader(c.file), iotest.OneByteReader(bytes.NewReader(c.file))} {
			if got, err := salvage(r, ofOptions); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
			}
		}
	}
	blind := ofOptions
	blind.Accepts = nil
	if got, err := salvage(bytes.NewReader(slices.Concat(zero, ofFrame("<a>"))), blind); err != nil || got != nil {
		t.Errorf("without Accepts: %q (%v)", got, err)
	}
}

// TestOFRecordResyncBounded has a file in which a record seems to begin at each byte, unless all of
// it is read. The search must end.
func TestOFRecordResyncBounded(t *testing.T) {
	greedy := ofOptions
	asked := int64(0)
	greedy.Accepts = func(payload []byte, size int64) bool {
		asked += int64(len(payload))
		return int64(len(payload)) < size
	}
	file := bytes.Repeat([]byte{1, 0, 8, 0, 0, 0, 0, 0}, 1<<20)
	_, err := salvage(bytes.NewReader(file), greedy)
	if !errors.As(err, new(*tfrecord.CorruptError)) || asked > 3<<30 {
		t.Errorf("%d bytes were asked about: %v", asked, err)
	}
}

func TestFramingString(t *testing.T) {
	for f, want := range map[tfrecord.Framing]string{tfrecord.TFRecord: "tfrecord", tfrecord.OFRecord: "ofrecord",
		9: "Framing(9)"} {
		if got := f.String(); got != want {
			t.Errorf("framing %d is called %s, want %s", f, got, want)
		}
	}
}

func FuzzOFRecord(f *testing.F) {
	file := ofFrame("<one>", "<>", "<"+strings.Repeat("x", 40)+">")
	f.Add(file)
	f.Add(file[3:])
	f.Add(slices.Concat([]byte{200, 0, 0, 0, 0, 0, 0, 0, '<'}, file))
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<40))
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		records, err := readAll(bytes.NewReader(data), ofOptions)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+16*uint64(len(data)) {
			t.Fatalf("allocated %d bytes for %d", n, len(data))
		}
		written := ofFrame(records...)
		if !bytes.HasPrefix(data, written) || err == nil && len(written) != len(data) || err != nil &&
			!errors.As(err, new(*tfrecord.CorruptError)) {
			t.Fatalf("read %q (%v) of %q", records, err, data)
		}
		found, err := salvage(iotest.OneByteReader(bytes.NewReader(data)), ofOptions)
		if err != nil || len(found) < len(records) || !slices.Equal(found[:len(records)], records) {
			t.Fatalf("read %q, and found %q (%v)", records, found, err)
		}
		rest := data
		for i, r := range found {
			at := bytes.Index(rest, ofFrame(r))
			if at < 0 || !isText([]byte(r), int64(len(r))) {
				t.Fatalf("record %d, %q, is not where it should be", i, r)
			}
			rest = rest[at+len(r)+tfrecord.OFRecord.Overhead():]
		}
	})
}

func BenchmarkOFRecordResync(b *testing.B) {
	for name, fill := range map[string]func(i int) byte{
		"zeros": func(int) byte { return 0 },
		"noise": func(i int) byte { return byte(i * i >> 3) },
		"sparse": func(i int) byte { // looks like lengths at many places
			if i%97 == 0 {
				return byte(i)
			}
			return 0
		},
	} {
		b.Run(name, func(b *testing.B) {
			data := make([]byte, 8<<20)
			for i := range data {
				data[i] = fill(i)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if got, err := salvage(bytes.NewReader(data), ofOptions); err != nil || got != nil {
					b.Fatal(got, err)
				}
			}
		})
	}
}

// TestOFRecordGivesUp has records that are found to be invalid at their ends, and short records
// between them. Bytes that Next checked count toward the limit.
func TestOFRecordGivesUp(t *testing.T) {
	const long = 8 << 20
	var file []byte
	for range 400 {
		file = binary.LittleEndian.AppendUint64(file, long)
		file = tfrecord.OFRecord.Append(file, []byte("a"))
	}
	whole := func(payload []byte, size int64) bool { return size == 1 || size == long && int64(len(payload)) < size }
	got, err := salvage(bytes.NewReader(append(file, make([]byte, long)...)),
		tfrecord.Options{Framing: tfrecord.OFRecord, Accepts: whole})
	var corrupt *tfrecord.CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), "look like headers") || len(got) > 300 {
		t.Errorf("%d records, %v", len(got), err)
	}
}
