package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/sources"
	"tfr-build/tfrecord"
)

// What docs/explanation/reliability.md says that an element of a row's lists takes: a value, and a number
// of a record.
const (
	ofValue  = 128
	ofNumber = 16
)

// A wideRow is a source with one row of many elements.
type wideRow struct {
	kind, name string
	source     string // of a config
	feature    string
	files      map[string]content
	size       int // of the row as text, or of its record if that is longer
	element    int // bytes that docs/explanation/reliability.md has for each element
}

// A content makes the content of a file, which takes long.
type content func() []byte

// wideRows have a row of n elements of each kind of source, compressed where it can be.
func wideRows(t *testing.T, n int) []wideRow {
	list := "[0" + strings.Repeat(",0", n-1) + "]"
	nulls := "[null" + strings.Repeat(",null", n-1) + "]"
	lists := "[[]" + strings.Repeat(",[]", n-1) + "]"
	objects := `[{"a":1}` + strings.Repeat(`,{"a":1}`, n-1) + "]"
	zipped := func(text ...string) content { return func() []byte { return gzipped([]byte(strings.Join(text, ""))) } }
	const numbers, zeros, texts = "{type: int64, shape: [-1]}", "{type: int64, shape: [-1], missing: {default: " +
		"0}}", "{type: bytes, shape: [-1]}"
	jsonl := func(name, column, feature, x string) wideRow {
		return wideRow{"jsonl", name, "jsonl: {files: x.jsonl.gz}",
			strings.Replace(feature, "{", "{from: "+strconv.Quote(column)+", ", 1),
			map[string]content{"x.jsonl.gz": zipped(`{"x":`, x, "}\n")}, len(x), ofValue}
	}
	parquet := func(name, feature string, size, element int, pages ...parquettest.Page) wideRow {
		p := &pages[len(pages)-1]
		p.Repeats = []parquettest.Run{{Level: 0, Count: 1}, {Level: 1, Count: n - 1}}
		return wideRow{"parquet", name, "parquet: {files: x.parquet}", feature,
			map[string]content{"x.parquet": func() []byte {
				return parquettest.File(1,
					parquettest.Column{Name: "x", Pages: pages})
			}}, size * n, element}
	}
	run := func(level byte) []parquettest.Run { return []parquettest.Run{{Level: level, Count: n}} }
	places := append(binary.AppendUvarint([]byte{1}, uint64(n)<<1), 0)
	record := func(name, feature string, list protowire.Number, values []byte, element int) wideRow {
		example := listExample(list, values)
		file := func() []byte { return gzipped(tfrecord.TFRecord.Append(nil, example)) }
		return wideRow{"tfrecord", name, "tfrecord: {files: x.tfrecord.gz}", feature,
			map[string]content{"x.tfrecord.gz": file}, len(example), element}
	}
	packed := func(values []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), values)
	}
	array := func(name, descr, feature string, width, record, element int) wideRow {
		return wideRow{"arrays", name, `arrays: {columns: {x: "x.npz#x"}}`, feature,
			map[string]content{"x.npz": func() []byte {
				return []byte(filetest.Zip(t, "x.npy", filetest.NPY(descr, fmt.Sprintf("(1, %d)", n),
					strings.Repeat("1", n*width))))
			}}, n * max(width, record), element}
	}
	plain := func(text string) content { return func() []byte { return []byte(text) } }
	// of one pixel
	const gif = "GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	moving := func(keys string) string {
		return "jsonl: {files: x.jsonl.gz}\n  load: {image: {path: '{name}', dir: in, convert: {crop: {width: 1, " +
			"height: 1}, " + keys + "}}}"
	}
	floats := func(shape string) string { return "{type: float, shape: [" + shape + "]}" }
	follows := func(name, keys, feature, values string) wideRow { // the source and the move take the values
		return wideRow{"jsonl", name, moving(keys), feature,
			map[string]content{"in/a.gif": plain(gif), "x.jsonl.gz": zipped(`{"name":"a.gif",`, values, "}\n")}, 10 * n,
			2 * ofValue}
	}
	zeroBytes := strings.Repeat("\x00", n)
	return []wideRow{
		{"csv", "separator", "csv: {files: x.csv.gz}", `{type: int64, shape: [-1], separator: ";"}`,
			map[string]content{"x.csv.gz": zipped("x\n1", strings.Repeat(";1", n-1), "\n")}, 2 * n, 0},
		{"csv", "JSON in a cell", "csv: {files: x.csv.gz}", `{type: int64, shape: [-1], encoding: json}`,
			map[string]content{"x.csv.gz": zipped("x\n\"", list, "\"\n")}, 2 * n, ofValue},
		{"csv", "many matches", "csv: {files: x.csv}\n  join:\n    - {csv: {files: side.csv.gz}, on: {x: k}, many: " +
			"true}", "{from: v, type: int64, shape: [-1]}",
			map[string]content{"x.csv": plain("x\na\n"), "side.csv.gz": zipped("k,v\n", strings.Repeat("a,1\n", n))},
			2 * n, ofValue + 160 + 5}, // which the table has, too, and counts
		jsonl("numbers", "x", numbers, list),
		jsonl("nulls", "x", zeros, nulls),
		jsonl("empty lists", "x", "{type: int64, shape: [-1, -1]}", lists),
		jsonl("a path", "x.*.a", numbers, objects),
		{"jsonl", "a derived list", "jsonl: {files: x.jsonl.gz}\n  derive: {y: 'x.map(v, v + 1)'}",
			strings.Replace(numbers, "{", "{from: y, ", 1),
			map[string]content{"x.jsonl.gz": zipped(`{"x":`, list, "}")},
			len(list), 2 * ofValue},
		{"csv", "a split cell", "csv: {files: x.csv.gz}\n  derive: {y: 'split(x, \";\")'}",
			strings.Replace(texts, "{", "{from: y, ", 1),
			map[string]content{"x.csv.gz": zipped("x\n1", strings.Repeat(";1", n-1), "\n")}, 2 * n, ofValue},
		follows("boxes that move", "boxes: [{xywh: x, unit: pixel}]", floats("-1, 4"),
			`"x":[[0,0,1,1]`+strings.Repeat(",[0,0,1,1]", n/5-1)+"]"),
		follows("boxes with labels", "boxes: [{xywh: x, unit: pixel, with: [l]}]", floats("-1, 4"),
			`"x":[[0,0,1,1]`+strings.Repeat(",[0,0,1,1]", n/6-1)+`],"l":[7`+strings.Repeat(",7", n/6-1)+"]"),
		follows("points that move", "points: [{xy: x, unit: pixel}]", floats("-1, 2"),
			`"x":[0`+strings.Repeat(",0", n-1)+"]"),
		follows("polygons that are clipped", "polygons: [{column: x, unit: pixel}]", floats("-1, -1"),
			`"x":[[0,0,9,0,9,9]`+strings.Repeat(",[0,0,9,0,9,9]", n/7-1)+"]"),
		{"jsonl", "boxes of a lookup table", strings.Replace(moving("boxes: [{xywh: x, unit: pixel}]"), "x.jsonl.gz",
			"name.jsonl", 1) + "\n  join: [{jsonl: {files: x.jsonl.gz}, on: name}]", floats("-1, 4"),
			map[string]content{"in/a.gif": plain(gif), "name.jsonl": plain("{\"name\":\"a.gif\"}\n"),
				"x.jsonl.gz": zipped("{\"name\":\"b.gif\",\"x\":[]}\n", `{"name":"a.gif","x":[[0,0,1,1]`,
					strings.Repeat(",[0,0,1,1]", n/5-1), "]}\n")}, 32 * n / 5, 2 * ofValue},
		{"json", "numbers", "json: {files: x.json.gz}", numbers,
			map[string]content{"x.json.gz": zipped(`[{"x":`, list, "}]")}, len(list), ofValue},
		parquet("nulls", zeros, 2, ofValue, parquettest.Page{Type: format.Int64, Levels: run(2)}),
		parquet("strings", texts, 4, ofValue, parquettest.Page{Type: format.ByteArray, Dictionary: 1,
			Values: []byte{1, 0, 0, 0, 'a'}},
			parquettest.Page{Type: format.ByteArray, Encoding: format.RLEDictionary, Levels: run(3), Values: places}),
		parquet("numbers", numbers, 10, 0, parquettest.Page{Type: format.Int64, Dictionary: 1, Values: make([]byte, 8)},
			parquettest.Page{Type: format.Int64, Encoding: format.RLEDictionary, Levels: run(3), Values: places}),
		record("empty texts", texts, 1, bytes.Repeat([]byte{1<<3 | 2, 0}, n), ofValue),
		record("floats", "{type: float, shape: [-1]}", 2, packed(make([]byte, 4*n)), ofNumber),
		record("integers", numbers, 3, packed(make([]byte, n)), ofNumber),
		array("numbers", "<i8", numbers, 8, 9, 0),
		array("texts", "|S1", numbers, 1, 1, ofValue),
		{"tar", "JSON", "tar: {files: x.tar.gz}", strings.Replace(numbers, "{", "{from: json.x, ", 1),
			map[string]content{"x.tar.gz": func() []byte {
				return []byte(filetest.Gzip(filetest.Tar(t, "a.json",
					`{"x":`+list+"}")))
			}}, 2 * n, ofValue},
		{"zip", "a member", "zip: {files: x.zip}", "{from: content, type: bytes}",
			map[string]content{"x.zip": func() []byte { return []byte(filetest.Zip(t, "x.bin", zeroBytes)) }}, n, 0},
		{"xml", "elements", "xml: {dir: in}", "{from: a.b.*, type: string}",
			map[string]content{"in/x.xml": plain("<a>" + strings.Repeat("<b/>", n) + "</a>")}, 4 * n, ofValue},
		{"folder", "a file", "folder: {dir: in}", "{from: content, type: bytes}",
			map[string]content{"in/x.bin": plain(zeroBytes)}, n, 0},
		{"images", "a file", "images: {dir: in}", "{from: image.height, type: int64}",
			map[string]content{"in/x.gif": plain(gif + zeroBytes)}, n, 0},
		{"text", "a line", "text: {files: x.txt.gz}", "{from: text, type: bytes}",
			map[string]content{"x.txt.gz": zipped(strings.Repeat("a", n))}, n, 0},
	}
}

// listExample is an Example whose feature x has a list of a number.
func listExample(list protowire.Number, values []byte) []byte {
	field := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	return field(1, field(1, append(field(1, []byte("x")), field(2, field(list, values))...)))
}

// lay writes the files and the config.
func (w *wideRow) lay(t *testing.T, limit int) (config string) {
	dir := t.TempDir()
	for name, content := range w.files {
		write(t, dir, name, content())
	}
	write(t, dir, "job.yaml", fmt.Appendf(nil,
		"name: wide\noutput: out\nsource:\n  %s\nlimits: {record: %dB}\nfeatures: {x: %s}\n", w.source,
		limit, w.feature))
	return filepath.Join(dir, "job.yaml")
}

// TestMemoryOfWideRows compares the binary with what it says of its memory where a row has a
// million elements, in each kind of source. A sample has one of these rows.
func TestMemoryOfWideRows(t *testing.T) {
	const n = 1_000_000
	rows := wideRows(t, n)
	for _, kind := range sources.Kinds {
		has := false
		for i := range rows {
			has = has || rows[i].kind == kind.Name
		}
		if !has {
			t.Errorf("no row of the kind %s", kind.Name)
		}
	}
	for i, w := range rows {
		if (i+3)%testenv.Times(20, 1, 1) != 0 {
			continue
		}
		t.Run(w.kind+", "+w.name, func(t *testing.T) {
			const memory = 16_000_000
			limit := promised(1, 0, int64(w.size), memory) + int64(w.element*n)
			keepsTo(t, limit, []string{"-config", w.lay(t, 64<<20), "-memory", "16MB", "-workers", "1"})
		})
	}
}

// TestElementsCountTowardTheLimit refuses a row of a million elements where limits.record is
// less, in each kind of source, within what the program takes for small rows. A sample
// has one of these rows, another than that of TestMemoryOfWideRows.
func TestElementsCountTowardTheLimit(t *testing.T) {
	const n = 1_000_000
	for i, w := range wideRows(t, n) {
		if (i+6)%testenv.Times(20, 1, 1) != 0 {
			continue
		}
		t.Run(w.kind+", "+w.name, func(t *testing.T) {
			args := []string{"build", "-config", w.lay(t, n-1), "-memory", "16MB", "-workers", "1", "-output",
				filepath.Join(t.TempDir(), "out")}
			out, err := exec.Command(testenv.Program(t), args...).CombinedOutput()
			if err == nil || !bytes.Contains(out, []byte("LIMIT_RECORD")) {
				t.Errorf("%v; want LIMIT_RECORD\n%s", err, out)
			}
		})
	}
}
