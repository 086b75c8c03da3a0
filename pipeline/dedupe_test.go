package pipeline

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/message"
	"tfr-build/pipeline/duplicates"
)

// cells are values that are easily mistaken for one another.
var cells = []string{"a", "A", " a", "1", "1.0", "0", "-0", "NaN", "nan", "é", "e\u0301", "\"x,y\"", "\"two\nlines\"",
	strings.Repeat("long ", 20), "\xff", ""}

// jsonValues are values of JSON, some of which are equal. Python's true equals 1, so it is not among them.
var jsonValues = []string{"1", "1.0", "10e-1", "0", "-0.0", "0.1", "1e-1", "1e300", "123456789012345678",
	"123456789012345679", `"1"`, `""`, `"1.0"`, "null", "-1", `"\u00e9"`, `"é"`, ""}

// randomLines returns rows of JSON with the columns id, c0, and c1, some of which are missing.
func randomLines(r *rand.Rand) string {
	var b strings.Builder
	values := 1 + r.IntN(len(jsonValues))
	for i := range 1 + r.IntN(60) {
		fmt.Fprintf(&b, `{"id": %d`, i)
		for c := range 2 {
			if v := jsonValues[len(jsonValues)-1-r.IntN(values)]; v != "" {
				fmt.Fprintf(&b, `, "c%d": %s`, c, v)
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// putArrays writes the arrays of a random table of floats.
func putArrays(t *testing.T, r *rand.Rand, name string) {
	t.Helper()
	floats := []float64{0, math.Copysign(0, -1), 1, math.NaN(), -math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 1e300}
	n, values := 1+r.IntN(60), 1+r.IntN(len(floats))
	var columns [3]strings.Builder
	for i := range n {
		for c, v := range []uint64{uint64(i), math.Float64bits(floats[r.IntN(values)]),
			math.Float64bits(floats[r.IntN(values)])} {
			columns[c].Write(binary.LittleEndian.AppendUint64(nil, v))
		}
	}
	for c, kind := range []string{"<i8", "<f8", "<f8"} {
		testenv.Put(t, name+[]string{".id", ".c0", ".c1"}[c],
			filetest.NPY(kind, fmt.Sprintf("(%d,)", n), columns[c].String()))
	}
}

// randomTable returns a table with an id per row, and some columns of few values.
func randomTable(r *rand.Rand) (table string, columns []string) {
	var b strings.Builder
	b.WriteString("id")
	for i := range 1 + r.IntN(4) {
		columns = append(columns, fmt.Sprint("c", i))
		b.WriteString("," + columns[i])
	}
	values := 1 + r.IntN(len(cells))
	for i := range 1 + r.IntN(60) {
		fmt.Fprintf(&b, "\n%d", i)
		for range columns {
			b.WriteString("," + cells[r.IntN(values)])
		}
	}
	return b.String() + "\n", columns
}

// TestDuplicatesOfPandas compares which rows stay with pandas, for random tables.
func TestDuplicatesOfPandas(t *testing.T) {
	tftest.Python(t)
	dir, r := t.TempDir(), rand.New(rand.NewPCG(5, 6))
	tables := testenv.Times(60, 300, 300)
	sources := make([]string, tables)
	for i := range tables {
		name := filepath.Join(dir, fmt.Sprintf("%03d", i))
		by := []string{"c0", "c1"}
		switch i % 3 {
		case 0:
			var table string
			table, by = randomTable(r)
			testenv.Put(t, name+".csv", table)
			sources[i] = fmt.Sprintf("csv: {files: %03d.csv}", i)
		case 1:
			testenv.Put(t, name+".jsonl", randomLines(r))
			sources[i] = fmt.Sprintf("jsonl: {files: %03d.jsonl}", i)
		default:
			putArrays(t, r, name)
			sources[i] = fmt.Sprintf("arrays: {columns: {id: %03d.id, c0: %03d.c0, c1: %03d.c1}}", i, i, i)
		}
		r.Shuffle(len(by), func(i, j int) { by[i], by[j] = by[j], by[i] })
		testenv.Put(t, name+".by", strings.Join(by[:1+r.IntN(len(by))], " "))
	}
	tftest.Run(t, filepath.Join("testdata", "duplicated.py"), dir)
	skipped := 0
	for i := range tables {
		name := fmt.Sprintf("%03d", i)
		by, kept := string(read(t, dir, name+".by")), string(read(t, dir, name+".kept"))
		cfg := load(t, dir, fmt.Sprintf("name: d\noutput: out\norder: source\nsource: {%s}\ndedupe: {by: "+
			"[%s]}\nrecord: {text: id}\non_error: skip\nmax_errors: 100%%\n", sources[i],
			strings.ReplaceAll(by, " ", ", ")))
		result, err := Build(t.Context(), cfg, ways[i%len(ways)].run(filepath.Join(t.TempDir(), "out")))
		text, _ := os.ReadFile(filepath.Join(dir, name+".jsonl"))
		occurs := func(column string) bool { return strings.Contains(string(text), `"`+column+`"`) }
		if len(text) > 0 && !slices.ContainsFunc(strings.Fields(by), occurs) {
			if err == nil || !strings.Contains(err.Error(), "no row has the column") {
				t.Errorf("table %s by %s: %v, and no row has the columns", name, by, err)
			}
			continue
		}
		if kept == "" { // all rows are rejected
			if err == nil {
				t.Errorf("table %s by %s: no row was to stay", name, by)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s by %s: %v", name, by, err)
		}
		if got := strings.Join(payloadsOf(t, result.Output)["train"], " "); got != kept {
			t.Errorf("table %s by %s: rows %s stay, expected %s", name, by, got, kept)
		}
		skipped += int(result.Manifest.Skipped()["dedupe"])
	}
	if skipped < 3*tables {
		t.Errorf("only %d rows are skipped", skipped)
	}
}

// listOf returns the list of duplicates in a file, as skipped and staying rows.
func listOf(t *testing.T, name string) (list []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e duplicates.Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || !duplicates.IsFile(append(lines.Bytes(), '\n')) {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		text := fmt.Sprintf("%s:%d = %s:%d", e.File, e.Offset, e.Stays.File, e.Stays.Offset)
		if e.Lost {
			text += " lost"
		}
		list = append(list, text)
	}
	return list
}

// TestDuplicates builds small tables.
func TestDuplicates(t *testing.T) {
	for _, tt := range []struct {
		name, table, config string
		kept                string // by split
		list                string
		rejected            int64
	}{
		{"all columns", "a,b\n1,x\n1,x\n1,y\n", "dedupe: {}", "train 1x 1y", "t.csv:8 = t.csv:4", 0},
		{"one column", "a,b\n1,x\n1,y\n2,x\n", "dedupe: {by: [a]}", "train 1x 2x", "t.csv:8 = t.csv:4", 0},
		{"all equal", "a,b\n" + strings.Repeat("1,x\n", 5), "dedupe: {by: [b]}", "train 1x",
			"t.csv:8 = t.csv:4 t.csv:12 = t.csv:4 t.csv:16 = t.csv:4 t.csv:20 = t.csv:4", 0},
		{"missing", "a,b\n1,\n2,\n3,x\n", "dedupe: {by: [b]}", "train 1 3x", "t.csv:7 = t.csv:4", 0},
		{"after where", "a,b\n1,x\n2,x\n3,x\n", "where: 'a != \"1\"'\ndedupe: {by: [b]}", "train 2x",
			"t.csv:12 = t.csv:8", 0},
		{"where reads", "a,b\n0,x\n2,x\n3,x\n",
			"where: '6 / int(a) < 10'\ndedupe: {by: [b]}\non_error: skip\nmax_errors: 50%", "train 2x",
			"t.csv:12 = t.csv:8", 1},
		{"lost", "a,b\nz,x\n2,x\n3,y\n", "dedupe: {by: [b]}\non_error: skip\nmax_errors: 50%", "train 3y",
			"t.csv:8 = t.csv:4 lost", 1},
		{"columns of dedupe only", "a,b\n0,x\n2,x\n2,y\n",
			"derive: {k: '6 / int(a)'}\ndedupe: {by: [k]}\non_error: skip\nmax_errors: 50%", "train 2x",
			"t.csv:12 = t.csv:8",
			1},
		{"prefer", "a,b\n1,train\n1,test\n2,train\n1,dev\n", "split: {column: b}\ndedupe: {by: [a], prefer: [test]}",
			"test 1test train 2train", "t.csv:4 = t.csv:12 t.csv:27 = t.csv:12", 0},
		{"not listed", "a,b\n1,dev\n1,train\n", "split: {column: b}\ndedupe: {by: [a], prefer: [test]}", "dev 1dev",
			"t.csv:10 = t.csv:4", 0},
		{"prefer without a split", "a,b\n1,?\n1,train\n",
			"split: {column: b}\ndedupe: {by: [a], prefer: [test]}\non_error: skip\nmax_errors: 50%", "train 1train",
			"", 1},
		{"invalid UTF-8", "a,b\n1,\xff\n2,x\n3,\xff\n2,x\n", "dedupe: {by: [b]}\non_error: skip\nmax_errors: 50%",
			"train 2x", "t.csv:16 = t.csv:8", 2},
		{"sampled or not", "a,b\n" + strings.Repeat("1,x\n", 20), "dedupe: {by: [b]}\nsample: " +
			"0.000001%\nallow_empty: true", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"t.csv": tt.table})
			text := strings.Replace(tt.config, "dedupe: {", "dedupe: {duplicates: d.jsonl, ", 1)
			cfg := load(t, dir, "name: d\noutput: out\norder: source\nsource: {csv: {files: "+
				"t.csv}}\n"+text+"\nfeatures: {a: int64, b: {type: bytes, missing: omit}}\n")
			for i, w := range ways {
				if tt.kept == "" && i > 0 {
					continue
				}
				var warnings []string
				run := w.run(filepath.Join(t.TempDir(), "out"))
				run.Warn = func(text string) { warnings = append(warnings, text) }
				result, err := Build(t.Context(), cfg, run)
				if err != nil {
					t.Fatal(err)
				}
				if tt.kept == "" {
					continue
				}
				var kept []string
				for _, split := range []string{"dev", "test", "train"} {
					if rows := recordsOf(t, run.Output)[split]; rows != nil {
						kept = append(append(kept, split), rows...)
					}
				}
				if got := strings.Join(kept, " "); got != tt.kept {
					t.Errorf("%+v: %s, expected %s", w, got, tt.kept)
				}
				accounted(t, run.Output)
				var list []string
				if tt.list != "" {
					list = listOf(t, filepath.Join(dir, "d.jsonl"))
				} else if _, err := os.Stat(filepath.Join(dir, "d.jsonl")); err == nil {
					t.Error("there is a list")
				}
				if got := strings.Join(list, " "); got != tt.list {
					t.Errorf("%+v: the list is %s, expected %s", w, got, tt.list)
				}
				rejected := int64(0)
				for _, n := range result.Manifest.Sources[0].Rejected {
					rejected += n
				}
				if rejected != tt.rejected {
					t.Errorf("%d rows are rejected, expected %d", rejected, tt.rejected)
				}
				if n := result.Manifest.Skipped()["dedupe"]; n != int64(len(list)) {
					t.Errorf("%d rows are skipped, and %d listed", n, len(list))
				}
				if lost := strings.Contains(tt.list, "lost"); lost != strings.Contains(strings.Join(warnings, "\n"),
					"1 row skipped although") {
					t.Errorf("warnings: %q", warnings)
				}
			}
		})
	}
}

// TestNamesWithAt checks that dedupe compares columns of the row whose names begin with @, and none that
// say where the row comes from.
func TestNamesWithAt(t *testing.T) {
	for _, tt := range []struct{ source, text, features string }{
		{"csv: {files: t}", ",b\n1,x\n2,x\n1,x\n", `a: {from: "@0", type: int64}`},
		{"jsonl: {files: t}", `{"@id": 1, "b": "x"}` + "\n" + `{"@id": 2, "b": "x"}` + "\n" + `{"@id": 1, "b": "x"}` +
			"\n", `a: {from: "@id", type: int64}`},
	} {
		dir := testenv.Directory(t, map[string]string{"t": tt.text})
		cfg := load(
			t, dir, "name: d\noutput: out\n"+
				"source: {"+tt.source+"}\ndedupe: {}\nfeatures:\n  "+tt.features+"\n  b: bytes\n  "+
				"row: {from: \"@offset\", type: int64}\n")
		run := ways[0].run(filepath.Join(t.TempDir(), "out"))
		result, err := Build(t.Context(), cfg, run)
		if err != nil {
			t.Fatal(err)
		}
		if n := result.Manifest.Skipped()["dedupe"]; n != 1 {
			t.Errorf("%s: %d rows are skipped, expected 1", tt.source, n)
		}
	}
}

// recordsOf returns the features a and b of each record, joined, by split.
func recordsOf(t *testing.T, out string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for split, payloads := range payloadsOf(t, out) {
		for _, payload := range payloads {
			text := ""
			message.Each(message.Example, []byte(payload), func(_ []byte, f message.Feature) {
				if f.List == message.BytesList {
					for data := range f.Bytes() {
						text += string(data)
					}
					return
				}
				for n := range f.Ints() {
					text += fmt.Sprint(n)
				}
			})
			all[split] = append(all[split], text)
		}
	}
	return all
}

// TestDuplicateNumbers compares rows of JSON by the exact values of numbers.
func TestDuplicateNumbers(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"t.jsonl": `{"id": 0, "x": 1}` + "\n" + `{"id": 1, "x": 1.0}` + "\n" + `{"id": 2, "x": "1"}` + "\n" +
			`{"id": 3, "x": -0.0}` + "\n" +
			`{"id": 4, "x": 0}` + "\n" + `{"id": 5, "x": null}` + "\n" + `{"id": 6}` + "\n" + `{"id": 7, "x": [1, 2]}` +
			"\n" +
			`{"id": 8, "x": [1.0, 2e0]}` + "\n" + `{"id": 9, "x": [[1, 2]]}` + "\n",
	})
	cfg := load(t, dir, "name: d\noutput: out\norder: source\nsource: {jsonl: {files: t.jsonl}}\ndedupe: {by: "+
		"[x]}\nrecord: {text: id}\n")
	if got := strings.Join(payloadsOf(t, mustBuild(t, cfg, ways[0]))["train"], " "); got != "0 2 3 5 7 9" {
		t.Errorf("rows %s stay", got)
	}
}

// putImage writes a PNG of a color, with one of two compressions.
func putImage(t *testing.T, name string, width int, c color.Color, level png.CompressionLevel) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, 12/width))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	for x := range width {
		m.Set(x, 0, c)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err == nil {
		err = (&png.Encoder{CompressionLevel: level}).Encode(f, m)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestDuplicateImages finds planted copies in two trees of images, one per split.
func TestDuplicateImages(t *testing.T) {
	dir := t.TempDir()
	red, blue, green := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{0, 128, 0, 255}
	for name, m := range map[string]struct {
		width int
		c     color.Color
		level png.CompressionLevel
	}{
		"train/cat/1.png": {4, red, png.BestCompression}, "train/cat/2.png": {4, blue, png.BestCompression},
		"train/dog/3.png": {4, red, png.BestCompression}, "train/dog/4.png": {4, red, png.NoCompression},
		"train/dog/5.png": {3, red, png.BestCompression}, "test/cat/1.png": {4, green, png.BestCompression},
		"test/cat/6.png": {4, blue, png.BestCompression}, "test/dog/7.png": {4, green, png.NoCompression},
	} {
		putImage(t, filepath.Join(dir, name), m.width, m.c, m.level)
	}
	testenv.Put(t, filepath.Join(dir, "train/cat/bad.png"), string(read(t, dir, "train/cat/2.png")[:40]))
	const convert = ", convert: {resize: {width: 2, height: 2}, format: png}"
	for _, tt := range []struct{ dedupe, convert, list string }{
		{"{by: [image]", "", "dog/3.png = cat/1.png, cat/6.png = cat/2.png"},
		{"{by: [image]", convert, "dog/3.png = cat/1.png, cat/6.png = cat/2.png"},
		{"{by: [image, class]", "", "cat/6.png = cat/2.png"},
		{"{by: [image], prefer: [test, train]", "", "cat/2.png = cat/6.png, dog/3.png = cat/1.png"},
		{"{by: [image.pixels]", "",
			"dog/3.png = cat/1.png, dog/4.png = cat/1.png, cat/6.png = cat/2.png, dog/7.png = cat/1.png"},
		{"{by: [image.pixels]", convert,
			"dog/3.png = cat/1.png, dog/4.png = cat/1.png, cat/6.png = cat/2.png, dog/7.png = cat/1.png"},
	} {
		cfg := load(
			t, dir, "name: d\noutput: out\nsources:\n- images: {dir: "+
				"train"+tt.convert+"}\n  split: train\n- images: {dir: test"+tt.convert+"}\n  split: test\n"+
				"dedupe: "+tt.dedupe+", duplicates: d.jsonl}\nfeatures: {image: {}, class: string, path: "+
				"string}\non_error: skip\nmax_errors: 1\n")
		for _, w := range ways[:3] {
			out := mustBuild(t, cfg, w)
			accounted(t, out)
			var list []string
			for _, line := range listOf(t, filepath.Join(dir, "d.jsonl")) {
				list = append(list, strings.ReplaceAll(line, ":0", ""))
			}
			if got := strings.Join(list, ", "); got != tt.list {
				t.Errorf("%s%s: %s, expected %s", tt.dedupe, tt.convert, got, tt.list)
			}
			if n := manifestOf(t, out).Skipped()["dedupe"]; int(n) != len(list) {
				t.Errorf("%s: %d rows are skipped, and %d listed", tt.dedupe, n, len(list))
			}
		}
	}
}

// TestDuplicateFiles compares trees of random files with a map of SHA-256. Many have one size and
// begin alike, and copies are in the same split and in others. Some cannot be read.
func TestDuplicateFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for round := range testenv.Times(2, 20, 20) {
		dir, names := t.TempDir(), []string{}
		for i := range 150 {
			// Content after the first bytes that are compared first, or before.
			head, tail := strings.Repeat(fmt.Sprint(r.IntN(3)), 4090+r.IntN(8)), fmt.Sprint(r.IntN(6))
			name := fmt.Sprintf("%s/%03d.bin", []string{"train", "test"}[r.IntN(2)], i)
			testenv.Put(t, filepath.Join(dir, name), head+tail)
			names = append(names, name)
		}
		long := "test/long.bin" // larger than limits.record
		testenv.Put(t, filepath.Join(dir, long), strings.Repeat("long", 5000))
		testenv.Put(t, filepath.Join(dir, "train/long.bin"), strings.Repeat("long", 5000))
		cfg := load(t, dir, "name: d\noutput: out\nsources:\n- folder: {dir: train}\n  split: train\n- folder: {dir: "+
			"test}\n  split: test\n"+
			"limits: {record: 10KB}\ndedupe: {by: [content], prefer: [test], duplicates: d.jsonl}\nfeatures: "+
			"{content: bytes}\non_error: skip\nmax_errors: 50%\n")
		slices.SortFunc(names, func(a, b string) int { // the order in which rows stay
			return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(a, b))
		})
		first, want := map[[32]byte]string{}, []string{}
		for _, name := range names {
			sum := sha256.Sum256(read(t, dir, name))
			if stays, known := first[sum]; known {
				want = append(want, fmt.Sprintf("%s = %s", path.Base(name), path.Base(stays)))
			} else {
				first[sum] = name
			}
		}
		for _, w := range ways[:3] {
			out := mustBuild(t, cfg, w)
			accounted(t, out)
			got := listOf(t, filepath.Join(dir, "d.jsonl"))
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], ":0", "")
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("round %d, %+v: the list is\n%s\nexpected\n%s", round, w, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
			m := manifestOf(t, out)
			if n := m.Skipped()["dedupe"]; n != int64(len(want)) ||
				m.Splits[0].Written+m.Splits[1].Written != int64(len(first)) {
				t.Errorf("round %d: %d rows are skipped, expected %d", round, n, len(want))
			}
		}
	}
}

// TestDuplicatesOnDisk compares rows with little memory: ranges of hashes and of positions are in
// spill files, and each takes several readings.
func TestDuplicatesOnDisk(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, values := range []int{1, 50, 3000, 1 << 30} {
		var table strings.Builder
		table.WriteString("id,k\n")
		seen, kept := map[int]bool{}, []string{}
		for i := range 6000 {
			k := r.IntN(values)
			fmt.Fprintf(&table, "%d,%s%d\n", i, strings.Repeat("k", 40), k)
			if !seen[k] {
				seen[k], kept = true, append(kept, fmt.Sprint(i))
			}
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": table.String(),
			"t.csv.gz": filetest.Gzip(table.String())})
		for _, file := range []string{"t.csv", "t.csv.gz"} {
			cfg := load(t, dir, "name: d\noutput: out\norder: source\nsource: {csv: {files: "+file+"}}\ndedupe: "+
				"{by: [k], duplicates: d.jsonl}\nrecord: {text: id}\n")
			for _, workers := range []int{1, 3} {
				run := Run{Workers: workers, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"),
					runLimit: 40_000}
				if _, err := Build(t.Context(), cfg, run); err != nil {
					t.Fatal(err)
				}
				if got := payloadsOf(t, run.Output)["train"]; !slices.Equal(got, kept) {
					t.Errorf("%s, %d values, %d workers: %d rows stay, expected %d", file, values, workers,
						len(got), len(kept))
				}
				if n := 6000 - len(kept); n > 0 && len(listOf(t, filepath.Join(dir, "d.jsonl"))) != n {
					t.Errorf("the list does not have %d rows", n)
				}
			}
		}
	}
}

// TestDamagedComparison damages the spill files of compare and match tasks. The tasks that read
// them make them again.
func TestDamagedComparison(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": rowsCSV(3000), "in/a.txt": "1", "in/b.txt": "2",
		"in/c.txt": "1"})
	for _, tt := range []struct{ text, file, before string }{
		{"source: {csv: {files: t.csv}}\ndedupe: {by: [user, part]}\nfeatures: {id: int64}\n", "compare-0", "match"},
		{"source: {csv: {files: t.csv}}\ndedupe: {by: [user, part]}\nfeatures: {id: int64}\n", "match-0", "scan"},
		{"source: {folder: {dir: in}}\ndedupe: {}\nfeatures: {content: bytes}\n", "match-0", "merge"},
		{"source: {folder: {dir: in}}\ndedupe: {}\nfeatures: {content: bytes}\n", "match-0", "write"},
		{"source: {folder: {dir: in}}\ndedupe: {duplicates: d.jsonl}\nfeatures: {content: bytes}\n",
			"match-0", "commit"},
	} {
		t.Run(tt.file+" before "+tt.before, func(t *testing.T) {
			cfg := load(t, dir, "name: d\noutput: out\n"+tt.text)
			want, w := tree(t, mustBuild(t, cfg, ways[0])), filepath.Join(t.TempDir(), "w")
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Tasks: 3}
			if _, err := PlanTasks(t.Context(), cfg, run, w); err != nil {
				t.Fatal(err)
			}
			for _, phase := range Phases() {
				if string(phase) == tt.before {
					names, err := filepath.Glob(filepath.Join(w, "runs", tt.file+"-*"))
					if err != nil || len(names) != 1 {
						t.Fatalf("%q, %v", names, err)
					}
					info, err := os.Stat(names[0])
					if err == nil {
						err = os.Truncate(names[0], info.Size()-1)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				if err := oneTask(t, w, phase); err != nil {
					t.Fatalf("%s: %v", phase, err)
				}
			}
			if got := tree(t, run.Output); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestPlanOfDuplicates compares what a plan says with what builds do.
func TestPlanOfDuplicates(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(500), "b.csv.gz": filetest.Gzip(rowsCSV(500))})
	for _, file := range []string{"a.csv", "b.csv.gz"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: "+file+"}}\nwhere: 'x > 0.3'\ndedupe: {by: "+
			"[user, part]}\nsample: 60%\nfeatures: {id: int64}\n")
		p, err := MakePlan(t.Context(), cfg, Run{Workers: 2, Memory: MinMemory})
		if err != nil {
			t.Fatal(err)
		}
		m := manifestOf(t, mustBuild(t, cfg, ways[1]))
		if got, want := fmt.Sprint(p.Rows, p.Skipped), fmt.Sprint(m.Splits[0].Written, m.Skipped()); got != want ||
			m.Skipped()["dedupe"] == 0 {
			t.Errorf("%s: the plan has %s, the manifest %s", file, got, want)
		}
	}
}

// TestFirstDuplicates compares what check and try say of the first rows with a build of these rows.
func TestFirstDuplicates(t *testing.T) {
	all := strings.SplitAfter("id,k\n"+strings.Repeat("1,a\n2,b\n3,a\n", 1000), "\n")
	dir := testenv.Directory(t, map[string]string{
		"few.csv": "id,k,part\n1,x,train\n2,y,train\n3,x,test\n4,y,train\n5,z,test\n", "all.csv": strings.Join(all, ""),
		"first.csv": strings.Join(all[:1001], ""),
	})
	few := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: few.csv}}\nsplit: {column: part}\ndedupe: {by: "+
		"[k], prefer: [test]}\nfeatures: {id: int64}\n")
	var said, shown []string
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"),
		Inform: func(text string) { said = append(said, strings.ReplaceAll(text, dir+"/", "")) }}
	err := Try(t.Context(), few, run, 10, func(e Example) error {
		shown = append(shown, filepath.Base(e.Position))
		return nil
	})
	const wantSaid = "few.csv:2: skipped by dedupe: equal to few.csv:4; few.csv:5: skipped by dedupe: equal to " +
		"few.csv:3; looked at all 5 rows; dedupe skips 2 of them"
	if got := strings.Join(said, "; "); err != nil || got != wantSaid ||
		strings.Join(shown, " ") != "few.csv:3 few.csv:4 few.csv:6" {
		t.Errorf("%v: shown %q, said %s", err, shown, got)
	}
	config := "name: d\noutput: out\nsource: {csv: {files: %s.csv}}\nwhere: 'id != \"2\"'\ndedupe: {by: [id, " +
		"k]}\nsample: 60%%\nfeatures: {id: int64}\n"
	first := manifestOf(t, mustBuild(t, load(t, dir, fmt.Sprintf(config, "first")), ways[0])).Skipped()["dedupe"]
	said = nil
	err = Check(t.Context(), load(t, dir, fmt.Sprintf(config, "all")), run)
	want := fmt.Sprintf("looked at the first 1000 rows; dedupe skips %d of them", first)
	if err != nil || first < 500 || !slices.Contains(said, want) {
		t.Errorf("%v: said %q, expected %q", err, said, want)
	}
}
