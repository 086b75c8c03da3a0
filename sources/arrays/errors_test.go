package arrays

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// TestInvalidArrays reads files that are not arrays, or have a false header. Each has one error
// with the file, the found and the expected value, before memory is allocated for the claimed size.
func TestInvalidArrays(t *testing.T) {
	plain := filetest.NPY("|u1", "(2, 3)", "abcdef")
	f4 := func(dict string) string { return filetest.NPYHeader(1, dict, zeros(8)) }
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", "a.npy: is empty; expected .npy, .npz or IDX [ARRAY_FORMAT]"},
		{"text", "a,b\n1,2\n", `a.npy: is not an array: it begins with "a,b\n1,2\n"; expected .npy, .npz or IDX ` +
			`[ARRAY_FORMAT]`},
		{"HDF5", "\x89HDF\r\n\x1a\n0000",
			`a.npy: is not an array: it begins with "\x89HDF\r\n\x1a\n0000"; expected .npy, .npz or IDX ` +
				`[ARRAY_FORMAT]`},
		{"a pickle", "\x80\x04\x95\x10\x00\x00\x00\x00", "[ARRAY_FORMAT]"},
		{"version 0", filetest.NPYHeader(0, dictOf("|u1", "(1,)"), "a"),
			"a.npy: is .npy of version 0; expected 1 to 3 [ARRAY_FORMAT]"},
		{"version 4", filetest.NPYHeader(4, dictOf("|u1", "(1,)"), "a"),
			"a.npy: is .npy of version 4; expected 1 to 3 [ARRAY_FORMAT]"},
		{"the magic alone", npyMagic, "a.npy: has 6 bytes, where its header alone has 12 [ARRAY_SIZE]"},
		{"half a header", plain[:30], "a.npy: has 30 bytes, where its header alone has 128 [ARRAY_SIZE]"},
		{"a header of 4 GB", npyMagic + "\x02\x00\xff\xff\xff\xff{",
			"a.npy: claims a header of 4294967295 bytes; expected at most 65536 [ARRAY_HEADER]"},

		{"cut", plain[:len(plain)-1], "a.npy: has 133 bytes, but its header claims 134: 2 rows of 3 bytes " +
			"[ARRAY_SIZE]"},
		{"trailing", plain + "x", "a.npy: has 135 bytes, but its header claims 134: 2 rows of 3 bytes [ARRAY_SIZE]"},
		{"two in a file", plain + plain, "but its header claims 134: 2 rows of 3 bytes [ARRAY_SIZE]"},
		{"a claim of 2^62", filetest.NPY("<f8", "(4611686018427387904, 4)", ""),
			"a.npy: claims 4611686018427387904 rows of 32 bytes; expected at most 2^40 rows, and 2^63 bytes " +
				"[ARRAY_SHAPE]"},
		{"rows of 2^62", filetest.NPY("<f8", "(1, 2147483648, 2147483648)", ""),
			"a.npy: has rows of the shape [2147483648 2147483648], more than 2^31 bytes each [ARRAY_SHAPE]"},
		{"rows of nothing", filetest.NPY("<f8", "(1000000000000, 0)", ""),
			"a.npy: has rows of the shape [0], without a byte [ARRAY_SHAPE]"},
		{"strings beyond the limit", filetest.NPY("|S1", "(1, 20000)", strings.Repeat("x", 20000)),
			"a.npy: the lists of the row take 1300000 bytes of memory, 64 for each string or nested list; " +
				"limits.record is 1048576 [LIMIT_RECORD]"},
		{"a row beyond the limit", filetest.NPY("|u1", "(1, 1048577)", strings.Repeat("x", 1<<20+1)),
			"a.npy: the rows have 1048577 bytes, more than limits.record, 1048576 [LIMIT_RECORD]"},
		{"no axis", filetest.NPY("<f4", "()", zeros(4)),
			"a.npy: is a single value; expected an axis, whose places are rows [ARRAY_SHAPE]"},

		{"objects", filetest.NPY("|O", "(2,)", "\x80\x04]"),
			`a.npy: holds pickled Python objects, which are never read ("|O"); expected bool, integers, floats of ` +
				`16 to 64 bits, S or U [ARRAY_TYPE]`},
		{"complex", filetest.NPY("<c8", "(1,)", zeros(8)), `a.npy: holds complex numbers ("<c8"); expected`},
		{"dates", filetest.NPY("<M8[s]", "(1,)", zeros(8)), `a.npy: holds dates ("<M8[s]"); expected`},
		{"long double", filetest.NPY("<f16", "(1,)", zeros(16)),
			`a.npy: holds floats of a size that is not read ("<f16"); expected`},
		{"void", filetest.NPY("|V4", "(1,)", zeros(4)), `a.npy: holds raw or structured data ("|V4"); expected`},
		{"unknown", filetest.NPY("<x4", "(1,)", zeros(4)),
			`a.npy: holds elements of an unknown type ("<x4"); expected`},
		{"no order", filetest.NPY("|i4", "(1,)", zeros(4)),
			`a.npy: holds elements without an order of bytes ("|i4"); expected`},
		{"native", filetest.NPY("=i4", "(1,)", zeros(4)),
			`a.npy: holds elements without an order of bytes ("=i4"); expected`},
		{"no size", filetest.NPY("<U", "(1,)", zeros(4)), `("<U"); expected`},
		{"a negative size", filetest.NPY("|S-1", "(1,)", zeros(4)), `("|S-1"); expected`},
		{"an odd size", filetest.NPY("|S01", "(1,)", zeros(1)), `("|S01"); expected`},
		{"a text of 2 GB", filetest.NPY("|S2147483647", "(1,)", ""), `("|S2147483647"); expected`},
		{"structured", f4("{'descr': [('a', '<f4'), ('b', '<f4')], 'fortran_order': False, 'shape': (1,), }\n"),
			"a.npy: has structured data; expected bool, integers, floats of 16 to 64 bits, S or U [ARRAY_TYPE]"},

		{"no dict", f4("os.system('x')\n"),
			`a.npy: the header has no "{" where one should be; expected descr, fortran_order and shape, as NumPy ` +
				`writes them [ARRAY_HEADER]`},
		{"a call", f4("{'descr': str('<f4'), 'fortran_order': False, 'shape': (2,)}"),
			`the header has "'descr': str('<f4'), 'fortran_order': Fa"… where a key with its value or a } should be;`},
		{"another key", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}"),
			`the header has "'x': 1}" where a key with its value or a } should be;`},
		{"a key twice", f4("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"),
			`the header has the key "descr" twice;`},
		{"a key lacking", f4("{'descr': '<f4', 'shape': (2,)}"), `the header has only the keys ["descr" "shape"];`},
		{"no end", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)"),
			`the header has "" where a key with its value or a } should be;`},
		{"more", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + x"),
			"the header has more text after the dict;"},
		{"an escape", f4(`{'descr': '\x3cf4', 'fortran_order': False, 'shape': (2,)}`),
			`the header has "'descr': '\\x3cf4', 'fortran_order': Fals"… where a key`},
		{"another value", f4("{'descr': True, 'fortran_order': False, 'shape': (2,)}"),
			`the header has the key "descr" with such a value;`},
		{"no comma", f4("{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}"),
			`the header has "'fortran_order': False, 'shape': (2,)}" where a key with its value or a } should be;`},
		{"a number as bool", f4("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
			`the header has "'fortran_order': 0, 'shape': (2,)}" where a key with its value or a } should be;`},
		{"no tuple", f4("{'descr': '<f4', 'fortran_order': False, 'shape': 2}"),
			`the header has "'shape': 2}" where a key with its value or a } should be;`},
		{"a number in brackets", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}"),
			`the header has "'shape': (2)}" where a key with its value or a } should be;`},
		{"a negative axis", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"),
			`the header has "'shape': (-2,)}" where a key with its value or a } should be;`},
		{"a huge axis", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
			"a.npy: claims an axis whose length has 20 digits; expected at most 2^40 rows [ARRAY_SHAPE]"},
		{"an axis of many digits", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (2, " +
			strings.Repeat("9", 1000) +
			")}"), "a.npy: claims an axis whose length has 1000 digits; expected at most 2^40 rows [ARRAY_SHAPE]"},
		{"too many axes", f4("{'descr': '<f4', 'fortran_order': False, 'shape': (" + strings.Repeat("1, ", 65) + ")}"),
			"the header has more than 64 axes;"},

		{"IDX of another type", filetest.IDX(0x0a, "ab", 2), "[ARRAY_FORMAT]"},
		{"IDX that claims more", filetest.IDX(0x08, "abc", 2, 2),
			"a.npy: has 15 bytes, but its header claims 16: 2 rows of 2 bytes [ARRAY_SIZE]"},
		{"IDX with more", filetest.IDX(0x08, "abcde", 2, 2),
			"a.npy: has 17 bytes, but its header claims 16: 2 rows of 2 bytes [ARRAY_SIZE]"},
		{"IDX that claims 2^64", filetest.IDX(0x0e, "", 1<<31, 1<<31, 1<<31),
			"more than 2^31 bytes each [ARRAY_SHAPE]"},
		{"IDX without an axis", filetest.IDX(0x08, "a"), "a.npy: is a single value; expected an axis"},
		{"IDX without lengths", "\x00\x00\x08\xff\x00\x00",
			"a.npy: has 6 bytes, where its header alone has 1024 [ARRAY_SIZE]"},

		{"compressed text", filetest.Gzip("a,b\n"), `a.npy: is not an array: it begins with "a,b\n"; expected`},
		{"a compressed .npz", filetest.Gzip(archive(t, packed{name: "a.npy", text: plain})),
			"a.npy: is a compressed .npz; expected the .npz itself [ARRAY_FORMAT]"},
		{"a bomb that lies", filetest.Gzip(filetest.NPY("|u1", "(1000000000, 1000)", "")),
			"a.npy: claims 1000000000128 bytes in "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.npy": tt.file})
			in, err := open(dir, &Options{Columns: columns("a.npy")})
			if err == nil {
				_, err = sequential(t, in)
			}
			wantError(t, dir, err, tt.want)
		})
	}
}

// wantError checks that err is one clear error of an input.
func wantError(t *testing.T, dir string, err error, part string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no fault; want %s", part)
	}
	var fault *input.Error
	var fit *input.MismatchError
	text := strings.ReplaceAll(err.Error(), dir+"/", "")
	switch {
	case errors.As(err, &fit):
	case errors.As(err, &fault) && fault.Code() != "":
		text += " [" + fault.Code() + "]"
	default:
		t.Errorf("no fault of an input with a code: %T %v", err, err)
	}
	if !strings.Contains(text, part) || strings.Contains(text, "\n") {
		t.Errorf("fault\n got %s\nwant %s", text, part)
	}
}

// TestArchives reads invalid archives.
func TestArchives(t *testing.T) {
	plain := filetest.NPY("|u1", "(2, 3)", "abcdef")
	good := archive(t, packed{name: "a.npy", text: plain}, packed{name: "b.npy", text: plain, deflate: true})
	one := func(m packed) string { m.name = "a.npy"; return archive(t, m) }
	for _, tt := range []struct{ name, file, column, want string }{
		{"several", good, "x.npz", "x.npz: has several members; append the name of one, as #NAME: a, b [ARRAY_MEMBER]"},
		{"another", good, "x.npz#c", `x.npz: the member "c" is not there; found: a, b [ARRAY_MEMBER]`},
		{"none", archive(t), "x.npz", "x.npz: is an archive without a member [ARRAY_MEMBER]"},
		{"a member of none", plain, "x.npz#a",
			`x.npz: the member "a" is expected, but the file is not a .npz archive and has no members [ARRAY_MEMBER]`},
		{"twice", archive(t, packed{name: "a.npy", text: plain}, packed{name: "a.npy", text: plain}), "x.npz#a",
			`x.npz: the member "a" occurs twice [ARRAY_MEMBER]`},
		{"no array", one(packed{text: "text"}), "x.npz#a",
			`x.npz: the member "a" is not an array: it begins with "text"; expected`},
		{"an archive", one(packed{text: good}), "x.npz#a", `[ARRAY_FORMAT]`},
		{"objects", one(packed{text: filetest.NPY("|O", "(1,)", "x")}), "x.npz#a",
			`x.npz: the member "a" holds pickled Python objects, which are never read`},
		{"shorter than its header", one(packed{text: plain[:len(plain)-1]}), "x.npz",
			"x.npz: has 133 bytes, but its header claims 134: 2 rows of 3 bytes [ARRAY_SIZE]"},
		{"longer than its header", one(packed{text: plain + "x", deflate: true}), "x.npz",
			"x.npz: has 135 bytes, but its header claims 134: 2 rows of 3 bytes [ARRAY_SIZE]"},
		{"cut", good[:len(good)/2], "x.npz#a", "x.npz: its directory is not there: the archive is cut short " +
			"[ZIP_CORRUPT]"},
		{"another method", one(packed{text: plain, header: func(h *zip.FileHeader) { h.Method = 12 }}), "x.npz",
			"x.npz: is compressed by method 12 (bzip2); expected stored or deflated [ARRAY_FORMAT]"},
		{"encrypted", one(packed{text: plain, header: func(h *zip.FileHeader) { h.Flags |= 1 }}), "x.npz",
			"x.npz: is encrypted; expected one that is not [ARRAY_FORMAT]"},
		{"stored in another size", one(packed{text: plain, header: func(h *zip.FileHeader) { h.UncompressedSize64++ }}),
			"x.npz", "[ZIP_CORRUPT]"},
		{"a member beyond the archive", one(packed{text: plain,
			header: func(h *zip.FileHeader) { h.CompressedSize64, h.UncompressedSize64 = 1<<40, 1<<40 }}), "x.npz",
			"[ZIP_CORRUPT]"},
		{"a bomb that lies", one(packed{text: plain, deflate: true,
			header: func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 40 }}), "x.npz",
			"x.npz: claims 1099511627776 bytes in "},
		{"another checksum", one(packed{text: plain, deflate: true, header: func(h *zip.FileHeader) { h.CRC32++ }}),
			"x.npz", "x.npz: is damaged: its size or checksum does not match [ZIP_CORRUPT]"},
		{"another checksum of a stored one", one(packed{text: plain, header: func(h *zip.FileHeader) { h.CRC32++ }}),
			"x.npz", "x.npz: is damaged: its size or checksum does not match [ZIP_CORRUPT]"},
		{"a longer member than claimed", one(packed{text: plain + "xyz", deflate: true,
			header: func(h *zip.FileHeader) { h.UncompressedSize64 = uint64(len(plain)) }}), "x.npz", "[ARRAY_SIZE]"},
		{"a damaged stream", one(packed{text: plain, deflate: true,
			header: func(h *zip.FileHeader) { h.Method = zip.Deflate; h.CompressedSize64-- }}), "x.npz",
			"[ZIP_CORRUPT]"},
		{"a member of bits", one(packed{text: strings.Repeat("\xff", 30),
			header: func(h *zip.FileHeader) { h.Method, h.UncompressedSize64 = zip.Deflate, 100 }}), "x.npz",
			"[ZIP_CORRUPT]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"x.npz": tt.file})
			in, err := open(dir, &Options{Columns: columns(tt.column)})
			if err == nil {
				_, err = sequential(t, in)
			}
			wantError(t, dir, err, tt.want)
		})
	}
}

// TestDirectories rejects a directory that would not fit into memory.
func TestDirectories(t *testing.T) {
	members := make([]packed, 100_000)
	for i := range members {
		members[i].name = "a.npy"
	}
	dir := testenv.Directory(t, map[string]string{"x.npz": archive(t, members...)})
	_, err := open(dir, &Options{Columns: columns("x.npz#a")})
	wantError(t, dir, err, "x.npz: its directory claims 5100000 bytes; expected at most 4194304 [ZIP_CORRUPT]")
}

// TestStreams finds errors that show only at the end of a compressed array.
func TestStreams(t *testing.T) {
	plain := filetest.NPY("|u1", "(2, 3)", "abcdef")
	packed := filetest.Gzip(plain)
	for _, tt := range []struct{ name, file, want string }{
		{"shorter", filetest.Gzip(plain[:len(plain)-1]),
			"a.npy.gz: has fewer bytes than its header claims [ARRAY_SIZE]"},
		{"without rows", filetest.Gzip(plain[:len(plain)-6]),
			"a.npy.gz: has fewer bytes than its header claims [ARRAY_SIZE]"},
		{"longer", filetest.Gzip(plain + "x"), "a.npy.gz: has more bytes than its header claims [ARRAY_SIZE]"},
		{"cut", packed[:len(packed)-6], "a.npy.gz: decompressing gzip: the file is cut short [GZIP_TRUNCATED]"},
		{"another checksum", packed[:len(packed)-8] + "junk" + packed[len(packed)-4:], "[GZIP_CORRUPT]"},
		{"trailing", packed + "x", "[GZIP_CORRUPT]"},
		{"shorter in Fortran order", filetest.Gzip(filetest.NPYHeader(1,
			"{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "abcde")),
			"a.npy.gz: has fewer bytes than its header claims [ARRAY_SIZE]"},
		{"longer in Fortran order", filetest.Gzip(filetest.NPYHeader(1,
			"{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}", "abcdefg")),
			"a.npy.gz: has more bytes than its header claims [ARRAY_SIZE]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.npy.gz": tt.file})
			in := mustOpen(t, dir, "a.npy.gz")
			rows, err := sequential(t, in)
			wantError(t, dir, err, tt.want)
			if len(rows) > 2 {
				t.Errorf("rows %q", rows)
			}
		})
	}
}

// TestLengths compares the lengths of arrays with each other and with a range of rows.
func TestLengths(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.npy": filetest.NPY("|u1", "(3,)", "abc"), "b.npy": filetest.NPY("|u1", "(2, 2)", "abcd"),
		"c.npy":    filetest.NPY("|u1", "(3, 2)", "ABCDEF"),
		"wide.npy": filetest.NPY("|u1", "(3, 1048575)", strings.Repeat("x", 3*(1<<20-1))),
	})
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Columns: columns("a.npy", "b.npy")},
			`b.npy: the array of the column "c1" has 2 rows, but the array of "c0" in ` + dir +
				`/a.npy has 3 [ARRAY_LENGTH]`},
		{Options{Columns: columns("a.npy"), Rows: input.RowRange{From: 1, To: 4}},
			"a.npy: rows: [1, 4] of an array of 3 rows [ARRAY_LENGTH]"},
		{Options{Columns: columns("wide.npy", "c.npy")},
			"wide.npy: the rows have 1048577 bytes, more than limits.record, 1048576 [LIMIT_RECORD]"},
		{Options{Columns: columns("none.npy")}, "none.npy: no such file or directory [NOT_FOUND]"},
		{Options{Columns: columns(".")}, "not a regular file [NOT_REGULAR]"},
	} {
		_, err := open(dir, &tt.o)
		wantError(t, dir, err, strings.ReplaceAll(tt.want, dir+"/", ""))
	}
}

// TestInvalidRows rejects exactly the invalid rows.
func TestInvalidRows(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"text.npy": filetest.NPY("<U1", "(4,)", "a\x00\x00\x00\x00\x00\x11\x00\x00\xd8\x00\x00\xff\xff\x10\x00"),
		"bool.npy": filetest.NPY("|b1", "(2, 2)", "\x00\x01\x02\x00"),
	})
	for _, tt := range []struct {
		file string
		bad  map[int64]string
	}{
		{"text.npy", map[int64]string{1: "ENCODING: 0x110000 is not a character",
			2: "ENCODING: 0xd800 is not a character"}},
		{"bool.npy", map[int64]string{1: "BOOL_SYNTAX: the byte 2 is not a bool; expected 0 or 1"}},
	} {
		in := mustOpen(t, dir, tt.file)
		s, vals := in.newScanner(t)
		if _, err := in.Find(1); err != nil {
			t.Fatal(err)
		}
		for i := range in.arrays[0].rows {
			_, err := s.Scan(0, i, nil, vals)
			got := ""
			if bad := new(schema.RowError); errors.As(err, &bad) {
				got = bad.Code + ": " + bad.Message
			}
			if got != tt.bad[i] {
				t.Errorf("%s, row %d: %v, want %s", tt.file, i, err, tt.bad[i])
			}
		}
		in.Release()
	}
}

// TestChanged notices a file that was replaced before its rows are read.
func TestChanged(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.npy": filetest.NPY("|u1", "(3,)", "abc"),
		"b.npy.gz": filetest.Gzip(filetest.NPY("|u1", "(3,)", "abc"))})
	in := mustOpen(t, dir, "a.npy", "b.npy.gz")
	if err := in.Recheck(); err != nil {
		t.Error(err)
	}
	path := filepath.Join(dir, "b.npy.gz")
	if err := os.WriteFile(path, []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, fromRows := in.Rows(0)
	_, fromFind := in.Find(1)
	in.Release()
	for _, err := range []error{in.Recheck(), fromRows, fromFind} {
		if !errors.Is(err, files.ErrChanged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	again, err := (&Options{Columns: columns("a.npy")}).Open(ctx, below(dir))
	if err == nil {
		err = again.ReadHeads(ctx)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is stopped: %v", err)
	}
}
