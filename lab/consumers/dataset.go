package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// datasets are the configs, below data. Each builds the dataset of its name below out: TFRecord files with indexes,
// ArrayRecord files, a directory per split, TFRecord files of WebDataset shards, episodes, and WebDataset shards.
var datasets = []string{
	"penguins", "notes", "photos",
	"random/penguins", "random/notes", "random/photos",
	"folders/penguins", "folders/notes", "folders/photos",
	"webdataset",
	"episodes",
	"samples/penguins", "samples/notes", "samples/photos",
}

// buildAll builds the datasets, in out below the directory. It writes the WebDataset shards in shards next to it.
func buildAll(project, work string) error {
	if err := writeShards(filepath.Join(project, "testdata", "photos"), filepath.Join(work, "shards")); err != nil {
		return err
	}
	lookup := func(name string) (string, bool) {
		if name == "OUT" {
			return filepath.ToSlash(filepath.Join(work, "out")), true
		}
		return filepath.ToSlash(filepath.Join(work, "shards")), name == "SHARDS"
	}
	for _, name := range datasets {
		file := filepath.Join(project, "lab", "consumers", "data", filepath.FromSlash(name)+".yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		cfg, err := config.Parse(file, text, lookup)
		if err != nil {
			return err
		}
		run := pipeline.Run{Workers: 2, Memory: 1 << 28}
		if _, err := pipeline.Build(context.Background(), cfg, run); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func outputOf(work, name string) string {
	return filepath.Join(work, "out", filepath.FromSlash(name))
}

// digest returns the start of a SHA-256 in hexadecimal digits: enough to notice a change.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// digestOfFiles returns a digest of the names and bytes of files, in any order of the list.
func digestOfFiles(dir string, files []string) (string, error) {
	slices.Sort(files)
	var all strings.Builder
	for _, file := range slices.Compact(files) {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&all, "%s %d %x\n", filepath.ToSlash(file), len(data), sha256.Sum256(data))
	}
	return digest([]byte(all.String())), nil
}

// digestOfDataset returns a digest of the shards of a dataset, and of its files that match the patterns.
func digestOfDataset(dir string, patterns []string) (string, error) {
	records, err := dataset.OpenDataset(nil, dir)
	if err != nil {
		return "", err
	}
	var paths, files []string
	for i := range records.Files {
		paths = append(paths, records.Files[i].Path)
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		file, err := filepath.Rel(dir, path)
		if err != nil {
			return "", err
		}
		files = append(files, file)
	}
	return digestOfFiles(dir, files)
}

// A split is what a reader finds in a split.
type split struct {
	Records int `json:"records"`
	// digests of the values, as valuesOf and Check.found in yardstick.py compute them
	Features map[string]string `json:"features"`
}

// readSplits returns what package dataset finds in each split of a dataset.
func readSplits(dir string) (map[string]split, error) {
	records, err := dataset.OpenDataset(nil, dir)
	if err != nil {
		return nil, err
	}
	rows := map[string][]map[string]string{}
	err = records.Each(context.Background(), 1, func(_ int, at dataset.RecordPosition, payload []byte) error {
		row := map[string]string{}
		if !message.Each(message.Example, payload, func(key []byte, f message.Feature) {
			row[string(key)] = valuesOf(f)
		}) {
			return fmt.Errorf("%s: a record is not an Example", dir)
		}
		name := records.Splits[records.Files[at.File].Split]
		rows[name] = append(rows[name], row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	splits := map[string]split{}
	for name, rows := range rows {
		splits[name] = split{len(rows), digestOfFeatures(rows)}
	}
	return splits, nil
}

// digestOfFeatures returns a digest of the values of each feature, in any order of the rows.
func digestOfFeatures(rows []map[string]string) map[string]string {
	digests := map[string]string{}
	for _, row := range rows {
		for feature := range row {
			digests[feature] = ""
		}
	}
	for feature := range digests {
		var lines []string
		for _, row := range rows {
			lines = append(lines, row[feature])
		}
		slices.Sort(lines)
		digests[feature] = digest([]byte(strings.Join(lines, "\n")))
	}
	return digests
}

// valuesOf returns the values of a feature as text: integers in decimal, floats by their bits, bytes in hexadecimal.
func valuesOf(f message.Feature) string {
	var texts []string
	switch f.List {
	case message.Int64List:
		for v := range f.Ints() {
			texts = append(texts, strconv.FormatInt(v, 10))
		}
	case message.FloatList:
		for v := range f.Floats() {
			texts = append(texts, fmt.Sprintf("%08x", math.Float32bits(v)))
		}
	case message.BytesList:
		for v := range f.Bytes() {
			texts = append(texts, hex.EncodeToString(v))
		}
	}
	return strings.Join(texts, ",")
}
