package arrays

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/order"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// both returns the rows of arrays, read in both ways if both are possible.
func both(t *testing.T, in *arraysInput) []string {
	t.Helper()
	list, err := sequential(t, in)
	if err != nil {
		t.Fatal(err)
	}
	if in.Footprint().Streamed {
		return list
	}
	if found, err := mapped(t, in); err != nil || !slices.Equal(found, list) {
		t.Errorf("rows in place\n got %q\nwant %q, %v", found, list, err)
	}
	return list
}

// TestIDX reads IDX files, big-endian, plain and compressed.
func TestIDX(t *testing.T) {
	want := []string{"0|00010203|7", "1|04050607|-2", "2|08090a0b|1"}
	for _, images := range []string{"images-idx3-ubyte", "images-idx3-ubyte.gz"} {
		in := mustOpen(t, "testdata", images, "labels-idx1-int")
		if got := both(t, in); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", images, got, want)
		}
		if a := in.Address(0); a != (order.File{Name: "images-idx3-ubyte", Size: 3}) {
			t.Errorf("%s: address %+v", images, a)
		}
		c, _ := in.Columns().Find("c1")
		if c.Type != "int32" || c.Shape != nil {
			t.Errorf("labels: %+v", c)
		}
	}
}

// TestIDXTypes reads each type of IDX.
func TestIDXTypes(t *testing.T) {
	for typ, want := range map[byte]string{
		0x08: "uint8 01", 0x09: "int8 ff", 0x0b: "int16 0201", 0x0c: "int32 04030201", 0x0d: "float32 0000c03f",
		0x0e: "float64 000000000000f83f",
	} {
		elements := map[byte]string{0x08: "\x01", 0x09: "\xff", 0x0b: "\x01\x02", 0x0c: "\x01\x02\x03\x04",
			0x0d: "\x3f\xc0\x00\x00", 0x0e: "\x3f\xf8" + zeros(6)}[typ]
		dir := testenv.Directory(t, map[string]string{"a": filetest.IDX(typ, elements, 1, 1)})
		in := mustOpen(t, dir, "a")
		c, _ := in.Columns().Find("c0")
		if got := both(t, in); !slices.Equal(got, []string{"0|" + want[len(c.Type)+1:]}) ||
			c.Type != want[:len(c.Type)] {
			t.Errorf("type %#x: %s %q, want %s", typ, c.Type, got, want)
		}
	}
}

// TestRange reads a range of rows, with their offsets among all rows.
func TestRange(t *testing.T) {
	fortran := func(rows int, elements string) string {
		return filetest.NPYHeader(2, fmt.Sprintf("{'descr': '|u1', 'fortran_order': True, 'shape': (%d, 2)}", rows),
			elements)
	}
	files := map[string]string{
		"a.npy": filetest.NPY("|u1", "(5,)", "\x00\x01\x02\x03\x04"), "c.npy": filetest.NPY("|S1", "(5,)", "abcde"),
		"f.npy": fortran(5, "abcdeABCDE"),
	}
	for _, name := range []string{"a", "c", "f"} {
		files[name+".npy.gz"] = filetest.Gzip(files[name+".npy"])
	}
	dir := testenv.Directory(t, files)
	for _, names := range [][]string{{"a.npy", "c.npy", "f.npy"}, {"a.npy.gz", "c.npy", "f.npy.gz"},
		{"a.npy", "c.npy.gz", "f.npy"}} {
		for from := range int64(5) {
			for to := from + 1; to <= 5; to++ {
				in, err := open(dir, &Options{Columns: columns(names...), Rows: input.RowRange{From: from, To: to}})
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for i := from; i < to; i++ {
					want = append(want, fmt.Sprintf("%d|%d|%c|%x", i, i, 'a'+rune(i),
						[]byte{'a' + byte(i), 'A' + byte(i)}))
				}
				if got := both(t, in); !slices.Equal(got, want) {
					t.Errorf("%v, rows %d to %d: %q, want %q", names, from, to, got, want)
				}
				if a := in.Address(0); a != (order.File{Name: "a.npy", Size: 5}) {
					t.Errorf("address %+v", a)
				}
			}
		}
	}
}

// TestBlocks reads arrays in Fortran order whose rows take more than one block.
func TestBlocks(t *testing.T) {
	const rows = 5000
	for _, of := range []struct {
		descr       string
		size, width int // bytes of an element, and elements of a row
	}{{"|u1", 1, 1000}, {"|S3", 3, 200}, {"<i4", 4, 100}, {"<f8", 8, 60}} {
		at := func(row, k, b int) byte { return byte(row*7 + row>>8 + k*13 + b*29) }
		elements := make([]byte, 0, rows*of.width*of.size)
		for k := range of.width {
			for row := range rows {
				for b := range of.size {
					elements = append(elements, at(row, k, b))
				}
			}
		}
		file := filetest.NPYHeader(1, fmt.Sprintf("{'descr': '%s', 'fortran_order': True, 'shape': (%d, %d)}",
			of.descr, rows, of.width), string(elements))
		dir := testenv.Directory(t, map[string]string{"a.npy": file, "a.npy.gz": filetest.Gzip(file)})
		for _, name := range []string{"a.npy", "a.npy.gz"} {
			r, err := mustOpen(t, dir, name).Rows(0)
			if err != nil {
				t.Fatal(err)
			}
			for row := range rows {
				rec, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				for i, b := range rec.Raw {
					if b != at(row, i/of.size, i%of.size) {
						t.Fatalf("%s of %s: row %d, byte %d: %d", name, of.descr, row, i, b)
					}
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A counting counts its reads.
type counting struct{ reads int }

func (c *counting) ReadAt(p []byte, _ int64) (int, error) {
	c.reads++
	return len(p), nil
}

// TestRuns reads an array in Fortran order. Reads must not be too small, and must keep to the
// memory limit.
func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		name                            string
		rows, size, width, share, reads int
	}{
		{"few long rows: all at once", 20, 4, 100_000, readSizeAll, 1},
		{"short rows: as many as fit", 100_000, 4, 10, readSizeAll, 4 * 10},
		{"longer rows: a page of each element", 5000, 4, 500, readSizeAll / 10, 5 * 500},
		{"rows for which there is little memory", 100, 4, 2000, readSizeAll / 512, 9 * 2000},
	} {
		a := &array{header: header{dtype: dtype{size: tt.size}, rows: int64(tt.rows), shape: []int{tt.width},
			stride: tt.size * tt.width, fortran: true}}
		c := &counting{}
		l := arrayReader{array: a, walk: a.newWalk(), share: tt.share, most: tt.share * (blocksAll / readSizeAll),
			blocks: c}
		row := make([]byte, a.stride)
		for i := range tt.rows {
			if err := l.readFortran(row, int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		if c.reads != tt.reads {
			t.Errorf("%s: read %d times, want %d", tt.name, c.reads, tt.reads)
		}
		if held := len(l.block.data); held > max(l.most, 2*a.stride) {
			t.Errorf("%s: %d bytes are in memory of %d", tt.name, held, l.most)
		}
	}
}

// TestFiles lists each file once, and assigns all rows to the first.
func TestFiles(t *testing.T) {
	member := func(name, elements string) packed {
		return packed{name: name + ".npy", text: filetest.NPY("|u1", "(2,)", elements)}
	}
	dir := testenv.Directory(t, map[string]string{
		"x.npz":   archive(t, member("a", "\x01\x02"), member("b", "\x03\x04"), member("#c#d", "\x01\x03")),
		"y.npz":   archive(t, member("a", "\x05\x06")),
		"z#1.npy": filetest.NPY("|u1", "(2,)", "\x07\x08"),
	})
	in := mustOpen(t, dir, "x.npz#b", "y.npz", "x.npz#a.npy", "z#1.npy#", "x.npz##c#d")
	if got, want := both(t, in), []string{"0|3|5|1|7|1", "1|4|6|2|8|3"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	var names []string
	for i, f := range in.Listing().Files {
		names = append(names, f.Name)
		rows, err := in.Rows(i)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rows.Next(); (err == nil) != (i == 0) {
			t.Errorf("the first row of %s: %v", f.Name, err)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"x.npz", "y.npz", "z#1.npy"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	if p := in.Footprint(); p.Maps != 3 || p.Text != 10 || p.Streamed {
		t.Errorf("footprint %+v", p)
	}
	if _, err := order.NewSpace([]order.File{in.Address(0), in.Address(1), in.Address(2)}); err != nil {
		t.Error(err)
	}
}

// TestDicts reads dicts as other programs write them.
func TestDicts(t *testing.T) {
	for _, text := range []string{
		`{"shape": (2L, 3L), "descr": "<i2", "fortran_order": True}`,
		"{ 'fortran_order' : True , 'shape':(2,3), 'descr':'<i2',}   \n",
		"{'descr': '<i2',\n 'fortran_order': True, 'shape': (2, 3,)}",
	} {
		d, err := parseDict(text)
		if err != nil || d.descr != "<i2" || !d.fortran || !slices.Equal(d.shape, []int64{2, 3}) {
			t.Errorf("%s: %+v, %v", text, d, err)
		}
	}
	if d, err := parseDict("{'descr': '<i2', 'fortran_order': False, 'shape': ()}"); err != nil || len(d.shape) != 0 {
		t.Errorf("no axis: %+v, %v", d, err)
	}
}
