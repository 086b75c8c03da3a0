package engine

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// config is the config of docs/how-to/many-machines.md, with more tables and shards.
const config = `name: pets
output: out/pets
shards: 16
source: {csv: {files: pets-*.csv}}
features: {name: bytes, kind: {classes: auto}}
`

// Prepare writes a config and its tables in a new directory, and builds them with one
// process.
func Prepare(dir string, rows int) error {
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil { // which recipes remove
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pets.yaml"), []byte(config), 0o644); err != nil {
		return err
	}
	const tables = 8
	for i := range tables {
		if err := table(filepath.Join(dir, fmt.Sprintf("pets-%d.csv", i)), i*rows/tables,
			(i+1)*rows/tables); err != nil {
			return err
		}
	}
	return Command(dir, "tfr-build", "-quiet", "-config", "pets.yaml", "-output", "alone")
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
		fmt.Fprintf(w, "the pet of number %d has a name that is long enough to weigh something %x,%s\n", i,
			uint64(i)*0x9e3779b97f4a7c15, kinds[i%len(kinds)])
	}
	return errors.Join(w.Flush(), f.Close())
}

// Compare compares the dataset that tasks made with the dataset that one process made.
func Compare(dir string) error {
	if err := Command(dir, "tfr-build", "verify", "-quiet", "out/pets"); err != nil {
		return err
	}
	return Command(dir, "diff", "-r", "alone", "out/pets")
}

// Recipe returns the first block of a language below a heading of docs/how-to/many-machines.md.
func Recipe(heading, language string) (text string, err error) {
	const file = "../docs/how-to/many-machines.md"
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	_, text, _ = strings.Cut(string(data), "\n## "+heading+"\n")
	_, text, _ = strings.Cut(text, "\n```"+language+"\n")
	text, _, ok := strings.Cut(text, "\n```\n")
	if !ok {
		return "", fmt.Errorf("%s has no recipe for %s", file, heading)
	}
	return text, nil
}
