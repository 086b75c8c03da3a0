package arrayrecord

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"tfr-build/tfrecord"
)

func asCorrupt(err error) (corrupt *tfrecord.CorruptError, ok bool) {
	ok = errors.As(err, &corrupt)
	return corrupt, ok
}

// TestGolden reads the test files of google/array_record.
func TestGolden(t *testing.T) {
	for i, want := range []string{"0 1 2 3 4", "5 6 7 8 9"} {
		data, err := os.ReadFile(fmt.Sprintf("testdata/digits.array_record-0000%d-of-00002", i))
		if err != nil {
			t.Fatal(err)
		}
		records, damages, err := readAll(data)
		if got := string(bytes.Join(records, []byte(" "))); got != want || damages != nil || err != nil {
			t.Errorf("%q, want %q; %q, %v", got, want, damages, err)
		}
		digits := bytes.Fields([]byte(want))
		if made := (&maker{group: 1}).file(digits); !bytes.Equal(made, data) {
			t.Error("the maker of the tests makes another file")
		}
	}
}

var kinds = []struct {
	name    string
	maker   maker
	records [][]byte
}{
	{"empty", maker{group: 1}, nil},
	{"one", maker{group: 1}, texts(1, 3)},
	{"small", maker{group: 1}, texts(3000, 100)},
	{"large", maker{group: 1}, texts(4, 300_000)},
	{"grouped", maker{group: 100}, texts(3050, 100)},
	{"grouped large", maker{group: 3}, texts(10, 100_000)},
	{"zstd", maker{group: 1, zstd: true}, texts(300, 1000)},
	{"zstd grouped", maker{group: 10, zstd: true}, texts(305, 1000)},
	{"zstd of nothing", maker{group: 2000, zstd: true}, make([][]byte, 5000)},
}

func TestRead(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			file := k.maker.file(k.records)
			records, damages, err := readAll(file)
			if err != nil || damages != nil {
				t.Fatal(damages, err)
			}
			same(t, records, k.records)
			f, err := OpenFile(bytes.NewReader(file), int64(len(file)), "")
			if err != nil || f.Records() != int64(len(k.records)) {
				t.Fatalf("%d records, %v", f.Records(), err)
			}
			for _, i := range []int{0, 1, len(records) / 2, len(records) - 1} {
				if i < 0 || i >= len(records) {
					continue
				}
				r, err := f.From(int64(i))
				if err != nil {
					t.Fatal(err)
				}
				record, err := r.Next()
				if err != nil || !bytes.Equal(record, records[i]) || r.Record() != int64(i) {
					t.Fatalf("record %d is %.40q, %v", i, record, err)
				}
			}
		})
	}
}

// TestOffsets checks that no two records have the same offset.
func TestOffsets(t *testing.T) {
	m := maker{group: 3}
	file := m.file(texts(8, 50))
	r := NewReader(bytes.NewReader(file), "")
	for i := range int64(8) {
		n, err := r.Length()
		record, _ := r.Next()
		if want := m.entries[i/3].Offset + i%3; err != nil || r.Offset() != want || r.Record() != i ||
			n != int64(len(record)) {
			t.Errorf("record %d is at byte %d, want %d; %v", r.Record(), r.Offset(), want, err)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// TestFlippedBits flips one bit after another. Each flip is detected, and all returned records are those
// that were written.
func TestFlippedBits(t *testing.T) {
	for _, k := range []struct {
		maker   maker
		records [][]byte
	}{
		{maker{group: 1}, append(texts(20, 20), bytes.Repeat([]byte("long"), 17_000))},
		{maker{group: 5, zstd: true}, texts(23, 60)},
	} {
		file := k.maker.file(k.records)
		known := map[string]bool{}
		for _, r := range k.records {
			known[string(r)] = true
		}
		bits := func(at int) bool { // where there is more than zeros, and here and there
			return at < 300 || at%blockSize < 70 || at%4999 == 0 || file[at] != 0 && file[at-1] == 0
		}
		for at := range file {
			if !bits(at) {
				continue
			}
			file[at] ^= 1 << (at % 8)
			records, damages, err := readAll(file)
			file[at] ^= 1 << (at % 8)
			if err != nil || len(damages) == 0 {
				t.Fatalf("byte %d: %q, %v", at, damages, err)
			}
			for _, r := range records {
				if !known[string(r)] {
					t.Fatalf("byte %d: a record %.40q", at, r)
				}
			}
		}
	}
}

// TestZeros damages the padding after a chunk of many empty records. All records are read.
func TestZeros(t *testing.T) {
	m := maker{group: 2000, zstd: true}
	file := m.file(make([][]byte, 5000))
	at := m.entries[1].Offset - 10
	file[at] = 7
	records, damages, err := readAll(file)
	want := fmt.Sprintf("record 0 at byte 64: byte %d, which follows its chunk, is 7 and not 0", at)
	if err != nil || len(records) != 5000 || !slices.Equal(damages, []string{want}) {
		t.Errorf("%d records, %q, want %q; %v", len(records), damages, want, err)
	}
}

// TestTruncated truncates files. Each truncation is detected, and the records before it are read.
func TestTruncated(t *testing.T) {
	m := maker{group: 4}
	all := texts(30, 5000)
	file := m.file(all)
	for n := 0; n < len(file); n += 1 + len(file)/500 {
		records, damages, err := readAll(file[:n])
		if err != nil || len(damages) == 0 {
			t.Fatalf("%d bytes: %q, %v", n, damages, err)
		}
		same(t, records, all[:len(records)])
		want := 0
		for i, e := range m.entries {
			end := int64(len(file))
			if i+1 < len(m.entries) {
				end = m.entries[i+1].Offset
			}
			if end <= int64(n) {
				want += int(e.Records)
			}
		}
		if len(records) < want && n < len(file)-2*blockSize {
			t.Fatalf("%d bytes: %d records, want %d", n, len(records), want)
		}
	}
}

// TestSalvage loses only damaged records, and records that cannot be found again.
func TestSalvage(t *testing.T) {
	all := texts(300, 3000)
	m := maker{group: 1}
	file := m.file(all)
	for _, c := range []struct {
		name   string
		damage func(f []byte) []byte
		lost   int
	}{
		{"data", func(f []byte) []byte { f[m.entries[7].Offset+44] ^= 1; return f }, 1},
		{"header", func(f []byte) []byte { f[m.entries[7].Offset+20] ^= 1; return f }, 1},
		{"signature", func(f []byte) []byte { f[30] ^= 1; return f }, 0},
		{"block", func(f []byte) []byte { f[blockSize+9] ^= 1; return f }, 0},
		{"footer", func(f []byte) []byte { f[len(f)-blockSize-40] ^= 1; return f }, 0},
		{"postscript", func(f []byte) []byte { f[len(f)-blockSize+70] ^= 1; return f }, 0},
		{"postscript header", func(f []byte) []byte { f[len(f)-blockSize+30] ^= 1; return f }, 0},
		{"no end", func(f []byte) []byte { return f[:len(f)-blockSize] }, 0},
		{"appended", func(f []byte) []byte { return append(f, make([]byte, 10_000)...) }, 0},
		{"two files", func(f []byte) []byte { return append(f, f...) }, -300},
		{"a hole", func(f []byte) []byte { clear(f[m.entries[20].Offset+2 : m.entries[30].Offset+3]); return f }, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			records, damages, err := readAll(c.damage(bytes.Clone(file)))
			if err != nil || len(damages) == 0 || len(records) != len(all)-c.lost {
				t.Errorf("%d of %d records; %q, %v", len(records), len(all), damages, err)
			}
		})
	}
}

func TestSalvageGroups(t *testing.T) {
	m := maker{group: 10}
	file := m.file(texts(100, 3000))
	file[m.entries[3].Offset+300] ^= 1
	r := NewReader(bytes.NewReader(file), "x")
	var numbers []int64
	for {
		_, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			want := fmt.Sprintf("x: record 30 at byte %d: the data of its chunk is damaged: none of its 10 records "+
				"can be read", m.entries[3].Offset)
			if err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
			continue
		}
		numbers = append(numbers, r.Record())
	}
	if len(numbers) != 90 || numbers[29] != 29 || numbers[30] != 40 {
		t.Errorf("the records are %v", numbers)
	}
}

// TestInvalidFiles has files that cannot be read, with their errors.
func TestInvalidFiles(t *testing.T) {
	for _, c := range []struct {
		kind chunkType
		data string
		want string
	}{
		{recordsType, "b\x01\x00", "its chunk is compressed with brotli; expected zstd or no compression"},
		{recordsType, "s\x01\x00", "its chunk is compressed with snappy; expected zstd or no compression"},
		{transposedType, "\x00", "its chunk is transposed; expected simple chunks, as transpose:false writes them"},
	} {
		var m maker
		m.chunk(signatureType, nil, 0, 0)
		m.chunk(c.kind, []byte(c.data), 1, 0)
		r := NewReader(bytes.NewReader(m.end()), "x")
		_, err := r.Next()
		if want := "x: record 0 at byte 64: " + c.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if again := r.Resync(); again != err {
			t.Errorf("Resync goes on with %v", again)
		}
	}
}

// TestValidHashesOfWrongNumbers has files with valid hashes and wrong numbers.
func TestValidHashesOfWrongNumbers(t *testing.T) {
	huge := "z\x10" + strings.Repeat("\xff", 9) + "\x01" + "\x80\x80\x80\x80\x04\x28\xb5\x2f\xfd"
	for _, c := range []struct {
		name string
		head chunkHeader
		data string
		want string
	}{
		{"sizes beyond the data", chunkHeader{Records: 1}, "\x00\x7f\x01",
			"the sizes of its chunk's records are cut off"},
		{"no data", chunkHeader{Records: 1}, "", "its chunk has no data"},
		{"unknown compression", chunkHeader{Records: 1}, "q\x00", "unknown compression"},
		{"record beyond the chunk", chunkHeader{Records: 1, DecodedSize: 1}, "\x00\x01\x7fa",
			"record 0 of its chunk ends beyond it"},
		{"fewer records", chunkHeader{Records: 2, DecodedSize: 1}, "\x00\x01\x01a",
			"the sizes of 1 records, and 2 in its header"},
		{"other size", chunkHeader{Records: 1, DecodedSize: 2}, "\x00\x01\x01a",
			"have 1 bytes of 1, and 2 in its header"},
		{"long chunk", chunkHeader{Records: 1, DataSize: 1 << 40}, "", "chunks up to 1073741824 bytes are read"},
		{"many records", chunkHeader{Records: 1 << 55}, "", "chunks up to 1073741824 bytes are read"},
		{"cut off", chunkHeader{Records: 1, DataSize: 1 << 30}, "", "the file ends within its chunk"},
		{"bomb", chunkHeader{Records: 1, DecodedSize: 1 << 30}, huge, "claim to be"},
		{"values claim", chunkHeader{Records: 1, DecodedSize: 1 << 30},
			"z\x02\x01\x00\x80\x80\x80\x80\x04\x28\xb5\x2f\xfd", "claim to be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m maker
			m.chunk(signatureType, nil, 0, 0)
			h := c.head
			h.Type = recordsType
			if h.DataSize == 0 {
				h.DataSize = uint64(len(c.data))
			}
			h.DataHash = hash([]byte(c.data))
			file := append(h.append(m.out), c.data...)
			r := NewReader(bytes.NewReader(file), "")
			_, err := r.Next()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if n := cap(r.chunk.data) + cap(r.chunk.decompressed); n > 1<<20 {
				t.Errorf("%d bytes of memory were taken", n)
			}
		})
	}
}

// TestWrongFooter has footers with valid hashes and wrong contents.
func TestWrongFooter(t *testing.T) {
	for name, lie := range map[string]func(m *maker){
		"offset":  func(m *maker) { m.entries[2].Offset++ },
		"size":    func(m *maker) { m.entries[2].Size++ },
		"records": func(m *maker) { m.entries[2].Records++ },
		"sum":     func(m *maker) { m.records++ },
		"fewer":   func(m *maker) { m.entries = m.entries[:3] },
	} {
		m := maker{group: 1}
		m.chunk(signatureType, nil, 0, 0)
		for _, r := range texts(5, 10) {
			m.entries = append(m.entries, chunkEntry{int64(len(m.out)), int64(len(r)), 1})
			m.write([][]byte{r}, false)
			m.records++
		}
		lie(&m)
		records, damages, err := readAll(m.end())
		if err != nil || len(records) != 5 || len(damages) != 1 || !strings.Contains(damages[0], "footer") {
			t.Errorf("%s: %d records, %q, %v", name, len(records), damages, err)
		}
	}
}

// TestRecordLikeAFooter reads records that look like the footer of a file, as in files about files.
func TestRecordLikeAFooter(t *testing.T) {
	empty := maker{group: 1}
	want := [][]byte{empty.footer()[0], empty.footer()[0], []byte("x")}
	records, damages, err := readAll((&maker{group: 1}).file(want))
	if err != nil || damages != nil {
		t.Fatal(damages, err)
	}
	same(t, records, want)
}

// errDisk is an error of the disk.
var errDisk = errors.New("the disk failed")

func TestDiskFails(t *testing.T) {
	file := (&maker{group: 1}).file(texts(3, 10))
	r := NewReader(io.MultiReader(bytes.NewReader(file[:200]), failing{}), "x")
	for {
		_, err := r.Next()
		if err == nil {
			continue
		}
		if !errors.Is(err, errDisk) || r.Resync() != err {
			t.Error(err)
		}
		break
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

// FuzzReader reads any bytes: as the beginning of a file, and as chunks with valid hashes. None of
// them is a complete file.
func FuzzReader(f *testing.F) {
	for _, k := range []maker{{group: 1}, {group: 2, zstd: true}} {
		file := k.file(texts(5, 10))
		f.Add(file[:400], byte('r'), uint64(1), uint64(1), true)
		f.Add(file[SignatureSize+chunkHeaderSize:k.entries[1].Offset], byte('r'), uint64(k.group),
			uint64(k.entries[0].Size), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, kind byte, records, decoded uint64, isFile bool) {
		file := data
		if !isFile {
			h := chunkHeader{uint64(len(data)), hash(data), chunkType(kind), records & (1<<56 - 1), decoded}
			chunk := append(h.append(nil), data...)
			file = slices.Concat(appendHead(nil), chunk, chunk)
		}
		got, damages, err := readAll(file)
		if err != nil && !errors.As(err, new(*RefusedError)) {
			t.Fatal(err)
		}
		if err == nil && len(damages) == 0 {
			t.Fatalf("%d bytes are a complete file of %d records", len(file), len(got))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"small", 100}, {"images", 100_000}} {
		file := (&maker{group: 1}).file(texts(5_000_000/c.size, 2*c.size))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(file), "")
				for err := error(nil); err == nil; {
					_, err = r.Next()
				}
			}
		})
	}
}
