// Command consumers asks the programs that people train with what the datasets of tfr-build hold. Each program
// runs in a Python environment of its own, and every value is compared with the sources. Its answer is recorded.
//
//	go -C lab run ./consumers                  # the programs whose recorded answers are out of date
//	go -C lab run ./consumers -all             # all of them
//	go -C lab run ./consumers -only Keras      # one
//
//	data/NAME.yaml ─► datasets ─┬─► checks/NAME.py ─► testdata/oracles/NAME.json ─► docs/reference/readers.md
//	                            └─► package dataset ─► TestAnswers compares
//
// The tests of this package build the datasets again, and compare their bytes and values with the recorded
// answers. So they need none of the programs. These are the files:
//
//	data/NAME.yaml, .jsonl         configs of the datasets; their sources are here and in testdata
//	requirements/NAME.txt          the packages of an environment, below .venv-consumers
//	checks/NAME.py                 runs a consumer; checks/yardstick.py has the sources' values and the comparison
//	docs/how-to/read/readers.md    a block of code for each consumer, which its check runs
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

func main() {
	all := flag.Bool("all", false, "ask all consumers again, not only those whose answers are out of date")
	only := flag.String("only", "", "ask the consumer of this name only")
	jobs := flag.Int("jobs", runtime.NumCPU(), "number of consumers at a time")
	flag.Parse()
	if err := run(*all, *only, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "consumers:", err)
		os.Exit(1)
	}
}

func run(all bool, only string, jobs int) error {
	project, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "consumers-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	t, err := newTrial(project, work)
	if err != nil {
		return err
	}
	if !all && only == "" {
		if chosen, err = t.outdated(); err != nil {
			return err
		}
	}
	if err := t.askAll(chosen, jobs); err != nil {
		return err
	}
	return writeTable(project)
}

// outdated returns the consumers whose recorded answers differ from the expected ones, and prints why.
func (t trial) outdated() (list []consumer, err error) {
	for _, c := range consumers {
		want, err := t.expect(c)
		if err != nil {
			return nil, err
		}
		reason := "it has no answer"
		if got, err := readAnswer(t.project, c); err == nil {
			reason = strings.Join(differences(got, want), "\n\t")
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if reason == "" {
			fmt.Printf("current %s\n", c.name)
			continue
		}
		fmt.Printf("ask     %s:\n\t%s\n", c.name, reason)
		list = append(list, c)
	}
	return list, nil
}

// askAll asks the consumers, some at a time, and records their answers. The error names those that failed.
func (t trial) askAll(chosen []consumer, jobs int) error {
	errs := make([]error, len(chosen))
	places := make(chan struct{}, max(jobs, 1))
	var running sync.WaitGroup
	for i, c := range chosen {
		running.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			started := time.Now()
			a, err := t.ask(c)
			if err == nil {
				err = writeAnswer(t.project, c, a)
			}
			took := time.Since(started).Round(time.Second / 10)
			if err != nil {
				fmt.Printf("FAILED  %s, %v\n%v\n", c.name, took, err)
				errs[i] = fmt.Errorf("%s failed", c.name)
				return
			}
			fmt.Printf("ok      %s, %s, %d values, %v\n", c.name, a.Version, a.Values, took)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
