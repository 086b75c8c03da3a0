package lossless

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
)

// A publicCase is an input that a public bug report is about. Its text is in testdata/cases.txtar, and the
// rest, such as images, in testdata/cases.
type publicCase struct {
	name string
	path string // below the directory of the case
	read func(t *testing.T, path string) []Row
	err  string // what init says, if it writes no config
}

var publicCases = []publicCase{
	{"c01", "", documents("Annotations", ""), ""},
	{"c02", "", documents("ann", "img"), ""},
	{"c04", "ann", documents("", ""), ""},
	{"c04", "ann3", documents("", ""), ""},
	{"c05", "ann", documents("", ""), ""},
	{"c08", "a.xml", elements("image"), ""},
	{"c08", "x", documents("", ""), ""},
	{"c10", "", coco("instances_val.json", "images"), ""},
	{"c12", "ann.json", coco("", ""), ""},
	{"c12", "ann2.json", coco("", ""), ""},
	{"c12", "ann3.json", coco("", ""), ""},
	{"c13", "p.jsonl", lines, ""},
	{"c13", "q.jsonl", lines, ""},
	{"c13b", "e.csv", table(","), ""},
	{"c13b", "h.csv", table(","), ""},
	{"c15", "via.json", members, ""},
	{"c15", "via1.json", members, ""},
	{"c16", "", yolo, ""},
	{"c18", "codes.csv", table(","), ""},
	{"c18", "codesq.csv", table(","), ""},
	{"c18", "orders.csv", table(","), ""},
	{"c19", "adult.data", headless(15), ""},
	{"c19", "adult.test", headless(15), ""},
	{"c21", "tweets.tsv", table("\t"), ""},
	{"c23", "e.json", nonfinite, ""},
	{"c23", "m.jsonl", nothing, `found "+Infinity"`},
	{"c25", "a.jsonl", lines, "JSON_LONE_SURROGATE"},
	{"c27", "", pairs, ""},
	{"c29", "dir", pictures, ""},
	{"c29", "sub.tar", samples, ""},
	{"c30", "a.tar", samples, ""},
	{"c30", "b.tar", samples, ""},
	{"c30", "s0.tar", samples, ""},
	{"c31", "a.jsonl", lines, ""},
	{"c33", "gt", words(9, true), ""},
	{"c35", "data", pictures, ""},
	{"c39", "img", pictures, ""},
	{"c43", "", coco("instances.json", "images"), ""},
	{"c44", "", coco("instances.json", "images"), ""},
	{"c49", "", documents("", "JPEGImages"), ""},
	{"c49c", "", documents("", "img"), ""},
	{"c49f", "", yolo, ""},
	{"c52", "bom.csv", table(","), ""},
	{"c52", "cr.csv", table(","), "CSV_LONE_CR"},
	{"c52", "dup.csv", named("column_0", "id", "id_2", "v"), ""},
	{"c52", "sep.csv", table(";"), ""},
	{"c52", "trail.csv", table(","), ""},
	{"c52", "trail2.csv", named("id", "v", "rest"), ""}, // rows, but not the header, end with a delimiter
	{"c52", "u16.csv", table("\t"), ""},
}

// TestPublicCases checks that each value of the cases is in the records.
func TestPublicCases(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/cases.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range publicCases {
		if (i+testenv.First(1, 6))%testenv.Times(6, 1, 1) != 0 {
			continue
		}
		t.Run(c.name+"/"+c.path, func(t *testing.T) {
			dir := t.TempDir()
			err := os.CopyFS(filepath.Join(dir, c.name), os.DirFS("testdata/cases/"+c.name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, c.name+"/") {
					put(t, dir, f.Name, string(f.Data))
				}
			}
			if c.name == "c44" { // the image of the case is large, and any will do
				put(t, dir, "c44/images/0.jpg", picture(t, "jpg", 1, 416, 300))
			}
			file := filepath.Join(dir, c.name, c.path)
			if c.err == "" {
				a := check(t, dir, []string{file}, c.read(t, file))
				t.Logf("%s", a.Config)
				return
			}
			_, err = infer.Inspect(t.Context(), []string{file}, infer.Options{Dir: dir, Workers: 1})
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, expected %s", err, c.err)
			}
		})
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// found returns the files below a directory with one of the extensions.
func found(t *testing.T, dir string, extensions ...string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			for _, ext := range extensions {
				if filepath.Ext(path) == ext {
					files = append(files, path)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// documents reads documents of XML in a directory, with the image of the same name next to it or in
// the directory of images next to that of the document.
func documents(dir, images string) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) (rows []Row) {
		for _, file := range found(t, filepath.Join(path, dir), ".xml") {
			row := must(ReadXML(file, []byte(contentOf(t, file))))
			if images != "" {
				name := filepath.Join(filepath.Dir(filepath.Dir(file)), images,
					strings.TrimSuffix(filepath.Base(file), ".xml")+".jpg")
				row.Value = append(row.Value, object("image", []byte(contentOf(t, name)))...)
			}
			rows = append(rows, row)
		}
		return rows
	}
}

// elements reads the elements of a name below the root of a document.
func elements(name string) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) (rows []Row) {
		root := must(ReadXML(path, []byte(contentOf(t, path)))).Value[0].Value.(Object)
		list, _ := root.Get(name)
		for _, v := range list.([]any) {
			rows = append(rows, Row{File: path, Value: object(name, v)})
		}
		return rows
	}
}

// coco reads a document of COCO: its images with their objects, the categories of these, and the
// files.
func coco(name, images string) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) (rows []Row) {
		file := filepath.Join(path, name)
		whole := must(ReadDocument(file, []byte("["+contentOf(t, file)+"]"), ".", ""))[0].Value
		list := func(key string) []any {
			v, _ := whole.Get(key)
			list, _ := v.([]any)
			return list
		}
		get := func(v any, key string) any {
			v, _ = v.(Object).Get(key)
			return v
		}
		same := func(a, b any) bool { // a string matches the integer with its digits
			_, isText := a.(string)
			if _, ok := b.(string); ok || isText {
				return fmt.Sprint(a) == fmt.Sprint(b)
			}
			x, errX := strconv.ParseFloat(fmt.Sprint(a), 64)
			y, errY := strconv.ParseFloat(fmt.Sprint(b), 64)
			return errX == nil && errY == nil && x == y
		}
		for _, v := range list("images") {
			row := v.(Object)
			objects, categories := []any{}, []any{}
			for _, o := range list("annotations") {
				if !same(get(o, "image_id"), get(v, "id")) {
					continue
				}
				objects = append(objects, o)
				for _, c := range list("categories") {
					if same(get(o, "category_id"), get(c, "id")) {
						categories = append(categories, c)
					}
				}
			}
			row = append(row, object("objects", objects, "category", categories)...)
			if images != "" {
				row = append(row, object("image", []byte(contentOf(t,
					filepath.Join(path, images, get(v, "file_name").(string)))))...)
			}
			rows = append(rows, Row{File: file, Value: row})
		}
		return rows
	}
}

func lines(t *testing.T, path string) []Row {
	return must(ReadLines(path, []byte(contentOf(t, path))))
}

// nonfinite reads a document whose numbers may be Python's NaN.
func nonfinite(t *testing.T, path string) []Row {
	return must(ReadDocument(path, []byte(strings.ReplaceAll(contentOf(t, path), ":NaN", `:"NaN"`)), ".", ""))
}

func members(t *testing.T, path string) []Row {
	return must(ReadDocument(path, []byte(contentOf(t, path)), ".", "key"))
}

// table reads a table with a header.
func table(delimiter string) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) []Row {
		text := contentOf(t, path)
		if strings.HasPrefix(text, "\xff\xfe") {
			var units []uint16
			for i := 2; i+1 < len(text); i += 2 {
				units = append(units, uint16(text[i])|uint16(text[i+1])<<8)
			}
			text = string(utf16.Decode(units))
		}
		if !strings.Contains(text, "\n") {
			text = strings.ReplaceAll(text, "\r", "\n")
		}
		d := Dialect{Delimiter: delimiter[0]}
		if strings.HasPrefix(text, "sep=") {
			d.Skip = 1
		}
		return must(ReadTable(path, text, d))
	}
}

// named returns the reader of a table whose header is skipped, with the names of its columns.
func named(columns ...string) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) []Row {
		return must(ReadTable(path, contentOf(t, path), Dialect{Delimiter: ',', Skip: 1, Columns: columns}))
	}
}

// headless reads a table of UCI: cells after spaces, no header, and lines that begin with a bar.
func headless(columns int) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) []Row {
		d := Dialect{Delimiter: ',', Comment: "|"}
		for i := range columns {
			d.Columns = append(d.Columns, fmt.Sprintf("c%d", i))
		}
		return must(ReadTable(path, contentOf(t, path), d))
	}
}

// yolo reads images with the files of boxes in labels next to images.
func yolo(t *testing.T, path string) (rows []Row) {
	for _, file := range found(t, path, ".jpg") {
		labels := strings.TrimSuffix(strings.ReplaceAll(file, "/images/", "/labels/"), ".jpg") + ".txt"
		text, err := os.ReadFile(labels)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		objects := []any{}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 0 {
				var box []any
				for _, w := range words[1:] {
					box = append(box, Cell{Text: w})
				}
				objects = append(objects, object("class", Cell{Text: words[0]}, "box", box))
			}
		}
		rows = append(rows, Row{File: file, Value: object("image", []byte(contentOf(t, file)), "objects", objects)})
	}
	return rows
}

// pictures reads the images below a directory.
func pictures(t *testing.T, path string) (rows []Row) {
	for _, file := range found(t, path, ".jpg", ".png") {
		rows = append(rows, Row{File: file, Value: object("image", []byte(contentOf(t, file)))})
	}
	return rows
}

// pairs reads images with their masks.
func pairs(t *testing.T, path string) (rows []Row) {
	for _, file := range found(t, filepath.Join(path, "img"), ".jpg") {
		mask := filepath.Join(path, "mask", strings.TrimSuffix(filepath.Base(file), ".jpg")+".png")
		rows = append(rows, Row{File: file, Value: object("image", []byte(contentOf(t, file)), "mask",
			[]byte(contentOf(t, mask)))})
	}
	return rows
}

// samples reads the samples of an archive: members with the same name up to the first dot.
func samples(t *testing.T, file string) (rows []Row) {
	r := tar.NewReader(strings.NewReader(contentOf(t, file)))
	last := ""
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		dir, base := path.Split(strings.TrimPrefix(h.Name, "./"))
		if strings.HasPrefix(base, ".") {
			continue
		}
		stem, ext, _ := strings.Cut(base, ".")
		if dir+stem != last || rows == nil {
			last = dir + stem
			rows = append(rows, Row{File: file, Value: object("key", Cell{Text: last})})
		}
		var content bytes.Buffer
		if _, err := io.Copy(&content, r); err != nil {
			t.Fatal(err)
		}
		var v any = Cell{Text: content.String()}
		ext = strings.ToLower(ext)
		if strings.HasSuffix(ext, "json") {
			v = parsed(t, content.String())
		}
		row := &rows[len(rows)-1]
		row.Value = append(row.Value, Member{Key: ext, Value: v})
	}
}

// nothing is for inputs that init refuses.
func nothing(*testing.T, string) []Row { return nil }

// words reads each line of texts as a row of columns: at most so many, after a comma, or after blanks.
func words(most int, comma bool) func(*testing.T, string) []Row {
	return func(t *testing.T, path string) (rows []Row) {
		for _, file := range found(t, path, ".txt") {
			for line := range strings.Lines(strings.TrimPrefix(contentOf(t, file), "\ufeff")) {
				line = strings.TrimRight(line, "\r\n")
				list := strings.Fields(line)
				if comma {
					list = strings.SplitN(line, ",", most)
				}
				var row Object
				for i, w := range list {
					row = append(row, Member{fmt.Sprintf("c%d", i), Cell{Text: w}})
				}
				rows = append(rows, Row{file, row})
			}
		}
		return rows
	}
}
