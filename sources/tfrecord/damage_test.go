package tfrecord_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// someRecords returns a file of n records. The payload of one has records itself.
func someRecords(f tfrecord.Framing, n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var file []byte
	for i := range n {
		payload := make([]byte, r.IntN(40))
		for k := range payload {
			payload[k] = byte(r.Uint32())
		}
		if f == tfrecord.OFRecord {
			payload = nested(1, slices.Concat(nested(1, []byte("a")), nested(2, nested(1, nested(1, payload)))))
		}
		if i == n/2 && f == tfrecord.TFRecord {
			payload = slices.Clone(file)
		}
		file = f.Append(file, payload)
	}
	return string(file)
}

// nested returns a field of a message with bytes.
func nested(number byte, content []byte) []byte {
	return append([]byte{number<<3 | 2, byte(len(content))}, content...)
}

// TestEveryFlip changes each byte of a file, or every third. The reader must notice, and both ways
// to find rows must agree.
func TestEveryFlip(t *testing.T) {
	file := someRecords(tfrecord.TFRecord, 8)
	for at := 0; at < len(file); at += testenv.Times(3, 1, 1) {
		for _, bit := range []byte{1, 0x80} {
			b := []byte(file)
			b[at] ^= bit
			in := open(t, "a", "tfrecord", string(b))
			rows := sequential(t, in)
			if !slices.ContainsFunc(rows, func(r row) bool { return r.what == "RECORD_DAMAGED" }) {
				t.Fatalf("byte %d changed is not noticed: %v", at, rows)
			}
			for _, step := range []int{1, 7, 100, 10000} {
				if got := found(t, in, step); !slices.Equal(got, rows) {
					t.Fatalf("byte %d changed, steps of %d:\n got %v\nwant %v", at, step, got, rows)
				}
			}
		}
	}
}

// TestEveryCut truncates a file at each byte, or at every third.
func TestEveryCut(t *testing.T) {
	for name, file := range map[string]string{"tfrecord": someRecords(tfrecord.TFRecord, 6),
		"ofrecord": someRecords(tfrecord.OFRecord, 6)} {
		ends := map[int]bool{0: true}
		for _, r := range sequential(t, open(t, "a", name, file)) {
			ends[int(r.offset)] = true
		}
		for n := 0; n < len(file); n += testenv.Times(3, 1, 1) {
			in := open(t, "a", name, file[:n])
			rows := sequential(t, in)
			if cut := slices.ContainsFunc(rows, func(r row) bool { return !r.good }); cut == ends[n] {
				t.Fatalf("%s cut off at %d: %v", name, n, rows)
			}
			for _, step := range []int{1, 10, 10000} {
				if got := found(t, in, step); !slices.Equal(got, rows) {
					t.Fatalf("%s cut off at %d, steps of %d:\n got %v\nwant %v", name, n, step, got, rows)
				}
			}
		}
	}
}

// TestManyDamagedRanges has damaged ranges that each take less than the limit of a file's search.
// Beyond the limit, both ways to find rows stop searching.
func TestManyDamagedRanges(t *testing.T) {
	const tail = 8 << 20
	claim := tfrecord.TFRecord.Append(nil, make([]byte, tail))[:12]
	var file []byte
	for i := range 3 {
		file = append(append(file, 1), bytes.Repeat(claim, 3<<29/tail)...)
		file = tfrecord.TFRecord.Append(file, []byte{'0' + byte(i)})
	}
	in := open(t, "a", "tfrecord", string(append(file, make([]byte, tail)...)))
	rows := sequential(t, in)
	if len(rows) != 3 || rows[1].what != "0" || rows[2].good {
		t.Errorf("%v", rows)
	}
	if got := found(t, in, 1<<20); !slices.Equal(got, rows) {
		t.Errorf("found  %v\nin order %v", got, rows)
	}
}

// packed writes a compressed file with these members.
func packed(t *testing.T, c tfrecord.Compression, members ...string) string {
	t.Helper()
	compress := filetest.Gzip
	if c == tfrecord.Zlib {
		compress = filetest.Zlib
	}
	file := ""
	for _, m := range members {
		file += compress(m)
	}
	return file
}

// TestRowsMatchSalvage damages files at random. The valid rows are the records that verify -salvage
// saves.
func TestRowsMatchSalvage(t *testing.T) {
	third := someRecords(tfrecord.TFRecord, 6)
	files := map[string]string{
		"a.tfrecord": third + third,
		"a.gz":       packed(t, tfrecord.Gzip, third, third, third),
		"a.zlib":     packed(t, tfrecord.Zlib, third+third),
		"part-0":     someRecords(tfrecord.OFRecord, 9),
	}
	for name, file := range files {
		r := rand.New(rand.NewPCG(3, 4))
		format := "tfrecord"
		if name == "part-0" {
			format = "ofrecord"
		}
		for i := range testenv.Times(40, 1000, 3000) {
			b := []byte(file)
			if i > 0 {
				mutate(r, &b)
			}
			path := filepath.Join(t.TempDir(), name)
			testenv.Put(t, path, string(b))
			var got []string
			for _, r := range sequential(t, reopen(t, path, format)) {
				if r.good {
					got = append(got, r.what)
				}
			}
			if want := salvaged(t, path, format); !slices.Equal(got, want) {
				t.Fatalf("%s %x:\n got %q\nwant %q", name, b, got, want)
			}
		}
	}
}

// mutate changes, removes, or adds a few bytes.
func mutate(r *rand.Rand, b *[]byte) {
	for range 1 + r.IntN(3) {
		if len(*b) == 0 {
			return
		}
		at := r.IntN(len(*b))
		switch n := 1 + r.IntN(20); r.IntN(4) {
		case 0:
			*b = slices.Delete(*b, at, min(at+n, len(*b)))
		case 1:
			*b = slices.Insert(*b, at, []byte(strings.Repeat("\x00", n))...)
		case 2:
			*b = (*b)[:at+1]
		default:
			(*b)[at] ^= byte(1 << r.IntN(8))
		}
	}
}

// salvaged returns the records that verify saves from a file; all records of an intact file.
func salvaged(t *testing.T, path, format string) (payloads []string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "saved")
	s, err := dataset.NewSalvage(dir)
	if err != nil {
		t.Fatal(err)
	}
	from := path
	_, err = dataset.VerifyRecords(t.Context(), path, dataset.VerifyOptions{
		Salvage: s, Report: func(*dataset.DamageError) {},
		Salvaged: func(s dataset.Salvaged) { from = s.Path },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range sequential(t, reopen(t, from, format)) {
		if !r.good && from != path {
			t.Fatalf("what is saved is damaged: %v", r)
		}
		payloads = append(payloads, r.what)
	}
	return payloads
}

// TestGzipDamage loses only one member of a gzip file.
func TestGzipDamage(t *testing.T) {
	record := func(text string) string { return string(tfrecord.TFRecord.Append(nil, []byte(text))) }
	first, second, third := packed(t, tfrecord.Gzip, record("one")), packed(t, tfrecord.Gzip, record("two")), packed(t,
		tfrecord.Gzip, record("three"))
	b := []byte(first + second + third)
	b[len(first)+10] ^= 0xff // the first byte that is compressed
	rows := sequential(t, open(t, "a.gz", "tfrecord", string(b)))
	if got := fmt.Sprint(rows); got != "[{0 one true} {19 RECORD_DAMAGED false} {20 three true}]" {
		t.Error(got)
	}
}
