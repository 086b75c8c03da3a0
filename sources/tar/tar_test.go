package tar

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/tarfile"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

type fault = schema.RowError

// TestSameMembers compares rows of random archives of all formats with what package
// archive/tar reads.
func TestSameMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		return strings.Repeat(string("abcAé"[rng.IntN(4)]), 1+rng.IntN(3)) + []string{"", "", "/", " "}[rng.IntN(4)]
	}
	for range testenv.Times(300, 5_000, 100_000) {
		format := []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU}[rng.IntN(3)]
		var files []file
		for range rng.IntN(12) {
			name := strings.TrimSuffix(word()+word(), "/") +
				[]string{".jpg", ".JPG", ".cls", ".a.b", "", "."}[rng.IntN(6)]
			if format != tar.FormatUSTAR && rng.IntN(4) == 0 {
				name = strings.Repeat("long/", 60+rng.IntN(60)) + name
			}
			files = append(files, file{name, strings.Repeat("x", rng.IntN(3)*rng.IntN(800))})
		}
		data := archive(t, format, files...)
		want, err := oracle(data)
		if err != nil {
			t.Fatal(err)
		}
		got, bad := members(data)
		if !slices.Equal(got, want) || bad != nil {
			t.Fatalf("%v of %q:\n got %q, %q\nwant %q", format, files, got, bad, want)
		}
		rowsOf(t, data)
	}
}

// TestUnusualArchives has archives that usual writers do not make.
func TestUnusualArchives(t *testing.T) {
	cat := func(parts ...[]byte) []byte { return slices.Concat(parts...) }
	one := func(name string) []byte { return block(name, tarfile.TypeFile, 0, nil) }
	pax := func(records string) []byte {
		return cat(block("x", tarfile.TypePAX, len(records), nil), content(records))
	}
	record := func(key, value string) string {
		n := len(key) + len(value) + 3
		for len(fmt.Sprint(n))+len(key)+len(value)+3 != n {
			n++
		}
		return fmt.Sprintf("%d %s=%s\n", n, key, value)
	}
	large := func(h []byte) { binary.BigEndian.PutUint64(h[128:], 3); h[124] = 0x80; clear(h[125:128]) }
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", end, "[]"},
		{"an end of one block", cat(one("1.a"), end[:tarfile.BlockSize]), "[0 1]"},
		{"a long end", cat(one("1.a"), end, make([]byte, 8192)), "[0 1]"},
		{"members apart", cat(one("1.a"), one("2.a"), one("1.b"), end), "[0 1 512 2 1024 1]"},
		{"a directory between", cat(one("1.a"), block("d/", tarfile.TypeDirectory, 0, nil), one("1.b"),
			one("2.a"), end), "[0 1 1536 2]"},
		{"no key", cat(one(".a"), one("README"), one("b."), end), "[]"},
		{"litter between", cat(one("1.a"), one("._1.b"), one("1.b"), end), "[0 1]"},
		{"a directory with dots", cat(one("a.b/1.a"), one("a.c/1.a"), end), "[0 a.b/1 512 a.c/1]"},
		{"an old header", cat(sealed(block("1.a", tarfile.TypeOldFile, 0, func(h []byte) { clear(h[257:]) })), end),
			"[0 1]"},
		{"signed bytes", cat(signed(one("\xe91.a")), end), "[0 \xe91]"},
		{"a prefix", cat(block("1.a", tarfile.TypeFile, 0, func(h []byte) { copy(h[345:], "dir") }), end), "[0 dir/1]"},
		{"a prefix that GNU does not have", cat(block("1.a", tarfile.TypeFile, 0,
			func(h []byte) { copy(h[345:], "12345"); copy(h[257:], "ustar  \x00") }), end), "[0 1]"},
		{"a size in base 256", cat(block("1.a", tarfile.TypeFile, 0, large), content("abc"), end), "[0 1]"},
		{"a path of PAX", cat(pax(record("path", "other/2.b")), one("1.a"), end), "[0 other/2]"},
		{"a size of PAX", cat(pax(record("size", "3")), one("1.a"), content("abc"), end), "[0 1]"},
		{"times of PAX", cat(pax(record("mtime", "1.5")+record("comment", "a=b\n")), one("1.a"), end), "[0 1]"},
		{"a comment for all", cat(block("g", tarfile.TypeGlobal, 12, nil), content("12 comment=\n"), one("1.a"), end),
			"[0 1]"},
		{"a path for all", cat(block("g", tarfile.TypeGlobal, 10, nil), content("10 path=a\n"), one("1.a"), end),
			"[0 TAR_UNSUPPORTED]"},
		{"a sparse file", cat(block("1.a", tarfile.TypeSparse, 0, nil), one("2.a"), end), "[0 TAR_UNSUPPORTED 512 2]"},
		{"a sparse file of PAX", cat(pax(record("GNU.sparse.major", "1")), one("1.a"), end), "[0 TAR_UNSUPPORTED]"},
		{"a hard link with a size", cat(block("1.a", tarfile.TypeHardLink, 5000, nil), one("2.a"), end),
			"[0 TAR_UNSUPPORTED 512 2]"},
		{"a symbolic link", cat(one("1.a"), block("1.b", tarfile.TypeLink, 0, nil), end), "[0 TAR_UNSUPPORTED]"},
		{"a device", cat(block("1.a", '3', 0, nil), end), "[0 TAR_UNSUPPORTED]"},
		{"an unknown type", cat(block("1.a", 'Q', 1, nil), content("x"), end), "[0 TAR_UNSUPPORTED]"},
		{"an absolute path", cat(one("/1.a"), end), "[0 TAR_NAME]"},
		{"a way out", cat(one("a/../../1.a"), end), "[0 TAR_NAME]"},
		{"a NUL byte", cat(pax(record("path", "1.a\x00b")), one("1.a"), end), "[0 TAR_NAME]"},
		{"too large", cat(block("1.a", tarfile.TypeFile, 2<<20, nil), make([]byte, 2<<20), one("2.a"), end),
			"[0 LIMIT_RECORD 2097664 2]"},
		{"too large together", cat(block("1.a", tarfile.TypeFile, 1<<20, nil), make([]byte, 1<<20),
			block("1.b", tarfile.TypeFile, 1, nil), content("x"), end), "[0 LIMIT_RECORD]"},
		{"too many", cat(many(101), end), "[0 LIMIT_COLUMNS]"},
		{"no end", one("1.a"), "[0 TAR_DAMAGED]"},
		{"no end and no row", cat(block("d/", tarfile.TypeDirectory, 0, nil), one("README")), "[512 TAR_DAMAGED]"},
		{"no end of the last", cat(one("1.a"), one("2.a")), "[0 1 512 TAR_DAMAGED]"},
		{"cut within a header", cat(one("1.a"), one("2.a"))[:700], "[0 TAR_DAMAGED]"},
		{"cut within a content", cat(one("1.a"), block("2.a", tarfile.TypeFile, 2000, nil), content("x")),
			"[0 1 512 TAR_DAMAGED]"},
		{"claims all", cat(block("1.a", tarfile.TypeFile, 0, func(h []byte) { copy(h[124:], "77777777777\x00") }), end),
			"[0 TAR_DAMAGED]"},
		{"claims more than all", cat(block("1.a", tarfile.TypeFile, 0,
			func(h []byte) { copy(h[124:], "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff") }), end),
			"[0 TAR_DAMAGED]"},
		{"a negative size", cat(block("1.a", tarfile.TypeFile, 0,
			func(h []byte) { copy(h[124:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") }), end),
			"[0 TAR_DAMAGED]"},
		{"no number", cat(block("1.a", tarfile.TypeFile, 0, func(h []byte) { copy(h[124:], "9x") }), end),
			"[0 TAR_DAMAGED]"},
		{"a long name that claims all", cat(block("x", tarfile.TypeLongName, 1<<30, nil), one("1.a"),
			one("2.a"), one("3.a"), end), "[0 TAR_DAMAGED 1024 2 1536 3]"},
		{"invalid attributes", cat(pax("12 path\n"), one("1.a"), one("2.a"), end), "[0 TAR_DAMAGED 1536 2]"},
		{"attributes longer than they are", cat(pax("99 path=a\n"), one("1.a"), one("2.a"), end),
			"[0 TAR_DAMAGED 1536 2]"},
		{"attributes without a member", cat(pax(record("path", "a.b")), end), "[0 TAR_DAMAGED]"},
		{"names without end", bytes.Repeat(cat(block("x", tarfile.TypeLongName, 1<<20, nil), make([]byte, 1<<20)), 6),
			"[0 TAR_DAMAGED]"},
		{"damage", cat(one("1.a"), one("2.a"), flipped(one("2.b")), one("3.a"), one("3.b"), one("4.a"), end),
			"[0 1 512 TAR_DAMAGED 2560 4]"},
		{"damage twice", cat(one("1.a"), flipped(one("2.b")), one("3.a"), flipped(one("3.b")), one("4.a"),
			one("5.a"), end), "[0 TAR_DAMAGED 2560 5]"},
		{"damage to the end", cat(one("1.a"), one("2.a"), flipped(one("2.b")), end), "[0 1 512 TAR_DAMAGED]"},
		{"archives one behind the other", cat(one("1.a"), end, one("2.a"), end), "[0 1 512 TAR_DAMAGED]"},
		{"more than blocks", cat(one("1.a"), end, []byte("x")), "[0 1 512 TAR_DAMAGED]"},
	} {
		if got := fmt.Sprint(rowsOf(t, tt.data)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// many returns n members with one key.
func many(n int) (all []byte) {
	for i := range n {
		all = append(all, block(fmt.Sprintf("1.%d", i), tarfile.TypeFile, 0, nil)...)
	}
	return all
}

// flipped returns a header with a changed bit.
func flipped(h []byte) []byte {
	h[200] ^= 1
	return h
}

// signed returns a header with the checksum of old writers.
func signed(h []byte) []byte {
	copy(h[148:], "        ")
	sum := 0
	for _, b := range h {
		sum += int(int8(b))
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// TestColumnNames has the columns for names.
func TestColumnNames(t *testing.T) {
	for name, want := range map[string]string{
		"jpg.height": "jpg .height", "seg.png.format": "seg.png .format", "txt.height": "", "jpg": "", "height": "",
		".height": "", "jpg.pixels": "jpg .pixels",
	} {
		ext, fact, ok := new(Options).cutFact(name)
		if got := strings.TrimSpace(ext + " " + fact); got != want || ok != (want != "") {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"json.a.b": "json a.b", "json": "", "json.": "json", "meta.json.a": "meta.json a",
		"a.json.json.b": "a.json json.b",
		"jsonl.a":       "",
	} {
		ext, path, _ := cutPath(name)
		if got := strings.TrimSpace(ext + " " + path); got != want {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
	for name, typ := range map[string]string{"jpg": "bytes", ".png": "bytes", "jpg.height": "int64",
		"jpg.format": "bytes", "a.png.pixels": "uint8", "txt": "", "": "", ".": ""} {
		if c, ok := new(Options).likelyColumn(name); c.Type != typ || ok != (typ != "") {
			t.Errorf("%q is %+v", name, c)
		}
	}
}
