package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

const jobHead = "name: torture\noutput: out\n"

const tableFeatures = "features: {id: int64, text: bytes, x: float}\n"

const splits = "split:\n  fractions: {train: 75%, test: 25%}\nshards: {count: {train: 6, test: 3}}\n"

const rows = 40_000 // of a job's table

// newJob is a job, by its name.
func newJob(name string) *job {
	j := &job{name: name}
	csv := jobHead + "source:\n  csv: {files: rows.csv}\n" + tableFeatures
	switch name {
	case "csv":
		j.config, j.lay = csv+splits, layCSV
	case "jsonl":
		j.config, j.lay = jobHead+"source:\n  jsonl: {files: rows.jsonl}\nshards: 8\n"+tableFeatures, layJSONL
	case "images":
		j.config = jobHead + "source:\n  images: {dir: photos}\nshards: 8\nfeatures:\n  image: {from: image}\n  " +
			"label: {from: class, classes: auto}\n"
		j.lay = layImages
	case "spill":
		j.config = jobHead + "source:\n  csv: {files: 'rows.csv.gz'}\ncompression: gzip\nshards: 8\n" + tableFeatures
		j.flags, j.lay = []string{"-memory", "16MB"}, layGzip
	case "quarantine":
		j.config, j.lay = csv+splits+"on_error: quarantine\nmax_errors: 5%\n", layBad
	case "overwrite":
		j.config, j.lay = csv+splits, layCSV
		j.flags, j.older = []string{"-overwrite"}, "seed: 3\n"
	case "proved":
		j.config = csv + `format: webdataset
webdataset: {key: "{id}", members: {txt: text, json: [id, x]}}
shards: {count: 8, filename: "{SPLIT}-{SHARD_X_OF_Y}.tar"}
provenance: true
`
		j.lay = layCSV
	default:
		panic("no job " + name)
	}
	return j
}

// allJobs are the names of all jobs.
var allJobs = []string{"csv", "jsonl", "images", "spill", "quarantine", "overwrite", "proved"}

// layFile writes a file through write.
func layFile(path string, write func(io.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	return w.Flush()
}

func text(i int) string { return fmt.Sprintf("some text of row %d, which is %x", i, i*104729) }

// writeCSV writes the table. bad reports in which rows the number is invalid, and
// which miss a closing quote.
func writeCSV(w io.Writer, bad bool) {
	fmt.Fprintln(w, "id,text,x")
	for i := range rows {
		switch {
		case bad && i%100 == 7:
			fmt.Fprintf(w, "%d,\"%s,%d\n", i, text(i), i/7)
		case bad && i%100 == 50:
			fmt.Fprintf(w, "no number,\"%s\",%d\n", text(i), i/7)
		default:
			fmt.Fprintf(w, "%d,\"%s\",%d\n", i, text(i), i/7)
		}
	}
}

func layCSV(dir string) error {
	return layFile(filepath.Join(dir, "rows.csv"), func(w io.Writer) { writeCSV(w, false) })
}

func layBad(dir string) error {
	return layFile(filepath.Join(dir, "rows.csv"), func(w io.Writer) { writeCSV(w, true) })
}

func layGzip(dir string) error {
	return layFile(filepath.Join(dir, "rows.csv.gz"), func(w io.Writer) {
		z := gzip.NewWriter(w)
		writeCSV(z, false)
		_ = z.Close() // the writer below keeps its error
	})
}

func layJSONL(dir string) error {
	return layFile(filepath.Join(dir, "rows.jsonl"), func(w io.Writer) {
		for i := range rows {
			fmt.Fprintf(w, `{"id": %d, "text": %q, "x": %d}`+"\n", i, text(i), i/7)
		}
	})
}

const photos, classes = 2_000, 10

func layImages(dir string) error {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range photos {
		class := filepath.Join(dir, "photos", fmt.Sprintf("class%d", i%classes))
		if err := os.MkdirAll(class, 0o777); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := png.Encode(&b, noise(r)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(class, fmt.Sprintf("%04d.png", i)), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func noise(r *rand.Rand) image.Image {
	const side = 16
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		img.Set(i%side, i/side, color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255})
	}
	return img
}
