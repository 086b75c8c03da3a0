package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tfr-build/scripts/pyenv"
)

// datasets are the configs, below data. Each builds what has its path below out: TFRecord
// files with indexes, ArrayRecord files, and a directory for each split.
var datasets = []string{
	"penguins", "notes", "photos",
	"random/penguins", "random/notes", "random/photos",
	"folders/penguins", "folders/notes", "folders/photos",
}

// patience is how long a consumer may take.
const patience = 15 * time.Minute

// buildAll builds the datasets, in out below the directory.
func buildAll(project, work string) error {
	for _, dataset := range datasets {
		config := filepath.Join(project, "scripts", "consumers", "data", filepath.FromSlash(dataset)+".yaml")
		cmd := exec.Command(filepath.Join(project, "bin", "tfr-build"), "build", "-quiet", config)
		cmd.Env = append(os.Environ(), "OUT="+filepath.Join(work, "out"))
		if _, err := pyenv.Output(cmd); err != nil {
			return fmt.Errorf("%s: %w", config, err)
		}
	}
	return nil
}

// A trial is what consumers are tried on.
type trial struct {
	project string
	work    string // the directory with the datasets
	blocks  map[string]block
	making  *making
}

// try runs the check of a consumer, whose last line says what came of it.
func (t trial) try(c consumer) (result, error) {
	b, ok := t.blocks[c.name]
	if !ok {
		return result{}, fmt.Errorf("%s has no block under the heading %q", guide, c.name)
	}
	text, err := json.Marshal([]string{b.code, b.shown})
	if err != nil {
		return result{}, err
	}
	python, err := t.making.python(t.project, c.environment)
	if err != nil {
		return result{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	check := filepath.Join(t.project, "scripts", "consumers", "checks", c.check+".py")
	cmd := exec.CommandContext(ctx, python, "-W", "ignore", check, t.work, string(text))
	cmd.WaitDelay = time.Minute // for the processes that a consumer leaves behind
	cmd.Env = append(os.Environ(), "TF_CPP_MIN_LOG_LEVEL=3", "PYTHONDONTWRITEBYTECODE=1",
		"TFR_CONSUMERS="+filepath.Join(t.project, ".venv-consumers"))
	out, err := pyenv.Output(cmd)
	if err != nil {
		return result{}, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var said struct {
		Version  string
		Values   int
		Failures []string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &said); err != nil {
		return result{}, fmt.Errorf("%s: the last line is %q, want JSON: %w", c.check, lines[len(lines)-1], err)
	}
	if len(said.Failures) > 0 {
		return result{}, errors.New(strings.Join(said.Failures, "\n"))
	}
	if said.Values == 0 {
		return result{}, fmt.Errorf("%s compared nothing", c.check)
	}
	return result{Name: c.name, Version: said.Version, Date: time.Now().UTC().Format(time.DateOnly), Values: said.Values}, nil
}
