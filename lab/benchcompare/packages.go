package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A pkg is a package that has benchmarks, in one checkout.
type pkg struct {
	name       string // its import path
	dir        string
	binary     string
	benchmarks []string
}

// build compiles the tests of the packages of a checkout and returns those that
// have benchmarks.
func build(ctx context.Context, checkout, to string) ([]*pkg, error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	format := "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}"
	listed, err := output(ctx, checkout, "go", append([]string{"list", "-f", format}, hot...)...)
	if err != nil {
		return nil, err
	}
	var all []*pkg
	for line := range strings.Lines(listed) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		p := &pkg{name: name, dir: dir, binary: filepath.Join(to, strings.ReplaceAll(name, "/", "_")+".test")}
		if _, err := output(ctx, dir, "go", "test", "-c", "-o", p.binary, "."); err != nil {
			return nil, err
		}
		names, err := output(ctx, dir, p.binary, "-test.list", "^Benchmark")
		if err != nil {
			return nil, err
		}
		if p.benchmarks = strings.Fields(names); len(p.benchmarks) > 0 {
			all = append(all, p)
		}
	}
	return all, nil
}

// output runs a command and returns what it prints.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %v: %w", dir, cmd, err)
	}
	return string(out), nil
}

// A pair is a benchmark in both checkouts.
type pair struct {
	benchmark     string
	before, after *pkg
}

// match finds the benchmarks that both checkouts have, and names those that only
// one has.
func match(before, after []*pkg) (pairs []pair) {
	for _, p := range before {
		for _, b := range p.benchmarks {
			if q := counterpart(p, b, before, after); q != nil {
				pairs = append(pairs, pair{b, p, q})
			} else {
				fmt.Printf("only in the old checkout: %s %s\n", p.name, b)
			}
		}
	}
	for _, q := range after {
		for _, b := range q.benchmarks {
			if !slices.ContainsFunc(pairs, func(m pair) bool { return m.after == q && m.benchmark == b }) {
				fmt.Printf("only in the new checkout: %s %s\n", q.name, b)
			}
		}
	}
	return pairs
}

// choose returns the pairs that are to run.
func (o *options) choose(pairs []pair) ([]pair, error) {
	only, err := regexp.Compile(o.bench)
	if err != nil {
		return nil, err
	}
	skip, err := regexp.Compile(o.skip)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pairs, func(p pair) bool {
		return !only.MatchString(p.benchmark) || o.skip != "" && skip.MatchString(p.benchmark)
	}), nil
}

// counterpart is the package after that has the benchmark of p: the one of the
// same name, or the only one that is new.
func counterpart(p *pkg, benchmark string, before, after []*pkg) *pkg {
	var moved []*pkg
	for _, q := range after {
		switch {
		case !slices.Contains(q.benchmarks, benchmark):
		case q.name == p.name:
			return q
		case !slices.ContainsFunc(before, func(old *pkg) bool { return old.name == q.name }):
			moved = append(moved, q)
		}
	}
	if len(moved) != 1 {
		return nil
	}
	return moved[0]
}
