package table_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
	"tfr-build/sources/text"
)

// TestErrorCodes reads invalid files.
func TestErrorCodes(t *testing.T) {
	whole := filetest.Gzip(strings.Repeat("a\n1\n", 1000))
	dir := testenv.Directory(t, map[string]string{
		"cut.csv": whole[:len(whole)-4], "behind.csv": whole + "junk",
		"wrong.csv": whole[:len(whole)-5] + "~" + whole[len(whole)-4:],
		"cut.zst":   "\x28\xb5\x2f\xfd\x20",
		"wrong.zst": "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"cut.bz2":   "BZh91AY&SY", "wrong.bz2": "BZh91AY&SY" + strings.Repeat("x", 300),
		"members.csv": whole + whole, "text.csv": "BZh9,b\n1,2\n",
		"skippable.zst": "\x5f\x2a\x4d\x18\x02\x00\x00\x00xx\x28\xb5\x2f\xfd\x00\x00\x19\x00\x00a\n1",
		"empty.bz2":     "BZh9\x17rE8P\x90\x00\x00\x00\x00", "gone.csv": "a\n1\n",
	})
	if err := errors.Join(unix.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o666),
		os.Symlink("nowhere", filepath.Join(dir, "link.csv"))); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"cut.csv": "GZIP_TRUNCATED", "behind.csv": "GZIP_CORRUPT", "wrong.csv": "GZIP_CORRUPT", "members.csv": "",
		"cut.zst": "ZSTD_TRUNCATED", "wrong.zst": "ZSTD_CORRUPT", "cut.bz2": "BZIP2_TRUNCATED",
		"wrong.bz2": "BZIP2_CORRUPT",
		"text.csv":  "", "skippable.zst": "", "empty.bz2": "",
		"pipe.csv": "NOT_REGULAR", "link.csv": "NOT_FOUND", "none.csv": "NOT_FOUND",
	} {
		in, err := open(dir, csvOf(file))
		if err == nil {
			err = input.EachRow(t.Context(), in, 0, func(*input.Record) error { return nil })
		}
		if got := codeOf(err); got != want {
			t.Errorf("%s: %v has the code %q, want %q", file, err, got, want)
		}
	}
}

// A frame with too large a window has its own error, at any offset. A damaged frame with the same
// error of the package does not.
func TestZstdWindow(t *testing.T) {
	const raw = "\x19\x00\x00a\n1" // a block, the last one, of three bytes
	good, large := "\x28\xb5\x2f\xfd\x00\x00"+raw, "\x28\xb5\x2f\xfd\x00\xa0"+raw
	single := "\x28\xb5\x2f\xfd\xa0\x01\x00\x00\x10" + raw // one segment of 256 MiB and a byte
	dir := testenv.Directory(t, map[string]string{
		"good": good, "large": large, "second": good + large, "single": single,
		"block": "\x28\xb5\x2f\xfd\x00\x00\xf9\xff\x0f" + strings.Repeat("x", 1<<17), // a block beyond its window
	})
	for file, want := range map[string]string{
		"good": "", "block": "ZSTD_CORRUPT: decompressing zstd: window size exceeded",
		"large":  "ZSTD_WINDOW: decompressing zstd: it was compressed with a window of 1024 MiB; expected at most 128",
		"second": "ZSTD_WINDOW: decompressing zstd: it was compressed with a window of 1024 MiB; expected at most 128",
		"single": "ZSTD_WINDOW: decompressing zstd: it was compressed with a window of 256 MiB; expected at most 128",
	} {
		in, err := open(dir, csvOf(file))
		if err == nil {
			err = input.EachRow(t.Context(), in, 0, func(*input.Record) error { return nil })
		}
		got := ""
		if e, ok := errors.AsType[*input.Error](err); ok {
			got = e.Code() + ": " + e.Err.Error()
			if (e.Hint() != "") != (e.Code() == "ZSTD_WINDOW") {
				t.Errorf("%s: hint %q", file, e.Hint())
			}
		} else if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

func codeOf(err error) string {
	if e, ok := errors.AsType[*input.Error](err); ok {
		return e.Code()
	}
	return ""
}

func TestCompressedAndEncodedTables(t *testing.T) {
	text := "x,y\n1,ä€\n2,😀b\n3,c\n"
	dir := testenv.Directory(t, map[string]string{"plain.csv": text})
	testenv.Put(t, filepath.Join(dir, "gz.csv"), filetest.Gzip(text)) // by content, not by name
	for _, tool := range []string{"bzip2", "zstd"} {
		cmd := exec.Command(tool, "-c", filepath.Join(dir, "plain.csv"))
		if out, err := cmd.Output(); err == nil {
			testenv.Put(t, filepath.Join(dir, tool+".csv"), string(out))
		} else {
			t.Logf("%s is not on this machine: %v", tool, err)
		}
	}
	in := mustOpen(t, dir, csvOf("plain.csv"))
	want, places := tableOf(t, in, "x", "y"), found(t, in, 0)
	matches, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
	for _, m := range matches {
		in := mustOpen(t, dir, csvOf(filepath.Base(m)))
		wantRows(t, tableOf(t, in, "x", "y"), want...)
		wantRows(t, found(t, in, 0), places...)
		if in.Footprint().Streamed != (filepath.Base(m) != "plain.csv") {
			t.Errorf("%s: streamed is %t", m, in.Footprint().Streamed)
		}
	}
	for encoding, encoded := range map[string]string{"utf-16le": utf16le(text), "latin-1": "x,y\n1,\xe4\n"} {
		testenv.Put(t, filepath.Join(dir, "enc"), encoded)
		o := csvOf("enc")
		o.Encoding = encoding
		in := mustOpen(t, dir, o)
		rows := tableOf(t, in, "x", "y")
		if encoding == "utf-16le" {
			wantRows(t, rows, want...)
			wantRows(t, found(t, in, 0), `10:2:"1,ä€"`, `20:3:"2,😀b"`, `32:4:"3,c\n"`)
		} else {
			wantRows(t, rows, "1|ä")
		}
	}
}

func utf16le(s string) string {
	b := []byte{0xff, 0xfe}
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			for _, u := range []rune{0xd800 + r>>10, 0xdc00 + r&0x3ff} {
				b = append(b, byte(u), byte(u>>8))
			}
			continue
		}
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

// TestFileOffsets reads each row at its offset in the file.
func TestFileOffsets(t *testing.T) {
	const lines = "1,ä€\n2,\"😀\nb\"\n3,c\n"
	for name, encode := range map[string]func(string) string{
		"utf-8": func(s string) string { return s }, "utf-8 with a mark": func(s string) string { return "\ufeff" + s },
		"utf-16le with a mark": utf16le, "utf-16le": func(s string) string { return utf16le(s)[2:] },
		"utf-16be with a mark": func(s string) string { return swapped(utf16le(s)) },
		"utf-16be":             func(s string) string { return swapped(utf16le(s))[2:] },
	} {
		for _, header := range []bool{true, false} {
			o := csvOf("t")
			o.Encoding, _, _ = strings.Cut(name, " ")
			text := lines
			if o.Header = header; header {
				text = "x,y\n" + text
			} else {
				o.Columns = []string{"x", "y"}
			}
			file := encode(text)
			in := mustOpen(t, testenv.Directory(t, map[string]string{"t": file}), o)
			mark := len(encode(""))
			n := 0
			err := input.EachRow(t.Context(), in, 0, func(rec *input.Record) error {
				if !strings.HasPrefix(file[rec.Offset:], encode(string(rec.Raw))[mark:]) {
					t.Errorf("%s, header %t: %q is not at %d", name, header, rec.Raw, rec.Offset)
				}
				n++
				return nil
			})
			if err != nil || n != 3 {
				t.Errorf("%s, header %t: %d rows, %v", name, header, n, err)
			}
		}
	}
}

func TestTruncatedGzip(t *testing.T) {
	text := filetest.Gzip("x\n" + strings.Repeat("1234567\n", 100_000))
	dir := testenv.Directory(t, map[string]string{"t.gz": text[:len(text)-9]})
	in := mustOpen(t, dir, csvOf("t.gz"))
	err := input.EachRow(t.Context(), in, 0, func(*input.Record) error { return nil })
	var fault *input.Error
	if !errors.As(err, &fault) {
		t.Fatalf("got %v", err)
	}
	wantError(t, err, "t.gz: decompressing gzip: the file is cut short")
}

// TestHeadLengthIsFixed has an invalid byte within the head of a text, and after it, in files that
// are read in other steps.
func TestHeadLengthIsFixed(t *testing.T) {
	for at, want := range map[int]bool{64<<10 - 1: false, 64 << 10: true, 70 << 10: true} {
		lines := strings.Repeat("some text\n", 8<<10)[:at] + "\x00\n"
		for _, p := range packings {
			if p.encoding != "utf-8" {
				continue
			}
			dir := testenv.Directory(t, map[string]string{"t": p.pack(t, lines)})
			if _, err := open(dir, &text.Options{Files: patterns([]string{"t"})}); (err == nil) != want {
				t.Errorf("%s, at %d: %v", p.name, at, err)
			}
		}
	}
}
