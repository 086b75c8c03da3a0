package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// readAll reads all columns of a file with both readers, which must return the same rows.
func readAll(t testing.TB, dir string, data []byte) ([][]any, error) {
	t.Helper()
	testenv.Put(t, filepath.Join(dir, "a.parquet"), string(data))
	in, err := open(t, dir, &Options{Files: input.Files{Patterns: []string{"a.parquet"}}})
	if err != nil {
		return nil, err
	}
	names := in.Columns().Names()
	rows, err := sequential(t, in, names...)
	if in.Footprint().Bytes > 64<<20 || in.Footprint().Streamed {
		return rows, err // which is never decoded into memory
	}
	found, foundErr := randomAccess(t, in, names...)
	if (err == nil) != (foundErr == nil) {
		t.Fatalf("one after another %v, decoded %v", err, foundErr)
	}
	if err == nil && !reflect.DeepEqual(rows, found) {
		t.Fatalf("rows differ:\n%s\n%s", asJSON(rows), asJSON(found))
	}
	return rows, err
}

// isClear reports whether err is one clear error of the file.
func isClear(err error) bool {
	var fit *input.MismatchError
	var bad *input.Error
	return errors.As(err, &fit) && fit.Code != "" || errors.As(err, &bad) && bad.Code() != "" &&
		bad.Code() != "INTERNAL"
}

// TestMutants flips, deletes, and moves bytes of files. Both readers return the rows that the
// footer claims, or one clear error.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	dir := t.TempDir()
	good := 0
	for i := range testenv.Times(300, 3000, 100_000) {
		data, err := os.ReadFile(files[i%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		whole := slices.Clone(data)
		for range 1 + r.IntN(3) {
			mutate(r, &data)
		}
		rows, err := readAll(t, dir, data)
		switch {
		case err != nil && !isClear(err):
			t.Fatalf("mutant %d of %s: no clear error: %v (%T)", i, files[i%len(files)], err, err)
		case err == nil && len(rows) != claimedRows(t, data):
			t.Fatalf("mutant %d of %s: %d rows, the footer claims %d", i, files[i%len(files)], len(rows),
				claimedRows(t, data))
		case err == nil && !bytes.Equal(data, whole):
			good++
		}
	}
	if good == 0 {
		t.Error("no mutant was read: they are all broken at once")
	}
}

// mutate changes a file at a random offset, often in its footer.
func mutate(r *rand.Rand, data *[]byte) {
	d := *data
	at := r.IntN(len(d))
	if r.IntN(3) == 0 {
		at = len(d) - 1 - r.IntN(min(len(d), 6000))
	}
	switch r.IntN(8) {
	case 0:
		*data = d[:at]
		if len(*data) == 0 {
			*data = d[:1]
		}
	case 1:
		d[at] = byte(r.Uint32())
	case 2:
		n := min(r.IntN(9), len(d)-at)
		*data = slices.Delete(d, at, at+n)
	case 3:
		*data = slices.Insert(d, at, 0xff, 0xff, 0xff, 0xff, 0x7f)
	case 4:
		copy(d[at:], "\xff\xff\xff\xff\xff\xff\xff\xff\x7f")
	default:
		d[at] ^= 1 << r.IntN(8)
	}
}

// claimedRows returns the number of rows that the footer claims.
func claimedRows(t testing.TB, data []byte) int {
	t.Helper()
	f, err := readFooter(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return int(f.rows)
}

// code returns the code of an input's error.
func code(err error) string {
	var fit *input.MismatchError
	var bad *input.Error
	switch {
	case errors.As(err, &fit):
		return fit.Code
	case errors.As(err, &bad):
		return bad.Code()
	}
	return ""
}

// TestFalseClaims reads files that claim more than they have. Each is one error, before much
// memory is allocated.
func TestFalseClaims(t *testing.T) {
	ids := parquettest.Column{Name: "id", Values: []int64{1, 2, 3}}
	texts := parquettest.Column{Name: "s", Values: []string{"a", "b", "c"}, Missing: []bool{false, true, false}}
	page := func(change func(*format.PageHeader)) parquettest.Change { return parquettest.Change{Page: change} }
	footer := func(change func(*format.FileMetaData)) parquettest.Change { return parquettest.Change{Footer: change} }
	column := func(change func(*format.ColumnMetaData)) parquettest.Change {
		return footer(func(m *format.FileMetaData) { change(&m.RowGroups[0].Columns[0].MetaData) })
	}
	const much = 1 << 40
	for name, lie := range map[string]struct {
		change parquettest.Change
		code   string
		text   string
	}{
		"rows of the file": {footer(func(m *format.FileMetaData) { m.NumRows = 4 }), "PARQUET_ROWS",
			"claims 4 rows, and its row groups together 3"},
		"rows of a group": {footer(func(m *format.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = much, much }),
			"PARQUET_ROWS", "claims 3 values for 1099511627776 rows"},
		"fewer rows": {footer(func(m *format.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 2, 2 }),
			"PARQUET_ROWS", ""},
		"negative rows": {footer(func(m *format.FileMetaData) { m.RowGroups[0].NumRows = -1 }), "PARQUET_DAMAGED",
			"claims -1 rows"},
		"values and rows": {footer(manyRows), "PARQUET_DAMAGED", "fewer than the footer claims"},
		"values of a page": {page(func(h *format.PageHeader) { h.DataPageHeader.V.NumValues = 1 << 30 }),
			"PARQUET_DAMAGED", "a page claims 1073741824 values"},
		"fewer values of a page": {page(func(h *format.PageHeader) { h.DataPageHeader.V.NumValues = 2 }),
			"PARQUET_DAMAGED", "1 value fewer"},
		"bytes of a page": {page(func(h *format.PageHeader) { h.CompressedPageSize = 1 << 30 }), "PARQUET_DAMAGED",
			"a page claims 1073741824 bytes"},
		"plain bytes of a page": {page(func(h *format.PageHeader) { h.UncompressedPageSize = 1 << 30 }),
			"PARQUET_DAMAGED", "when decompressed"},
		"negative bytes": {page(func(h *format.PageHeader) { h.UncompressedPageSize = -1 }), "PARQUET_DAMAGED",
			"claims -1 bytes"},
		"a checksum": {page(func(h *format.PageHeader) { h.CRC = 1 }), "PARQUET_DAMAGED",
			"another checksum"},
		"a page of another type": {page(func(h *format.PageHeader) { h.Type = 9 }), "PARQUET_DAMAGED", "of the type 9"},
		"an encoding": {page(func(h *format.PageHeader) { h.DataPageHeader.V.Encoding = 77 }),
			"PARQUET_UNSUPPORTED", "encoded as"},
		"a dictionary": {page(func(h *format.PageHeader) { h.DataPageHeader.V.Encoding = format.RLEDictionary }),
			"PARQUET_DAMAGED", "refers to a dictionary"},
		"a place": {column(func(m *format.ColumnMetaData) { m.DataPageOffset = much }), "PARQUET_DAMAGED",
			"at byte 1099511627776"},
		"a size": {column(func(m *format.ColumnMetaData) { m.TotalCompressedSize = much }),
			"PARQUET_DAMAGED", "claims 1099511627776 bytes"},
		"a codec": {column(func(m *format.ColumnMetaData) { m.Codec = format.LZO }), "PARQUET_UNSUPPORTED",
			"compressed with LZO"},
		"an old codec": {column(func(m *format.ColumnMetaData) { m.Codec = format.Lz4 }), "PARQUET_UNSUPPORTED",
			"compressed with LZ4"},
		"a type": {column(func(m *format.ColumnMetaData) { m.Type = format.Double }), "PARQUET_DAMAGED",
			"the schema says INT64"},
		"another file": {footer(func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].FilePath = "b" }),
			"PARQUET_UNSUPPORTED", "is in another file"},
		"no column": {footer(func(
			m *format.FileMetaData) {
			m.RowGroups[0].Columns = m.RowGroups[0].Columns[:1]
		}), "PARQUET_DAMAGED",
			"has 1 columns"},
		"children of the schema": {footer(func(m *format.FileMetaData) {
			m.Schema[0].NumChildren = thrift.New[int32](
				1 << 30)
		}), "PARQUET_DAMAGED", "cut off"},
		"a schema that goes on": {footer(func(m *format.FileMetaData) {
			m.Schema[0].NumChildren = thrift.New[int32](1)
		}),
			"PARQUET_DAMAGED", "uses 1"},
		"a schema without an end": {footer(deepSchema), "PARQUET_UNSUPPORTED", "nested deeper"},
		"an encrypted file":       {footer(encryptFile), "PARQUET_ENCRYPTED", "is encrypted"},
		"an encrypted column": {footer(encryptColumn), "PARQUET_ENCRYPTED",
			`row group 0, column "id": the column is encrypted`},
	} {
		t.Run(name, func(t *testing.T) {
			data := parquettest.Changed(lie.change, 3, ids, texts)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			rows, err := readAll(t, t.TempDir(), data)
			runtime.ReadMemStats(&after)
			if code(err) != lie.code || !strings.Contains(err.Error(), lie.text) {
				t.Errorf("%d rows, %v [%s]; want %s: %s", len(rows), err, code(err), lie.code, lie.text)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
				t.Errorf("%d bytes were taken", n)
			}
		})
	}
}

func manyRows(m *format.FileMetaData) {
	m.NumRows, m.RowGroups[0].NumRows = 1<<40, 1<<40
	for i := range m.RowGroups[0].Columns {
		m.RowGroups[0].Columns[i].MetaData.NumValues = 1 << 40
	}
}

func deepSchema(m *format.FileMetaData) {
	deep := []format.SchemaElement{m.Schema[0]}
	deep[0].NumChildren = thrift.New[int32](1)
	for range 1000 {
		deep = append(deep, format.SchemaElement{Name: "a", RepetitionType: thrift.New(format.Repeated),
			NumChildren: thrift.New[int32](1)})
	}
	m.Schema = append(deep, m.Schema[1])
}

func encryptFile(m *format.FileMetaData) {
	m.EncryptionAlgorithm.Value = &format.AesGcmV1{}
}

func encryptColumn(m *format.FileMetaData) {
	m.RowGroups[0].Columns[0].CryptoMetadata.Value = &format.EncryptionWithFooterKey{}
}

// TestEncryptedFooter checks the error of a file with an encrypted footer.
func TestEncryptedFooter(t *testing.T) {
	data := parquettest.File(3, parquettest.Column{Name: "id", Values: []int64{1}})
	for _, at := range []int{0, len(data) - 4} {
		data := slices.Clone(data)
		copy(data[at:], "PARE")
		if _, err := readAll(t, t.TempDir(), data); code(err) != "PARQUET_ENCRYPTED" {
			t.Errorf("%v", err)
		}
	}
}

// TestClaimsOfLists reads metadata with lists that claim to be long. It is rejected before memory
// for them is allocated.
func TestClaimsOfLists(t *testing.T) {
	for name, data := range map[string][]byte{
		"a list": append([]byte{0x29, 0xfc}, binary.AppendUvarint(nil, 1<<31-1)...),
		"empty structures": append(append([]byte{0x29, 0xfc}, binary.AppendUvarint(nil, 1<<20)...),
			make([]byte, 2<<20)...),
		"a text":         append([]byte{0x28}, binary.AppendUvarint(nil, 1<<31-1)...),
		"a map":          {0x2b, 1, 0x88, 1, 'a', 1, 'b', 0},
		"no end":         bytes.Repeat([]byte{0x1c}, 1<<16),
		"lists in lists": append([]byte{0x29}, bytes.Repeat([]byte{0x19}, 32<<20)...), // the stack would overflow
		"a long number":  bytes.Repeat([]byte{0xff}, 100),
	} {
		allocated := testing.AllocsPerRun(3, func() {
			if _, err := decode(data, new(format.FileMetaData)); err == nil {
				t.Errorf("%s is read", name)
			}
		})
		if allocated > 20 {
			t.Errorf("%s: %v allocations", name, allocated)
		}
	}
}

// FuzzFile reads arbitrary bytes as a file, with both readers.
func FuzzFile(f *testing.F) {
	for _, name := range []string{"int96", "old"} {
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(parquettest.File(2, parquettest.Column{Name: "s", Values: []string{"a", "", "c"},
		Missing: []bool{false, true, false}}))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		if _, err := readAll(t, dir, data); err != nil && !isClear(err) {
			t.Errorf("no clear error: %v (%T)", err, err)
		}
	})
}

// FuzzValues decodes arbitrary bytes as the values of a page, at once and in batches. Both must
// return the same values or an error.
func FuzzValues(f *testing.F) {
	f.Add([]byte{8, 1, 2, 3}, uint16(3), uint8(8), uint8(6), uint8(1))
	f.Add([]byte{0x80, 1, 4, 3, 2, 0, 0, 0, 0, 0}, uint16(3), uint8(5), uint8(1), uint8(2))
	f.Add([]byte("\x01\x00\x00\x00a\x02\x00\x00\x00bc"), uint16(2), uint8(0), uint8(6), uint8(1))
	f.Add([]byte("\x80\x01\x04\x02\x02\x00\x00\x00\x00\x00ab"), uint16(2), uint8(6), uint8(6), uint8(1))
	f.Add([]byte("\x80\x01\x04\x02\x00\x02\x00\x00\x00\x00\x80\x01\x04\x02\x02\x00\x00\x00\x00\x00ab"), uint16(2),
		uint8(7), uint8(6), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, count uint16, encoding, physical, step uint8) {
		l := &leaf{physical: format.Type(physical % 8)}
		l.size = []int{1, 4, 8, 12, 4, 8, 0, 5}[l.physical]
		dict := &values{width: l.size, fixed: make([]byte, 3*l.size), views: []view{{0, 1}, {1, 2}, {0, 0}},
			blob: []byte("abc")}
		n, e := int(count), format.Encoding(encoding%12)
		take := func(step int) (values, error) {
			v := values{width: l.size, blob: slices.Clone(data)}
			page, err := v.newValueDecoder(e, v.blob, n, l.physical, dict)
			for left := n; left > 0 && err == nil; left -= step {
				err = page.decode(&v, min(left, step))
			}
			if e == format.RLEDictionary || e == oldDictionary {
				v.blob = dict.blob
			}
			return v, err
		}
		v, err := take(max(1, n))
		pieces, cutErr := take(max(1, int(step)))
		if (err == nil) != (cutErr == nil) {
			t.Fatalf("at once %v, in batches %v", err, cutErr)
		}
		if err != nil {
			return
		}
		if v.count() != n || pieces.count() != n {
			t.Fatalf("%d values and %d, want %d", v.count(), pieces.count(), n)
		}
		for i := range n {
			if !bytes.Equal(v.at(i), pieces.at(i)) {
				t.Fatalf("value %d of %d is %q, in batches %q", i, n, v.at(i), pieces.at(i))
			}
		}
	})
}
