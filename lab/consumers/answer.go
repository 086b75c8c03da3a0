package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// An answer is what a consumer found that read every value as the sources have it.
type answer struct {
	Oracle  string                      `json:"oracle"`
	Version string                      `json:"version"` // according to the consumer
	Date    string                      `json:"date"`
	Values  int                         `json:"values"` // number of values that were compared
	Asked   string                      `json:"asked"`  // digest of its check, its packages, and its block of the guide
	Read    map[string]string           `json:"read"`   // digests of the files that it read, by dataset
	Found   map[string]map[string]split `json:"found"`  // by dataset and split
}

// answerFile is the file with the answer of a consumer.
func answerFile(project string, c consumer) string {
	return filepath.Join(project, "testdata", "oracles", anchor(c.name)+".json")
}

// readAnswer reads the answer of a consumer.
func readAnswer(project string, c consumer) (answer, error) {
	file := answerFile(project, c)
	data, err := os.ReadFile(file)
	if err != nil {
		return answer{}, err
	}
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return answer{}, fmt.Errorf("%s: %w", file, err)
	}
	return a, nil
}

// writeAnswer writes the answer of a consumer.
func writeAnswer(project string, c consumer, a answer) error {
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(answerFile(project, c), append(data, '\n'), 0o644)
}

// expect returns the answer that a consumer has to give: what is asked now, the digests of the datasets as
// they are built now, and what package dataset finds in them.
func (t trial) expect(c consumer) (answer, error) {
	want := answer{Oracle: c.name, Read: map[string]string{}, Found: map[string]map[string]split{}}
	var err error
	if want.Asked, err = t.asked(c); err != nil {
		return want, err
	}
	for _, name := range c.datasets {
		dir := outputOf(t.work, name)
		if want.Read[name], err = digestOfDataset(dir, c.reads); err != nil {
			return want, err
		}
		base := path.Base(name)
		if want.Found[base] != nil {
			continue // other files with the same values
		}
		if want.Found[base], err = readSplits(dir); err != nil {
			return want, err
		}
	}
	return want, nil
}

// asked returns a digest of everything besides datasets that decides what a consumer answers.
func (t trial) asked(c consumer) (string, error) {
	files := []string{}
	dir := filepath.Join("lab", "consumers")
	if packages := requirements(c.environment); packages != "" {
		files = append(files, packages)
	}
	for _, pattern := range []string{
		filepath.Join(dir, "checks", c.check+"*.py"),
		filepath.Join(dir, c.check, "*.*"), filepath.Join(dir, c.check, "src", "*.*"),
	} {
		found, err := filepath.Glob(filepath.Join(t.project, pattern))
		if err != nil {
			return "", err
		}
		for _, path := range found {
			file, err := filepath.Rel(t.project, path)
			if err != nil {
				return "", err
			}
			files = append(files, file)
		}
	}
	code, err := digestOfFiles(t.project, files)
	if err != nil {
		return "", err
	}
	b := t.blocks[c.name]
	return digest([]byte(code + "\n" + b.code + "\n" + b.shown)), nil
}

// differences returns how an answer differs from the expected one. A consumer may skip datasets and features
// that it cannot read.
func differences(got, want answer) (all []string) {
	if got.Asked != want.Asked {
		all = append(all, "its check, its packages, or its block in "+guide+" changed")
	}
	for _, name := range slices.Sorted(maps.Keys(want.Read)) {
		if got.Read[name] != want.Read[name] {
			all = append(all, fmt.Sprintf("dataset %s: files that it reads changed: computed %s, stored %s", name,
				want.Read[name], got.Read[name]))
		}
	}
	if len(got.Found) == 0 {
		all = append(all, "it found no dataset")
	}
	for _, name := range slices.Sorted(maps.Keys(got.Found)) {
		found, expected := got.Found[name], want.Found[name]
		if !slices.Equal(slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(expected))) {
			all = append(all, fmt.Sprintf("dataset %s: found %d splits, expected %d", name, len(found), len(expected)))
			continue
		}
		for _, part := range slices.Sorted(maps.Keys(found)) {
			all = append(all, splitDifferences(name+", "+part, found[part], expected[part])...)
		}
	}
	return all
}

func splitDifferences(where string, got, want split) (all []string) {
	if got.Records != want.Records {
		all = append(all, fmt.Sprintf("%s: it found %d records, package dataset %d", where, got.Records, want.Records))
	}
	if len(got.Features) == 0 {
		all = append(all, where+": it found no feature")
	}
	for _, feature := range slices.Sorted(maps.Keys(got.Features)) {
		if found := want.Features[feature]; got.Features[feature] != found {
			all = append(all, fmt.Sprintf("%s, feature %s: it found the values %s, package dataset %q", where, feature,
				got.Features[feature], found))
		}
	}
	return all
}
