package conformance

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A form is an input and the config that builds from it: dataset.yaml, next to
// the input.
type form struct {
	name   string
	config string
	make   func(t testing.TB, dir string, rows int)
}

// lay writes the form's input, of about so many rows, and its config into
// dir and returns the path of the config.
func (f *form) lay(t testing.TB, dir string, rows int) string {
	t.Helper()
	f.make(t, dir, rows)
	return f.configure(t, dir, "dataset.yaml", "")
}

// configure writes the config, with more lines, and returns its path.
func (f *form) configure(t testing.TB, dir, name, more string) string {
	t.Helper()
	write(t, dir, name, []byte("name: it\noutput: out\n"+more+f.config))
	return filepath.Join(dir, name)
}

const tripFeatures = `
features:
  id: int64
  vendor: {classes: auto}
  distance: float
  tip: {type: float, missing: omit}
  paid: bool
  tags: {type: string, separator: ";", missing: empty_list}
  note: string
`

const jsonFeatures = `
features:
  id: int64
  vendor: {classes: [CMT, DDS, VTS]}
  distance: {from: trip.distance, type: float}
  tip: {from: trip.tip, type: float, missing: {default: 0}}
  paid: bool
  tags: {from: tags.*, type: string}
  note: string
`

const someFractions = "split:\n  fractions: {train: 70%, validation: 20%, test: 10%}\n"

// forms are the kinds of input, order and output.
var forms = append([]form{
	{"csv", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: {count: {train: 3, validation: 2, test: " +
		"1}}\n" + someFractions + tripFeatures, csvFiles},
	{"csv, order source", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\norder: source\nshards: 3\n" +
		someFractions + tripFeatures, csvFiles},
	{"csv, order_key", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\norder_key: zone\nseed: 3\nshards: " +
		"{size: 2MB}\nsplit:\n  fractions: {train: 70%, test: 30%}\n  by: zone\n" + tripFeatures, csvFiles},
	{"csv, gzip", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\ncompression: gzip\nshards: 2\n" +
		tripFeatures, csvFiles},
	{"csv, zlib and sha256", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\ncompression: zlib\ndigest: " +
		"sha256\nshards: 2\n" + tripFeatures, csvFiles},
	{"csv, compressed input", "source: {csv: {files: 'in/*', null_values: [NA]}}\nsplit: {column: zone}\n" +
		tripFeatures, gzipFiles},
	{"jsonl", "source: {jsonl: {files: 'in/*.jsonl'}}\nsplit: {column: zone}\nshards: 2\n" + jsonFeatures, jsonFiles},
	{"images", "source: {images: {dir: in}, from_path: '{class}/{subset}_*.*', split: {column: subset}}\nshards: 3\n" +
		imageFeatures, imageFiles},
	{"images, inception-py3", "source: {images: {dir: in}, from_path: '{class}/{subset}_*.*', split: {column: " +
		"subset}}\norder: inception-py3\nthreads: 3\nshards: 6\n" + imageFeatures, imageFiles},
	{"several sources", severalSources, severalFiles},
	{"arrays of each order", "sources:" + fmt.Sprintf(orderedConfig, "images"), aTenthOf(orderedArrays)},
	{"arrays, compressed", "sources:" + fmt.Sprintf(orderedConfig, "images.gz"), aTenthOf(orderedArrays)},
}, slices.Concat(recordForms, convertedForms, laterForms)...)

// laterForms are those that came after others of their bytes version; the digests of
// their bytes are last.
var laterForms = slices.Concat(arrayForms, shapedForms, parquetForms, documentForms, archiveForms, valueForms,
	splitForms, dedupedForms, joinedForms, limitedForms, groupedForms, followedForms, episodeForms, labelMapForms,
	paletteForms)

// paletteForms have the indexes of images with a palette.
var paletteForms = []form{{
	"images, palettes",
	"source: {images: {dir: in, extensions: [png, gif], convert: {palette: keep, color: gray, " +
		"resize: {width: 20, height: 30, fit: pad, filter: nearest}}}, from_path: '{class}/{subset}_*.*', split: " +
		"{column: subset}}\n" +
		"features: {image: {from: image}, classes: {from: image.pixels, type: uint8, shape: [30, 20, 1], tensor: " +
		"true}}\n",
	imageFiles,
}}

// dedupedForms skip rows that are equal to others.
var dedupedForms = []form{
	{"csv, deduped", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: 2\n" + someFractions +
		"dedupe: {by: [zone, vendor, paid], prefer: [test, validation]}\nsample: 60%\n" + tripFeatures, csvFiles},
	{"csv, deduped and spilled",
		"source: {csv: {files: 'in/*', null_values: [NA]}}\norder_key: zone\ndedupe: {by: [distance]}\n" + tripFeatures,
		gzipFiles},
	{"images, deduped", "source: {images: {dir: in}, from_path: '{class}/{subset}_*.*', split: {column: " +
		"subset}}\ndedupe: {by: [image.pixels]}\n" + imageFeatures, imageFiles},
}

// limitedForms have at most so many rows of each value.
var limitedForms = []form{
	{"csv, limited by value", "source: {csv: {files: 'in/*.csv', null_values: [NA, VTS]}}\nshards: 2\n" +
		someFractions +
		"limit: {train: {rows: 70, per: vendor}, test: {rows: 9, per: zone}, validation: 30}\n" + strataFeatures,
		csvFiles},
	{"gzip, limited by value and stratified",
		"source: {csv: {files: 'in/*', null_values: [NA]}}\norder: source\nshards: {rows: 40}\nsplit: {folds: 3, by: " +
			"distance, stratify: vendor}\ndedupe: {by: [distance, zone]}\nlimit: {fold_0: {rows: 12, per: zone}, " +
			"fold_2: {rows: 30, per: vendor}}\n" + tripFeatures, gzipFiles},
	{"images, limited by value",
		"source: {images: {dir: in}, from_path: '{class}/{subset}_*.*', split: {column: subset}}\nlimit: {train: " +
			"{rows: 2, per: class}}\nfeatures: {image: {from: image}, sum: {from: image.sha256, type: string}, " +
			"label: {from: class, classes: auto}}\n", imageFiles},
	{"csv, limited, with counts in names",
		"source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: {rows: 60, filename: " +
			"'{SPLIT}{INDEX}-{COUNT}.tfrec'}\n" + someFractions +
			"limit: {test: {rows: 9, per: zone}, validation: 30}\n" +
			tripFeatures, csvFiles},
}

// groupedForms put several rows into one record.
var groupedForms = []form{
	{"csv, grouped", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: 2\n" + someFractions +
		"record: sequence\ngroup: {by: [zone, vendor], sort: {column: distance, type: float64}}\n" +
		"context: {zone: string, vendor: {classes: auto}, rides: {from: '@steps', type: int64}, first: {from: note, " +
		"type: string, take: first}}\n" +
		"sequence: {id: int64, distance: float, tip: {type: float, missing: 0}, paid: bool, pair: {from: [id, id], " +
		"type: int64}, tags: {type: string, separator: ';', shape: [-1], missing: empty_list}}\n", csvFiles},
	{"jsonl, windows", "source: {jsonl: {files: 'in/*.jsonl'}}\norder: source\nsample: 80%\ngroup: {by: vendor, " +
		"sort: id, windows: {length: 8, stride: 5, last: pad}}\n" +
		"features: {vendor: string, record: {from: '@id', type: string}, id: {type: int64, pad: -1}, distance: " +
		"{from: trip.distance, type: float, pad: 0}, row: {from: [id, id], type: int64, pad: 0}}\n", jsonFiles},
	{"images, clips", "source: {images: {dir: in}, from_path: '{class}/{subset}_*.*'}\nshards: 2\nrecord: " +
		"sequence\ngroup: {by: [class, subset], sort: filename}\n" +
		"context: {class: {from: class, classes: auto}}\nsequence: {image: {from: image}, width: {from: " +
		"image.width}}\n",
		imageFiles},
}

var strataFeatures = strings.Replace(tripFeatures, "{classes: auto}", "{classes: auto, missing: omit}", 1) +
	"  part: {from: '@split', classes: auto}\n"

// splitForms are the ways to divide rows that came later.
var splitForms = []form{
	{"csv, folds", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: 2\nsplit: {folds: 3, by: note}\n" +
		tripFeatures, csvFiles},
	{"csv, stratified", "source: {csv: {files: 'in/*.csv', null_values: [NA, VTS]}}\nshards: {count: {train: 3, " +
		"validation: 2, test: 1}}\nsplit: {fractions: {train: 70%, validation: 20%, test: 10%}, stratify: " +
		"vendor}\nwhere: '!missing(tip)'\nsample: 90%\n" + strataFeatures, csvFiles},
	{"csv, stratified groups in an order",
		"source: {csv: {files: 'in/*.csv', null_values: [NA]}}\norder_key: zone\nlimit: {fold_1: 500}\nshards: " +
			"2\nsplit: {folds: 4, by: distance, stratify: vendor}\n" + tripFeatures, csvFiles},
	{"gzip, stratified, in source order",
		"sources:\n  - csv: {files: 'in/b*', null_values: [NA]}\n  - csv: {files: 'in/a*', null_values: [NA]}\n    " +
			"split: {fractions: {more: 50%, test: 50%}, by: distance, stratify: zone}\norder: source\nshards: " +
			"{size: 100KB}\nsplit: {fractions: {train: 90%, test: 10%}, stratify: paid}\n" + tripFeatures, gzipFiles},
}

const imageFeatures = `
features:
  image: {from: image}
  width: {from: image.width}
  format: {from: image.format}
  label: {from: class, classes: auto}
  path: string
`

const severalSources = `
sources:
  - name: table
    csv: {files: 'a/in/*.csv', null_values: [NA]}
    set: {origin: table}
    join: [{csv: {files: zones.csv}, on: zone}]
    split: {fractions: {train: 60%, test: 40%}, by: zone}
  - name: lines
    jsonl: {files: 'b/in/*.jsonl'}
    set: {origin: lines}
    rename: {trip.distance: distance, trip.tip: tip}
    join: [{csv: {files: zones.csv}, on: zone}]
    split: {column: zone}
  - folder: {dir: c, extensions: [txt]}
    split: held
    set: {id: '0', distance: '1.5', tip: NA, note: '', origin: folder, population: '1'}
shards: 2
features:
  id: int64
  distance: float
  tip: {type: float, missing: omit, null_values: [NA]}
  note: string
  origin: bytes
  population: int64
  where: {from: '@file', type: string}
  from: {from: '@source', type: string}
  half: {from: '@split', type: string}
`

// A trip is a row of the tables.
type trip struct {
	id            int
	vendor, zone  string
	distance, tip string // a tip may be missing
	paid          bool
	tags          []string
	note          string
}

var zones = []string{"north", "south", "east", "west"}

// trips makes n rows, the same for the same seed.
func trips(n int, seed uint64) []trip {
	r := rand.New(rand.NewPCG(seed, 7))
	words := strings.Fields("the quick brown fox jumps over a lazy dog while snow falls on the élan of 東京")
	list := make([]trip, n)
	for i := range list {
		t := trip{id: i, vendor: []string{"CMT", "VTS", "DDS"}[r.IntN(3)], zone: zones[r.IntN(len(zones))],
			paid: r.IntN(2) == 0}
		t.distance = strconv.FormatFloat(r.ExpFloat64()*3, 'f', 2, 64)
		if r.IntN(5) > 0 {
			t.tip = strconv.FormatFloat(r.Float64()*15, 'g', -1, 64)
		}
		for range r.IntN(4) {
			t.tags = append(t.tags, words[r.IntN(len(words))])
		}
		for range 1 + r.IntN(12) {
			t.note += words[r.IntN(len(words))] + " "
		}
		switch r.IntN(40) {
		case 0:
			t.note += "\nsaid, \"so\"\r\n"
		case 1:
			t.note = strings.Repeat(t.note, 60) // some rows are long
		}
		list[i] = t
	}
	return list
}

func csvOf(t testing.TB, rows []trip, crlf bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = crlf
	w.Write([]string{"id", "vendor", "distance", "tip", "paid", "tags", "zone", "note"})
	for _, r := range rows {
		tip := r.tip
		if tip == "" {
			tip = "NA"
		}
		w.Write([]string{strconv.Itoa(r.id), r.vendor, r.distance, tip, strconv.FormatBool(r.paid),
			strings.Join(r.tags, ";"), r.zone, r.note})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jsonOf(t testing.TB, rows []trip) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rows {
		nested := map[string]any{"distance": json.Number(r.distance)}
		if r.tip != "" {
			nested["tip"] = json.Number(r.tip)
		}
		row := map[string]any{
			"id": r.id, "vendor": r.vendor, "trip": nested, "paid": r.paid,
			"tags": append([]string{}, r.tags...), "zone": r.zone, "note": r.note, "unused": []any{1, nil, "x"},
		}
		if err := json.NewEncoder(&b).Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// csvFiles are three tables: most rows in the first, one in the last.
func csvFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.csv", csvOf(t, trips(rows*3/4, 1), false))
	write(t, dir, "in/b.csv", append([]byte("\ufeff"), csvOf(t, trips(rows/4, 2), true)...))
	write(t, dir, "in/z.csv", csvOf(t, trips(1, 3), false))
}

func gzipFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.csv.gz", gzipped(csvOf(t, trips(rows/2, 1), false)))
	write(t, dir, "in/b.csv", csvOf(t, trips(rows/2, 2), true))
}

func jsonFiles(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.jsonl", jsonOf(t, trips(rows/3, 1)))
	write(t, dir, "in/b.jsonl", jsonOf(t, trips(rows*2/3, 2)))
}

func severalFiles(t testing.TB, dir string, rows int) {
	csvFiles(t, dir+"/a", rows/2)
	jsonFiles(t, dir+"/b", rows/2)
	for i := range 20 {
		write(t, dir, fmt.Sprintf("c/%d.txt", i), []byte(strings.Repeat("text ", i)))
	}
	side := "zone,population\n"
	for i, z := range zones {
		side += fmt.Sprintf("%s,%d\n", z, 1000*i)
	}
	write(t, dir, "zones.csv", []byte(side))
}

// imageFiles are images of three classes and two splits, a hundredth as many
// as a table has rows.
func imageFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range max(12, rows/100) {
		data, extension := picture(t, r, i)
		name := fmt.Sprintf("in/%s/%s_%d.%s", []string{"cat", "dog", "goat"}[i%3], []string{"train", "test"}[i%5/4], i,
			extension)
		write(t, dir, name, data)
	}
}

func picture(t testing.TB, r *rand.Rand, i int) (data []byte, extension string) {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 3+i%50, 2+i%70),
		color.Palette{color.Black, color.White, color.RGBA{uint8(i), 200, 100, 255}})
	for p := range img.Pix {
		img.Pix[p] = uint8(r.IntN(3))
	}
	var b bytes.Buffer
	var err error
	switch i % 4 {
	case 0:
		err, extension = png.Encode(&b, img), "png"
	case 1:
		err, extension = gif.Encode(&b, img, nil), "gif"
	default:
		err, extension = jpeg.Encode(&b, img, nil), "JPEG"
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), extension
}

// formOf is the form of a name.
func formOf(name string) *form {
	i := slices.IndexFunc(forms, func(f form) bool { return f.name == name })
	return &forms[i]
}
