package infer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"

	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// wantConfig and wantError are the files of a case with the result of init.
const wantConfig, wantError = "want.yaml", "want.error"

// TestCases writes the config of each case in testdata/cases. It compares the config with the one in
// the case, and has it checked, tried, and built. A sample builds every eighth.
//
// The cases of a source type are one txtar archive. A file called `case NAME` begins a case and says what it is
// about; its line `init PATH…` has the operands. The files of the case follow. They are made by their names; see
// makeFile.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	i := 0
	for _, file := range archives {
		cases := readCases(t, file)
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { c.run(t, i%testenv.Times(16, 1, 1) == 0) })
			i++
		}
		if *update {
			testenv.Put(t, file, formatCases(cases))
		}
	}
}

// A layout is a case of TestCases: files, and what init writes for them.
type layout struct {
	name string
	*txtar.Archive
}

const caseMark = "case "

// readCases reads the cases of an archive.
func readCases(t *testing.T, file string) (cases []*layout) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Comment) > 0 || len(archive.Files) == 0 || !strings.HasPrefix(archive.Files[0].Name, caseMark) {
		t.Fatalf("%s does not begin with `-- case NAME --`", file)
	}
	for _, f := range archive.Files {
		if name, is := strings.CutPrefix(f.Name, caseMark); is {
			if slices.ContainsFunc(cases, func(c *layout) bool { return c.name == name }) {
				t.Errorf("%s has two cases %s", file, name)
			}
			cases = append(cases, &layout{name, &txtar.Archive{Comment: f.Data}})
			continue
		}
		last := cases[len(cases)-1]
		last.Files = append(last.Files, f)
	}
	return cases
}

// formatCases returns the text of an archive with the cases.
func formatCases(cases []*layout) string {
	var all txtar.Archive
	for _, c := range cases {
		all.Files = append(all.Files, txtar.File{Name: caseMark + c.name, Data: c.Comment})
		all.Files = append(all.Files, c.Files...)
	}
	return string(txtar.Format(&all))
}

// run compares what init writes with the case. It has the config built if build is set.
func (of *layout) run(t *testing.T, build bool) {
	dir := testenv.Directory(t, makeFiles(t, of.Archive))
	c, err := infer.Inspect(t.Context(), operandsOf(of.Archive, dir), infer.Options{Dir: dir, Workers: 1})
	got := txtar.File{Name: wantError}
	if err != nil {
		text, hint := err.Error(), ""
		if e := new(input.MismatchError); errors.As(err, &e) {
			hint = e.Hint
		} else if e := new(input.Error); errors.As(err, &e) {
			hint = e.Hint()
		}
		if hint != "" {
			text += "\nhelp: " + hint
		}
		got.Data = []byte(strings.ReplaceAll(text, dir, "DIR") + "\n")
	} else {
		got = txtar.File{Name: wantConfig, Data: c.Text}
	}
	compareCase(t, of.Archive, got)
	if err == nil && build {
		works(t, dir, c)
	}
	if err == nil {
		worksConverted(t, dir, c)
		worksIn(t, dir, uncommented(c))
	}
}

// operandsOf returns the operands of a case, in its directory.
func operandsOf(archive *txtar.Archive, dir string) (list []string) {
	for line := range strings.Lines(string(archive.Comment)) {
		if operands, is := strings.CutPrefix(line, "init "); is {
			for _, name := range strings.Fields(operands) {
				list = append(list, filepath.Join(dir, name))
			}
		}
	}
	return list
}

// compareCase compares the result with that in the case. With -update it replaces the result in the case.
func compareCase(t *testing.T, archive *txtar.Archive, got txtar.File) {
	t.Helper()
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == wantConfig || f.Name == wantError })
	if *update {
		files := archive.Files
		if i >= 0 {
			files = files[:i]
		}
		archive.Files = append(files, got)
		return
	}
	switch {
	case i < 0:
		t.Errorf("no %s; -update writes it", got.Name)
	case archive.Files[i].Name != got.Name || !bytes.Equal(archive.Files[i].Data, got.Data):
		t.Errorf("found (-update accepts it) %s\n%s\nexpected %s\n%s", got.Name, got.Data, archive.Files[i].Name,
			archive.Files[i].Data)
	}
}

// makeFiles returns the files of a case. Files below a directory called *.zip, *.npz, or *.tar are
// the members of an archive.
func makeFiles(t *testing.T, archive *txtar.Archive) map[string]string {
	t.Helper()
	files, members := map[string]string{}, map[string][]string{}
	for _, f := range archive.Files {
		if f.Name == wantConfig || f.Name == wantError {
			break
		}
		name, content := makeFile(t, f)
		if m := archiveMember.FindStringSubmatch(name); m != nil {
			members[m[1]] = append(members[m[1]], m[2], content)
			continue
		}
		files[name] = content
	}
	for name, list := range members {
		if strings.HasSuffix(name, ".tar") {
			files[name] = filetest.Tar(t, list...)
		} else {
			files[name] = filetest.Zip(t, list...)
		}
	}
	return files
}

var archiveMember = regexp.MustCompile(`^(.*?\.(?:zip|npz|tar))/(.+)$`)

// makeFile returns the name and the content of a file of a case. The content of most files is
// their text, in which a line `30 x {i},{a|b}` is 30 lines. Others are made from their text:
//
//	x.png  x.jpg     8x6                        an image
//	x.npy            <i4 3 2                    an array: type and shape
//	x.tfrecord       a=1,2 b=0.5 c="text"       Examples, one per line; "text" is a payload as it is
//	x.ofrecord       a=1,2 b=0.5 c="text"       OFRecords
//	x.parquet        a int64 1,2,null           columns
//
// A word after the name changes the bytes of text: utf-16, latin-1, gzip, or quoted for a Go string
// with escapes.
func makeFile(t *testing.T, f txtar.File) (name, content string) {
	t.Helper()
	name, form, _ := strings.Cut(f.Name, " ")
	text := repeatLines(t, string(f.Data))
	switch ext := strings.ToLower(path.Ext(name)); {
	case form != "":
	case ext == ".png" || ext == ".jpg":
		return name, makeImage(t, ext, text)
	case ext == ".npy":
		return name, makeArray(t, strings.Fields(text))
	case ext == ".tfrecord" || ext == ".ofrecord":
		return name, makeRecords(t, name, text)
	case ext == ".parquet":
		return name, makeParquet(t, text)
	}
	var b bytes.Buffer
	switch form {
	case "":
		return name, text
	case "utf-16":
		b.WriteString("\xff\xfe")
		for _, unit := range utf16.Encode([]rune(text)) {
			b.Write([]byte{byte(unit), byte(unit >> 8)})
		}
	case "latin-1":
		for _, r := range text {
			b.WriteByte(byte(r))
		}
	case "gzip":
		b.WriteString(filetest.Gzip(text))
	case "quoted":
		for line := range strings.Lines(text) {
			s, err := strconv.Unquote(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(s)
		}
	default:
		t.Fatalf("%s: unknown form", f.Name)
	}
	return name, b.String()
}

var (
	repeated    = regexp.MustCompile(`^(\d+) x (.*\n)$`)
	placeholder = regexp.MustCompile(`\{(i|[^{}:]*\|[^{}:]*)\}`)
)

// repeatLines writes the lines that have a number of repetitions.
func repeatLines(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(text) {
		m := repeated.FindStringSubmatch(line)
		if m == nil {
			b.WriteString(line)
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			b.WriteString(placeholder.ReplaceAllStringFunc(m[2], func(p string) string {
				if p = p[1 : len(p)-1]; p == "i" {
					return strconv.Itoa(i)
				}
				choices := strings.Split(p, "|")
				return choices[i%len(choices)]
			}))
		}
	}
	return b.String()
}

func makeImage(t *testing.T, ext, size string) string {
	t.Helper()
	var width, height int
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, width, height))
	err := png.Encode(&b, m)
	if ext == ".jpg" {
		b.Reset()
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// makeArray returns a .npy file of zeros.
func makeArray(t *testing.T, words []string) string {
	t.Helper()
	size, err := strconv.Atoi(words[0][2:])
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range words[1:] {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		size *= n
	}
	return filetest.NPY(words[0], "("+strings.Join(words[1:], ", ")+",)", string(make([]byte, size)))
}

// field returns a field of a message with bytes.
func field(number int, content string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3|2)), uint64(len(content)))) + content
}

// makeRecords returns records of features.
func makeRecords(t *testing.T, name, text string) string {
	t.Helper()
	var b []byte
	for line := range strings.Lines(text) {
		if payload, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
			b = tfrecord.TFRecord.Append(b, []byte(payload))
			continue
		}
		var features string
		for _, word := range strings.Fields(line) {
			key, values, _ := strings.Cut(word, "=")
			list, kind := "", 0
			for value := range strings.SplitSeq(values, ",") {
				n, errInt := strconv.Atoi(value)
				x, errFloat := strconv.ParseFloat(value, 32)
				switch {
				case errInt == nil:
					list, kind = list+string(binary.AppendUvarint(nil, uint64(n))), 3
				case errFloat == nil:
					list, kind = list+string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))), 2
				default:
					value, err := strconv.Unquote(value)
					if err != nil {
						t.Fatal(err)
					}
					list, kind = list+field(1, value), 1
				}
			}
			if kind > 1 {
				list = field(1, list)
			}
			if strings.HasSuffix(name, ".ofrecord") {
				kind = map[int]int{1: 1, 2: 2, 3: 5}[kind]
			}
			features += field(1, field(1, key)+field(2, field(kind, list)))
		}
		if strings.HasSuffix(name, ".ofrecord") {
			b = tfrecord.OFRecord.Append(b, []byte(features))
			continue
		}
		b = tfrecord.TFRecord.Append(b, []byte(field(1, features)))
	}
	return string(b)
}

// makeParquet returns a Parquet file with optional columns.
func makeParquet(t *testing.T, text string) string {
	t.Helper()
	var columns []parquettest.Column
	rows := 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		values := strings.Split(words[2], ",")
		rows = len(values)
		c := parquettest.Column{Name: strings.Trim(words[0], `"`)}
		var ints []int64
		var floats []float64
		var texts []string
		var images [][]byte
		for _, value := range values {
			c.Missing = append(c.Missing, value == "null")
			n, _ := strconv.ParseInt(value, 10, 64)
			x, _ := strconv.ParseFloat(value, 64)
			ints, floats, texts = append(ints, n), append(floats, x), append(texts, value)
			if words[1] == "image" && value != "null" {
				images = append(images, []byte(makeImage(t, ".png", value)))
				continue
			}
			images = append(images, nil)
		}
		c.Values = map[string]any{"int64": ints, "double": floats, "string": texts, "image": images}[words[1]]
		if !slices.Contains(c.Missing, true) {
			c.Missing = nil
		}
		columns = append(columns, c)
	}
	return string(parquettest.File(rows, columns...))
}
