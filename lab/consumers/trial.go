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

	"tfr-build/lab/pyenv"
)

// patience is how long a consumer may take.
const patience = 15 * time.Minute

// A trial has the datasets that consumers open, and the code that they run.
type trial struct {
	project string
	work    string // the directory with the datasets
	blocks  map[string]block
	making  *making
}

// newTrial builds the datasets in a directory.
func newTrial(project, work string) (trial, error) {
	t := trial{project: project, work: work, making: &making{}}
	var err error
	if t.blocks, err = readBlocks(filepath.Join(project, guide)); err != nil {
		return t, err
	}
	return t, buildAll(project, work)
}

// ask runs the check of a consumer and returns its answer. It is an error if the consumer or package dataset
// reads other values than the sources have.
func (t trial) ask(c consumer) (answer, error) {
	b, ok := t.blocks[c.name]
	if !ok && c.opens != "" {
		return answer{}, fmt.Errorf("%s has no block under the heading %q", guide, c.name)
	}
	text, err := json.Marshal([]string{b.code, b.shown})
	if err != nil {
		return answer{}, err
	}
	python, err := t.making.python(t.project, c.environment)
	if err != nil {
		return answer{}, err
	}
	want, err := t.expect(c)
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	check := filepath.Join(t.project, "lab", "consumers", "checks", c.check+".py")
	cmd := exec.CommandContext(ctx, python, "-W", "ignore", check, t.work, string(text))
	cmd.WaitDelay = time.Minute // for processes that a consumer leaves running
	cmd.Env = append(os.Environ(), "TF_CPP_MIN_LOG_LEVEL=3", "PYTHONDONTWRITEBYTECODE=1", "CUDA_VISIBLE_DEVICES=",
		"TFR_CONSUMERS="+filepath.Join(t.project, ".venv-consumers"))
	out, err := pyenv.Output(cmd)
	if err != nil {
		return answer{}, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var said struct {
		answer
		Failures []string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &said); err != nil {
		return answer{}, fmt.Errorf("%s: the last line is %q, want JSON: %w", c.check, lines[len(lines)-1], err)
	}
	if len(said.Failures) > 0 {
		return answer{}, errors.New(strings.Join(said.Failures, "\n"))
	}
	if said.Values == 0 {
		return answer{}, fmt.Errorf("%s compared no values", c.check)
	}
	got := said.answer
	got.Oracle, got.Date, got.Asked, got.Read = c.name, time.Now().UTC().Format(time.DateOnly), want.Asked, want.Read
	if differ := differences(got, want); len(differ) > 0 {
		return answer{}, errors.New(strings.Join(differ, "\n"))
	}
	return got, nil
}
