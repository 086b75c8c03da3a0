package tfrecord_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"tfr-build/tfrecord"
)

func header(length uint64) []byte {
	// The checksum comes from a frame whose payload is these 8 bytes.
	h := binary.LittleEndian.AppendUint64(nil, length)
	framed := tfrecord.TFRecord.Append(nil, h)
	return append(h, framed[len(framed)-4:]...)
}

// TestClaimedLength reads headers with a valid checksum and a wrong length. The memory must depend
// on the existing bytes.
func TestClaimedLength(t *testing.T) {
	for _, length := range []uint64{1 << 30, 1 << 60, math.MaxInt64, math.MaxUint64} {
		for _, there := range []int{88, 100_000} {
			file := append(header(length), make([]byte, there)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readAll(bytes.NewReader(file), tfrecord.Options{})
			runtime.ReadMemStats(&after)
			var corrupt *tfrecord.CorruptError
			if !errors.As(err, &corrupt) || corrupt.Record != 0 {
				t.Errorf("length %d: %v", length, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 128<<10+4*uint64(there) {
				t.Errorf("length %d: allocated %d bytes for a file of %d", length, n, len(file))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	one := frame("one")
	wrong := bytes.Clone(one)
	wrong[8] ^= 1
	gz := compress(t, tfrecord.Gzip, one)
	zl := compress(t, tfrecord.Zlib, one)
	badSum := bytes.Clone(gz)
	badSum[len(badSum)-5] ^= 1
	for _, c := range []struct {
		name string
		file []byte
		opt  tfrecord.Options
		want string
	}{
		{"text", []byte("id,name\n1,Ann\n2,Bob\n"), tfrecord.Options{File: "a.csv"},
			"a.csv: record 0 at byte 0: the length's checksum is wrong: this may be no TFRecord file"},
		{"gzip unasked", gz, tfrecord.Options{}, "record 0 at byte 0: the length's checksum is wrong: this looks " +
			"like gzip"},
		{"few bytes after", append(frame("one"), "abc"...), tfrecord.Options{},
			"record 1 at byte 19: the file ends within its header, after 3 bytes of the record"},
		{"bytes after", append(frame("one"), "abcdefghijklmnop"...), tfrecord.Options{},
			"record 1 at byte 19: the length's checksum is wrong"},
		{"zeros after", append(frame("one"), make([]byte, 512)...), tfrecord.Options{},
			"record 1 at byte 19: zeros instead of a header"},
		{"cut payload", one[:17], tfrecord.Options{},
			"record 0 at byte 0: the file ends within its payload, after 17 bytes of the record"},
		{"above the limit", frame("one", "three"), tfrecord.Options{MaxRecord: 4},
			"record 1 at byte 19: its length 5 is above the limit of 4 bytes"},
		{"no gzip", one, tfrecord.Options{Compression: tfrecord.Gzip},
			"record 0 at byte 0: this is not a gzip file: gzip: invalid header"},
		{"no zlib", one, tfrecord.Options{Compression: tfrecord.Zlib},
			"record 0 at byte 0: this is not a zlib file: zlib: invalid header"},
		{"gzip cut", gz[:len(gz)-3], tfrecord.Options{Compression: tfrecord.Gzip},
			"record 1 at byte 19: the gzip stream is cut off: unexpected EOF"},
		{"gzip cut in its header", gz[:4], tfrecord.Options{Compression: tfrecord.Gzip},
			"record 0 at byte 0: the gzip stream is cut off: unexpected EOF"},
		{"gzip checksum", badSum, tfrecord.Options{Compression: tfrecord.Gzip},
			"record 1 at byte 19: the gzip stream is damaged: gzip: invalid checksum"},
		{"gzip and more", append(bytes.Clone(gz), "abc"...), tfrecord.Options{Compression: tfrecord.Gzip},
			"record 1 at byte 19: what follows the gzip stream is not gzip"},
		{"gzip and zeros", append(bytes.Clone(gz), 0), tfrecord.Options{Compression: tfrecord.Gzip},
			"record 1 at byte 19: what follows the gzip stream is not gzip"},
		{"zlib cut", zl[:len(zl)-1], tfrecord.Options{Compression: tfrecord.Zlib},
			"record 1 at byte 19: the zlib stream is cut off: unexpected EOF"},
		{"two zlib streams", append(bytes.Clone(zl), zl...), tfrecord.Options{Compression: tfrecord.Zlib},
			"record 1 at byte 19: bytes follow the zlib stream, which TensorFlow would drop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readAll(bytes.NewReader(c.file), c.opt)
			var corrupt *tfrecord.CorruptError
			if !errors.As(err, &corrupt) || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// FuzzReader reads any bytes. The Reader must end, find the records that a simple loop over the
// bytes finds, write back what it read, and copy the same.
func FuzzReader(f *testing.F) {
	for _, v := range vectors {
		f.Add(unhex(f, v.framed), uint8(0))
	}
	file := frame("one", "", "three")
	f.Add(compress(f, tfrecord.Gzip, file), uint8(1))
	f.Add(compress(f, tfrecord.Zlib, file), uint8(2))
	f.Add(append(header(1<<60), 1, 2, 3), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, c uint8) {
		compression := tfrecord.Compression(c % 3)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		opt := tfrecord.Options{Compression: compression, MaxRecord: 4 << 20}
		records, err := readAll(bytes.NewReader(data), opt)
		runtime.ReadMemStats(&after)
		// A byte of deflate decompresses to at most 1032 bytes.
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20+8*1032*uint64(len(data)) {
			t.Fatalf("allocated %d bytes for %d", n, len(data))
		}
		var corrupt *tfrecord.CorruptError
		if err != nil && !errors.As(err, &corrupt) {
			t.Fatal(err)
		}
		copied, copyErr := copyAll(bytes.NewReader(data), opt)
		if len(copied) < len(records) || !slices.Equal(copied[:len(records)], records) || err == nil && copyErr != nil {
			t.Fatalf("read %q (%v), copied %q (%v)", records, err, copied, copyErr)
		}
		written := frame(records...)
		if compression == tfrecord.None && !bytes.HasPrefix(data, written) {
			t.Fatalf("read %q, which is not how %x begins", records, data)
		}
		if compression == tfrecord.None && err == nil && len(written) != len(data) {
			t.Fatalf("%d of %d bytes are records, and nothing was said", len(written), len(data))
		}
		checkRecords(t, written, tfrecord.None, records...)
	})
}
