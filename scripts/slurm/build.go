package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A build is a dataset that is built again and again.
type build struct {
	dir    string // of the config, the tables and the datasets
	recipe string // of docs/scale.md
}

// prepare writes a config and its tables, and builds them with one process.
func prepare(dir string, rows int) (*build, error) {
	recipe, err := recipeOf("../docs/scale.md")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil { // which the recipe removes
		return nil, err
	}
	config := "name: pets\noutput: out/pets\nshards: 16\nsource: {csv: {files: pets-*.csv}}\nfeatures: {name: bytes, kind: {classes: auto}}\n"
	if err := os.WriteFile(filepath.Join(dir, "pets.yaml"), []byte(config), 0o644); err != nil {
		return nil, err
	}
	const tables = 8
	for i := range tables {
		if err := table(filepath.Join(dir, fmt.Sprintf("pets-%d.csv", i)), i*rows/tables, (i+1)*rows/tables); err != nil {
			return nil, err
		}
	}
	return &build{dir, recipe}, command(dir, "tfr-build", "-quiet", "-config", "pets.yaml", "-output", "alone")
}

// table writes a table of rows i to j.
func table(path string, i, j int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "name,kind")
	kinds := []string{"cat", "dog", "hamster"}
	for ; i < j; i++ {
		fmt.Fprintf(w, "the pet of number %d has a name that is long enough to weigh something %x,%s\n", i, uint64(i)*0x9e3779b97f4a7c15, kinds[i%len(kinds)])
	}
	return errors.Join(w.Flush(), f.Close())
}

// recipeOf returns the commands below the heading Slurm.
func recipeOf(file string) (commands string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(string(data), "\n## Slurm\n")
	_, text, _ = strings.Cut(text, "\n```sh\n")
	commands, _, ok := strings.Cut(text, "\n```\n")
	if !ok {
		return "", fmt.Errorf("%s has no recipe for Slurm", file)
	}
	return commands, nil
}

// start starts commands in the folder of the build, where tasks leave what they say.
func (b *build) start(commands string) (*exec.Cmd, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Stderr = b.dir, os.Stderr
	return cmd, cmd.Start()
}

// compare compares the dataset with that of one process.
func (b *build) compare() error {
	if err := command(b.dir, "tfr-build", "verify", "-quiet", "out/pets"); err != nil {
		return err
	}
	return command(b.dir, "diff", "-r", "alone", "out/pets")
}
