package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// valueForms have features whose values are changed while they are read.
var valueForms = []form{
	{"jsonl, lists of one length", "source: {jsonl: {files: 'in/*.jsonl'}}\nsplit: {column: zone}\nshards: 2\n" +
		paddedFeatures, jsonFiles},
	{"jsonl, vectors of classes",
		"source: {jsonl: {files: 'in/*.jsonl'}}\nsplit: {column: zone}\nshards: 2\nlimit: {north: 90}\n" +
			vectorFeatures, jsonFiles},
	{"csv, marks in numbers", "source: {csv: {files: 'in/*.csv', delimiter: ';'}}\nshards: 2\nsplit: {fractions: " +
		"{train: 60%, test: 40%}}\n" + markedFeatures, markedFiles},
	{"csv, runs of blanks and the rest of the line",
		"source: {csv: {files: 'in/*.csv', delimiter: whitespace, rest: german}}\nshards: 2\nsplit: {fractions: " +
			"{train: 60%, test: 40%}}\nfeatures: {id: string, english: string, german: string}\n", spacedFiles},
	{"csv, two colons, compressed input",
		"source: {csv: {files: 'in/*', delimiter: '::'}}\nshards: 2\nsplit: {fractions: {train: 60%, test: 40%}, by: " +
			"id}\nfeatures: {id: string, english: string}\n", colonFiles},
	{"csv, row columns, compressed input",
		"source: {csv: {files: 'in/*', null_values: [NA]}}\nsplit: {fractions: {train: 60%, test: 40%}, by: " +
			"'@id'}\norder_key: '@offset'\nshards: 2\n" + rowFeatures, gzipFiles},
	{"images, row columns", "source: {images: {dir: in}}\nshards: 2\n" + rowFeatures, imageFiles},
	{"csv, rows per shard", "source: {csv: {files: 'in/*', null_values: [NA]}}\nsplit: {column: zone}\nshards: " +
		"{rows: 100}\nlimit: {north: 50, east: 100}\n" + tripFeatures, gzipFiles},
}

// markedFiles are tables whose numbers have marks.
func markedFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(14, 3))
	for _, name := range []string{"a", "b"} {
		var b strings.Builder
		b.WriteString("id;english;german;spaced\n")
		for i := range rows / 2 {
			whole, cents := r.IntN(10_000_000), r.IntN(100)
			groups := []string{fmt.Sprint(whole)}
			if r.IntN(4) > 0 {
				groups = strings.Split(grouped(whole), ",")
			}
			space := []string{" ", "\u00a0", "\u202f"}[r.IntN(3)]
			fmt.Fprintf(&b, "%s-%d;%s.%02d;%s,%02d;%s\n", name, i, strings.Join(groups, ","), cents,
				strings.Join(groups, "."), cents, strings.Join(groups, space))
		}
		write(t, dir, "in/"+name+".csv", []byte(b.String()))
	}
}

// spacedFiles are tables with runs of blanks between cells, around them, and in the rest of lines.
func spacedFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(15, 3))
	for _, name := range []string{"a", "b"} {
		b := []byte("id english\t german \n")
		for i := range rows / 2 {
			b = fmt.Appendf(b, "%s%s-%d%s%d%sone  \"%d\", two%s\n", blanks(r, 0), name, i, blanks(r, 1), r.IntN(100),
				blanks(r, 1), r.IntN(10), blanks(r, 0))
			if r.IntN(10) == 0 {
				b = append(b, blanks(r, 0)+"\n"...)
			}
		}
		write(t, dir, "in/"+name+".csv", b)
	}
}

// colonFiles are the files of markedFiles with two colons between cells, one of them compressed.
func colonFiles(t testing.TB, dir string, rows int) {
	markedFiles(t, dir, rows)
	for _, name := range []string{"a", "b"} {
		file := filepath.Join(dir, "in", name+".csv")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(";"), []byte("::"))
		if name == "b" {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			if _, err := w.Write(text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			text = packed.Bytes()
		}
		write(t, dir, "in/"+name+".csv", text)
	}
}

// grouped returns a number with commas between its thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

const markedFeatures = `
features:
  id: string
  english: {type: float, thousands: ","}
  german: {type: double, tensor: true, thousands: ".", decimal: ","}
  spaced: {type: int64, thousands: " "}
`

const paddedFeatures = `
features:
  id: int64
  tags: {type: string, shape: [2], pad: "", truncate: true}
  words: {from: tags, classes: auto, shape: [3], pad: none}
`

const vectorFeatures = `
features:
  id: int64
  tags: {classes: auto, multi_hot: true}
  some: {from: tags, type: float, classes: {names: [fox, dog, quick], unknown: -1}, multi_hot: true}
`

const rowFeatures = `
derive: {short: 'substr(column("@id"), 0, 4)'}
features:
  id: {from: '@id', type: string}
  offset: {from: '@offset', type: int64}
  short: string
`

// A valueCase is a table and the values that its records have.
type valueCase struct {
	config string // without name and output
	input  string
	want   string              // a JSON object per record, in source order
	shapes map[string][]int    // of features in TFDS
	names  map[string][]string // CLASSES of reader.py
}

var valueCases = map[string]valueCase{
	"placed": {
		config: "source: {csv: {files: placed.txt}}\nfeatures: {a: int64, id: {from: '@id', type: string}, offset: " +
			"{from: '@offset', type: int64}}\n",
		input: "a\n7\n\"8\"\n",
		want:  `[{"a": 7, "id": "2b854fa53046d59e", "offset": 2}, {"a": 8, "id": "2b854fa53046d5a0", "offset": 4}]`,
	},
	"blanks": {
		config: "source: {csv: {files: blanks.txt, delimiter: whitespace, header: false, columns: [path, label, " +
			"text], rest: text}}\n" +
			"join: {csv: {files: blanks.txt, delimiter: whitespace, header: false, columns: [path, 'a{0..1}'], " +
			"rest: a1}, on: path}\n" +
			"features: {path: string, label: int64, text: string, again: {from: a1, type: string}}\n",
		input: "a.jpg 3  one,  \"two\"\n \t\n\tb.jpg\t\t-1 x \r\n",
		want: `[{"path": "a.jpg", "label": 3, "text": "one,  \"two\"", "again": "one,  \"two\""},
			{"path": "b.jpg", "label": -1, "text": "x", "again": "x"}]`,
	},
	"colons": {
		config: "source: {csv: {files: colons.txt, delimiter: '::', quotes: none, header: false, columns: [id, " +
			"title, genres]}}\nfeatures: {id: int64, title: string, genres: {type: string, separator: '|'}}\n",
		input: "1::Toy Story (1995)::Animation|Comedy\n2::\"Great\": Cats::Musical\n",
		want: `[{"id": 1, "title": "Toy Story (1995)", "genres": ["Animation", "Comedy"]}, {"id": 2, "title": ` +
			`"\"Great\": Cats", "genres": ["Musical"]}]`,
	},
	"rest": {
		config: "source: {csv: {files: rest.txt, header: false, columns: [x, y, text], rest: text}}\nfeatures: {x: " +
			"int64, y: int64, text: {type: string, missing: {default: none}}}\n",
		input: "1,2,Hello, \"you\"\n3,4,\n5,6,\"\n",
		want: `[{"x": 1, "y": 2, "text": "Hello, \"you\""}, {"x": 3, "y": 4, "text": "none"}, {"x": 5, "y": 6, ` +
			`"text": "\""}]`,
	},
	"marked": {
		config: "source: {csv: {files: marked.txt, delimiter: ';'}}\nfeatures:\n" +
			"  a: {type: float, thousands: ','}\n  b: {type: float, thousands: '.', decimal: ','}\n" +
			"  c: {type: int64, thousands: ' ', missing: -1}\n  d: {type: float, decimal: ',', separator: ' ', " +
			"shape: [2], pad: 0.5}\n",
		input: "a;b;c;d\n1,299.50;1.299,50;4 014 314;1,5\n12;-0,5;;1,5 -2\n",
		want: `[{"a": 1299.5, "b": 1299.5, "c": 4014314, "d": [1.5, 0.5]}, {"a": 12, "b": -0.5, "c": -1, "d": ` +
			`[1.5, -2]}]`,
	},
	"vectors": {
		config: "source: {csv: {files: vectors.txt}}\nfeatures:\n" +
			"  tags: {classes: [ant, cat, dog], separator: ' ', multi_hot: true}\n" +
			"  all: {from: tags, type: float, classes: auto, separator: ' ', multi_hot: true}\n" +
			"  some: {from: tags, classes: {names: [cat, dog], first: 1, unknown: 0}, separator: ' ', multi_hot: " +
			"true}\n",
		input: "tags\ncat dog\ndog dog\n\"\"\nant\n",
		want: `[{"all": [0, 1, 1], "some": [1, 1], "tags": [0, 1, 1]},
			{"all": [0, 0, 1], "some": [0, 1], "tags": [0, 0, 1]},
			{"all": [0, 0, 0], "some": [0, 0], "tags": [0, 0, 0]},
			{"all": [1, 0, 0], "some": [0, 0], "tags": [1, 0, 0]}]`,
		shapes: map[string][]int{"tags": {3}, "all": {3}, "some": {2}},
		names: map[string][]string{"tags": {"ant", "cat", "dog"}, "all": {"ant", "cat", "dog"},
			"some": {"cat", "dog"}},
	},
	"padded": {
		config: "source: {csv: {files: padded.txt}}\nfeatures:\n" +
			"  ids: {type: int64, separator: ' ', shape: [3], pad: -1, truncate: true}\n" +
			"  tags: {classes: [none, cat, dog], separator: ' ', shape: [2], pad: none, missing: {default: dog}, " +
			"null_values: [NA]}\n",
		input: "ids,tags\n1 2,cat dog\n1 2 3 4,cat\n,\n7,NA\n",
		want: `[{"ids": [1, 2, -1], "tags": [1, 2]}, {"ids": [1, 2, 3], "tags": [1, 0]}, {"ids": [-1, -1, -1], ` +
			`"tags": [0, 0]}, {"ids": [7, -1, -1], "tags": [2, 2]}]`,
		shapes: map[string][]int{"ids": {3}, "tags": {2}},
		names:  map[string][]string{"tags": {"none", "cat", "dog"}},
	},
}

// TestTensorFlowReadsValues has reader.py and TFDS read the values of each case.
func TestTensorFlowReadsValues(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	for name, c := range valueCases {
		write(t, dir, name+".txt", []byte(c.input))
		write(t, dir, name+".yaml", []byte("name: "+name+"\noutput: out\norder: source\n"+c.config))
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, "data", name, "1.0.0"), pipeline.Run{})
		want, err := json.Marshal(map[string]any{"rows": json.RawMessage(c.want), "shapes": c.shapes, "names": c.names})
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "data/"+name+".json", want)
	}
	tftest.Run(t, filepath.Join("testdata", "values.py"), filepath.Join(dir, "data"))
}
