// Command consumers opens datasets with the programs that people train with, each in a
// Python environment of its own, and compares every value with the sources.
//
//	go -C scripts run ./consumers -set ci              # those of .ci/run
//	go -C scripts run ./consumers -set more            # those of make consumers
//	go -C scripts run ./consumers -set all -table      # writes the table of docs/reference/readers.md
//	go -C scripts run ./consumers -only Keras
//
// It stands on four kinds of files:
//
//	data/NAME.yaml, .jsonl      what is built, with the programs in bin; the sources are here and in testdata
//	requirements/NAME.txt       the packages of an environment, below .venv-consumers
//	checks/NAME.py              a consumer; checks/yardstick.py has the sources' values and the comparison
//	docs/how-to/read/readers.md           a block of code for each, which is run as it stands there
//
// results.json has what came of it, and the table of docs/reference/readers.md is made of that.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

func main() {
	set := flag.String("set", "ci", "which consumers: ci, more or all")
	only := flag.String("only", "", "the consumer of this name alone")
	writeTable := flag.Bool("table", false, "write results.json and the table of docs/reference/readers.md")
	jobs := flag.Int("jobs", runtime.NumCPU(), "consumers at a time")
	flag.Parse()
	if err := run(*set, *only, *writeTable, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "consumers:", err)
		os.Exit(1)
	}
}

func run(set, only string, writeTable bool, jobs int) error {
	project, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	chosen, err := choose(set, only)
	if err != nil {
		return err
	}
	blocks, err := readBlocks(filepath.Join(project, guide))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "consumers-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := buildAll(project, work); err != nil {
		return err
	}
	found, failed := tryAll(trial{project: project, work: work, blocks: blocks, making: &making{}}, chosen, jobs)
	if writeTable {
		return errors.Join(failed, record(project, found))
	}
	return failed
}

// tryAll tries the consumers, some at a time. The error says which were not content.
func tryAll(t trial, chosen []consumer, jobs int) ([]result, error) {
	found := make([]result, len(chosen))
	errs := make([]error, len(chosen))
	places := make(chan struct{}, max(jobs, 1))
	var running sync.WaitGroup
	for i, c := range chosen {
		running.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			started := time.Now()
			found[i], errs[i] = t.try(c)
			took := time.Since(started).Round(time.Second / 10)
			if errs[i] != nil {
				fmt.Printf("FAILED  %s, %v\n%v\n", c.name, took, errs[i])
				return
			}
			fmt.Printf("ok      %s, %s, %d values, %v\n", c.name, found[i].Version, found[i].Values, took)
		})
	}
	running.Wait()
	var failed error
	for i, err := range errs {
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s failed", chosen[i].name))
		}
	}
	return found, failed
}
