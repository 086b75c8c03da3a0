package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/schema/tfpb"
)

// A publicReport is an input on which users of other tools lost data or were misled, in the form in
// which they reported it.
type publicReport struct {
	name   string
	files  map[string]string
	init   string // operand of init, which writes the config
	config string // below name and output, if init is empty

	exit    int      // exit code of the build
	said    []string // texts in the output of the build
	rejects []string // line and code of each rejected row
	written []string // texts in the config that init writes
	keys    string   // names of the features to compare
	records []string // values of the features, a line for each record, in any order
}

// TestPublicReports builds the inputs of public reports with the program. The values of the records
// are compared with those of the input, and invalid rows must be named.
func TestPublicReports(t *testing.T) {
	for _, reports := range [][]publicReport{
		publicBoxes(t), publicJSON(t), publicTables(), publicArchives(t), publicImages(t), publicClasses(t),
	} {
		for _, r := range reports {
			t.Run(r.name, r.run)
		}
	}
}

func (r publicReport) run(t *testing.T) {
	dir := testenv.Directory(t, r.files)
	if r.init == "" {
		testenv.Put(t, filepath.Join(dir, "c.yaml"), "name: d\noutput: out\n"+r.config)
	} else {
		r.writeConfig(t, dir)
	}
	if code, said := runProgram(t, dir, "c.yaml", "--output", "out"); code != r.exit {
		t.Fatalf("exit %d, expected %d:\n%s", code, r.exit, said)
	} else {
		contains(t, said, r.said)
	}
	if r.exit != 0 {
		return
	}
	if got := rejectsOf(t, filepath.Join(dir, "out.rejects.jsonl")); !slices.Equal(got, r.rejects) {
		t.Errorf("found the rejects %q, expected %q", got, r.rejects)
	}
	var got []string
	for _, records := range payloads(t, filepath.Join(dir, "out")) {
		for _, record := range records {
			got = append(got, valuesOf(example(t, record), strings.Fields(r.keys)))
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(r.records))
	if !slices.Equal(got, want) {
		t.Errorf("found the records\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// rejectsOf reads the line and the code of each reject. No file exists if no row is rejected.
func rejectsOf(t *testing.T, file string) (list []string) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var reject struct {
			Line int
			Code string
		}
		if err := json.Unmarshal(line, &reject); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(reject.Line, " ", reject.Code))
	}
	return list
}

// writeConfig has init write the config, which check must accept.
func (r publicReport) writeConfig(t *testing.T, dir string) {
	code, text := runProgram(t, dir, "init", r.init)
	if code != 0 {
		t.Fatalf("init: exit %d:\n%s", code, text)
	}
	contains(t, text, r.written)
	testenv.Put(t, filepath.Join(dir, "c.yaml"), text)
	if code, said := runProgram(t, dir, "check", "c.yaml"); code != 0 {
		t.Errorf("check: exit %d:\n%s", code, said)
	}
}

func contains(t *testing.T, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("found\n%s\nexpected in it\n%s", text, part)
		}
	}
}

// runProgram runs tfr-build in dir and returns its exit code and its output.
func runProgram(t *testing.T, dir string, args ...string) (code int, output string) {
	t.Helper()
	cmd := exec.Command(testenv.Program(t), args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// valuesOf formats features of a record.
func valuesOf(features map[string]*tfpb.Feature, keys []string) string {
	var list []string
	for _, key := range keys {
		switch f := features[key]; {
		case f.GetBytesList() != nil:
			for _, v := range f.GetBytesList().GetValue() {
				list = append(list, formatBytes(string(v)))
			}
		case f.GetFloatList() != nil:
			list = append(list, fmt.Sprint(f.GetFloatList().GetValue()))
		default:
			list = append(list, fmt.Sprint(f.GetInt64List().GetValue()))
		}
	}
	return strings.Join(list, " ")
}

// formatBytes formats a short value as it is, and a long one by its length and checksum.
func formatBytes(v string) string {
	if len(v) < 100 {
		return v
	}
	return fmt.Sprintf("%d:%08x", len(v), crc32.ChecksumIEEE([]byte(v)))
}

func publicBoxes(t *testing.T) []publicReport {
	image := string(jpegOf(t, 16, 12, false, 7))
	yolo := map[string]string{
		"in/images/a.jpg": image, "in/images/b.jpg": image, "in/images/c.jpg": image, "in/images/d.jpg": image,
		"in/labels/a.txt": "0 0.5 0.5 0.25 0.25\n1 0.75 0.5 0.5 0.125\n", "in/labels/b.txt": "",
		"in/labels/c.txt": "\n",
	}
	splits := map[string]string{}
	var records []string
	for i, name := range []string{"train/images/0", "train/images/1", "val/images/0", "val/images/1"} {
		splits["in/"+name+".jpg"] = image
		splits["in/"+strings.Replace(name, "images", "labels", 1)+".txt"] = fmt.Sprintf("%d 0.5 0.5 0.25 0.%d\n", i,
			i+1)
		records = append(records, fmt.Sprintf("%s.jpg [0.5 0.5 0.25 0.%d] [%d]", name, i+1, i))
	}
	const bndbox = "annotation/object/bndbox/"
	return []publicReport{
		{
			name: "corners of boxes in any order", init: "in",
			files: map[string]string{
				"in/a.xml": vocDocument("a", "<xmin>132</xmin><xmax>148</xmax><ymin>122</ymin><ymax>149</ymax>"),
				"in/b.xml": vocDocument("b", "<xmin>346</xmin><ymin>794</ymin><xmax>391</xmax><ymax>841</ymax>"),
				"in/c.xml": vocDocument("c", "<ymin>5</ymin><xmin>10</xmin><ymax>60</ymax><xmax>20</xmax>",
					"<ymax>7</ymax><xmax>9</xmax><ymin>1</ymin><xmin>2</xmin>"),
			},
			keys: "annotation/filename " + bndbox + "xmin " + bndbox + "ymin " + bndbox + "xmax " + bndbox + "ymax",
			records: []string{"a.jpg [132] [122] [148] [149]", "b.jpg [346] [794] [391] [841]",
				"c.jpg [10 2] [5 1] [20 9] [60 7]"},
		},
		{
			name: "images without boxes", init: "in", files: yolo, keys: "path objects/bbox objects/label",
			said: []string{"3 of 4 rows without a match"},
			records: []string{"images/a.jpg [0.5 0.5 0.25 0.25 0.75 0.5 0.5 0.125] [0 1]", "images/b.jpg [] []",
				"images/c.jpg [] []", "images/d.jpg [] []"},
		},
		{
			name: "images of one name in each split", init: "in", files: splits,
			keys:    "path objects/bbox objects/label",
			written: []string{"on: {split: split, stem: stem}"}, records: records,
		},
	}
}

func vocDocument(name string, boxes ...string) string {
	text := "<annotation><filename>" + name + ".jpg</filename><size><width>1000</width><height>900</height></size>\n"
	for _, box := range boxes {
		text += "<object><name>cell</name><bndbox>" + box + "</bndbox></object>\n"
	}
	return text + "</annotation>"
}

func publicJSON(t *testing.T) []publicReport {
	ids := map[string]string{"t.jsonl": "" +
		`{"i": 10236529664, "s": "10236529664", "h": 9007199254740993, "m": 9223372036854775807}
{"i": 10236529665, "s": "09007199254740993", "h": 1, "m": -9223372036854775808}
{"i": 1.0236529666e10, "s": "9223372036854775807", "h": 9007199254740993, "m": 0}
{"i": 9007199254740993.0, "s": "9223372036854775808", "h": 9007199254740995, "m": 0}
`}
	const quarantine = "source: {jsonl: t.jsonl}\non_error: quarantine\nmax_errors: 80%\n"
	exact := []string{
		"[10236529664] 10236529664 [9007199254740993] [9223372036854775807]",
		"[10236529665] 09007199254740993 [1] [-9223372036854775808]",
		"[10236529666] 9223372036854775807 [9007199254740993] [0]",
		"[9007199254740993] 9223372036854775808 [9007199254740995] [0]",
	}
	first, second := jpegOf(t, 16, 12, false, 1), jpegOf(t, 16, 12, false, 2)
	return []publicReport{
		{
			name: "ids that a float64 does not hold", files: ids, keys: "i s h m", records: exact,
			config: quarantine + "features: {i: {type: int64, int_from_float: true}, s: string, h: int64, m: int64}\n",
		},
		{
			name: "an id with an exponent", files: ids, keys: "i s h m", records: exact[:2],
			config: quarantine + "features: {i: int64, s: string, h: int64, m: int64}\n",
			said: []string{
				`t.jsonl:3:7: warning: column "i" (feature "i"): "1.0236529666e10" is not an int64 [INT_SYNTAX]`,
				"\nhelp: int_from_float: true\n",
			},
			rejects: []string{"3 INT_SYNTAX", "4 INT_SYNTAX"},
		},
		{
			name: "halves of surrogate pairs",
			files: map[string]string{"t.jsonl": `{"id": 1, "text": "\ud835"}
{"id": 2, "text": "a\udcb2b"}
{"id": 3, "text": "ok \ud83c\udf78"}
{"id": 4, "text": "\udf78\ud83c"}
{"id": 5, "text": "fine"}
`},
			config:  quarantine + "features: {id: int64, text: string}\n",
			said:    []string{"t.jsonl:1:20: warning: "},
			rejects: []string{"1 JSON_LONE_SURROGATE", "2 JSON_LONE_SURROGATE", "4 JSON_LONE_SURROGATE"},
			keys:    "id text", records: []string{"[3] ok 🍸", "[5] fine"},
		},
		{
			name: "images in base64", init: "t.jsonl",
			files: map[string]string{"t.jsonl": fmt.Sprintf(
				`{"image": "%s", "label": "a"}`+"\n"+`{"image": "%s", "label": "b"}`+"\n",
				base64.StdEncoding.EncodeToString(first), base64.StdEncoding.EncodeToString(second))},
			written: []string{"image: {type: bytes, encoding: base64}"},
			keys:    "image label", records: []string{formatBytes(string(first)) + " a",
				formatBytes(string(second)) + " b"},
		},
	}
}

func publicTables() []publicReport {
	var utf16le []byte
	for _, u := range utf16.Encode([]rune("\ufeffid\tname\r\n1\tÄpfel\r\n2\tBirne\r\n")) {
		utf16le = binary.LittleEndian.AppendUint16(utf16le, u)
	}
	large := map[string]string{"1": strings.Repeat("x", 131_073), "2": strings.Repeat("long, ", 1<<20/6),
		"3": strings.Repeat("\"\"\n", 20_000_000/3)}
	text := "id,geo\n"
	var cells []string
	for _, id := range slices.Sorted(maps.Keys(large)) {
		text += id + ",\"" + large[id] + "\"\n"
		cells = append(cells, "["+id+"] "+formatBytes(strings.ReplaceAll(large[id], `""`, `"`)))
	}
	const geo = "source: {csv: t.csv}\nfeatures: {id: int64, geo: string}\n"
	return []publicReport{
		{name: "cells of megabytes", files: map[string]string{"t.csv": text}, config: geo, keys: "id geo",
			records: cells},
		{
			name: "a quote that nothing closes", config: geo, exit: 3,
			files: map[string]string{"t.csv": "id,geo\n1,\"POINT\n" + strings.Repeat("2,POINT\n", 30_000)},
			said:  []string{"t.csv:2:3: error: ", "[CSV_UNTERMINATED_QUOTE]"},
		},
		{
			name: "a line that names the delimiter", init: "t.csv",
			files:   map[string]string{"t.csv": "sep=;\nid;name;price\n1;a;1,5\n2;b;2,75\n3;c;10,25\n"},
			written: []string{`delimiter: ";"`, "skip_lines: 1"},
			keys:    "id name price", records: []string{"[1] a 1,5", "[2] b 2,75", "[3] c 10,25"},
		},
		{
			name: "a byte order mark before a quoted header", init: "t.csv",
			files: map[string]string{"t.csv": "\ufeff\"id\",\"na\"\"me\"\r\n1,x\r\n2,y\r\n"},
			keys:  "id na\"me", records: []string{"[1] x", "[2] y"},
		},
		{
			name: "lines that end with CR alone", config: "source: {csv: t.csv}\nfeatures: {id: int64}\n", exit: 2,
			files: map[string]string{"t.csv": "id,v\r1,a\r2,b\r"},
			said: []string{"t.csv:1:5: error: lines end with CR alone; expected LF or CRLF [CSV_LONE_CR]",
				`help: tr '\r' '\n' < OLD > NEW`},
		},
		{
			name: "UTF-16 with tabs", init: "t.tsv", files: map[string]string{"t.tsv": string(utf16le)},
			keys: "id name", records: []string{"[1] Äpfel", "[2] Birne"},
		},
		{
			name: "an index column and two columns of one name", init: "t.csv",
			files:   map[string]string{"t.csv": ",id,id,v\n0,1,2,3\n1,4,5,6\n"},
			written: []string{"columns: [column_0, id, id_2, v]", `# of line 1, where several columns are called "id"`},
			keys:    "column_0 id id_2 v", records: []string{"[0] [1] [2] [3]", "[1] [4] [5] [6]"},
		},
	}
}

// publicArchives have what macOS adds to directories and archives.
func publicArchives(t *testing.T) []publicReport {
	image := string(jpegOf(t, 16, 12, false, 3))
	files := []string{
		"data/.DS_Store", "x", "data/1.jpg", image, "data/2.jpg", image,
		"__MACOSX/._data", "x", "__MACOSX/data/._1.jpg", "x", "__MACOSX/data/._2.jpg", "x",
	}
	directory := map[string]string{}
	archive := filetest.Tar(t, files...)
	files = append(files, "__MACOSX/data/2.jpg", "x") // a member of a tar archive would be a sample
	for i := 0; i < len(files); i += 2 {
		directory["in/"+files[i]] = files[i+1]
	}
	same := map[string]string{"in/0.tar": filetest.Tar(t, "1.cls", "0"), "in/1.tar": filetest.Tar(t, "1.cls", "1"),
		"in/2.tar": filetest.Tar(t, "1.cls", "2")}
	paths := []string{"data/1.jpg", "data/2.jpg"}
	return []publicReport{
		{
			name: "files of macOS in a directory", init: "in", files: directory,
			said: []string{"2 hidden files skipped"}, keys: "path", records: paths,
		},
		{
			name: "files of macOS in a zip archive", init: "in.zip",
			files: map[string]string{"in.zip": filetest.Zip(t, files...)},
			said:  []string{"5 hidden files skipped"}, keys: "path", records: paths,
		},
		{
			name: "files of macOS in a tar archive", init: "in.tar", files: map[string]string{"in.tar": archive},
			said: []string{"4 members without a key or an extension, in no row"}, keys: "key jpg/width",
			records: []string{"data/1 [16]", "data/2 [16]"},
		},
		{
			name: "samples of one name in three archives", files: same, keys: "key cls",
			records: []string{"1 [0]", "1 [1]", "1 [2]"},
			config:  "source: {tar: {files: in/*.tar}}\nfeatures: {key: bytes, cls: int64}\n",
		},
		{
			name:  "samples of one name in one archive",
			files: map[string]string{"t.tar": filetest.Tar(t, "1.cls", "0", "1.cls", "1")}, exit: 3,
			config: "source: {tar: {files: t.tar}}\nfeatures: {key: bytes, cls: int64}\n",
			said:   []string{`the member "1.cls" is the second of its row with the extension "cls" [TAR_DUPLICATE]`},
		},
	}
}

// publicImages have an alpha channel, or lack colors. Opacities are fifths, so no value is rounded.
func publicImages(t *testing.T) []publicReport {
	files := map[string]string{
		"in/gray.png": pngOf(t, 0, "\x0a\xc8"), "in/rgb.png": pngOf(t, 2, "\x0a\x14\x1e\xff\x00\x80"),
		"in/gray_alpha.png": pngOf(t, 4, "\x0a\x33\xc8\xff"),
		"in/rgb_alpha.png":  pngOf(t, 6, "\x0a\x14\x1e\x33\xff\x00\x80\x00"),
	}
	return []publicReport{
		{
			name: "transparent images are drawn on white", files: files, keys: "filename pixels",
			config: "source: {images: {dir: in, convert: {color: rgb}}}\nfeatures: {filename: string, pixels: {from: " +
				"image.pixels, type: uint8, shape: [1, 2, 3]}}\n",
			records: []string{
				"gray.png [10 10 10 200 200 200]", "rgb.png [10 20 30 255 0 128]",
				"gray_alpha.png [206 206 206 200 200 200]", "rgb_alpha.png [206 208 210 255 255 255]",
			},
		},
		{
			name: "images of other channels", files: files, exit: 3,
			config: "source: {images: {dir: in}}\nfeatures: {pixels: {from: image.pixels, type: uint8, shape: [1, 2, " +
				"3]}}\n",
			said: []string{"in/gray.png: error: ",
				"found 2 values; expected 6 for shape [1, 2, 3]; the first of 3 such rows [SHAPE]"},
		},
	}
}

// pngOf encodes an image of two pixels in one line. PNG numbers the color types.
func pngOf(t *testing.T, colorType byte, samples string) string {
	t.Helper()
	b := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	for _, chunk := range []string{"IHDR\x00\x00\x00\x02\x00\x00\x00\x01\x08" + string(colorType) + "\x00\x00\x00",
		"IDAT" + filetest.Zlib("\x00"+samples), "IEND"} {
		b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4)))
		b.WriteString(chunk)
		b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(chunk))))
	}
	return b.String()
}

func publicClasses(t *testing.T) []publicReport {
	image := string(jpegOf(t, 16, 12, false, 4))
	data := func(names string) map[string]string {
		return map[string]string{"in/cat/0.jpg": image, "in/dog/0.jpg": image, "names.txt": names}
	}
	const config = "source: {images: in}\nfeatures: {label: {from: class, classes: names.txt}}\n"
	return []publicReport{
		{
			name: "a blank line at the end of class names", files: data("cat\ndog\n\n"), config: config, exit: 2,
			said: []string{"names.txt:3:1: error: a blank line; expected a name"},
		},
		{
			name: "a blank after a class name", files: data("cat \ndog\n"), config: config, exit: 3,
			said: []string{`in/cat/0.jpg: error: `,
				`"cat" is not one of the 2 classes; the nearest is "cat " [LABEL_UNKNOWN]`},
		},
	}
}
