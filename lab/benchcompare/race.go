package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// race runs the pairs in turn, old and new, and writes the results of each side
// to a file.
func (o *options) race(ctx context.Context, dir string, pairs []pair) error {
	before, err := os.Create(filepath.Join(dir, "old.txt"))
	if err != nil {
		return err
	}
	defer before.Close()
	after, err := os.Create(filepath.Join(dir, "new.txt"))
	if err != nil {
		return err
	}
	defer after.Close()
	for round := range o.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, o.rounds)
		for _, p := range pairs {
			for _, side := range []struct {
				pkg *pkg
				to  io.Writer
			}{{p.before, before}, {p.after, after}} {
				if err := o.run(ctx, side.to, side.pkg, p.benchmark, p.after.name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// run runs one benchmark of a package and writes its results under the name that
// the package has in the new checkout.
func (o *options) run(ctx context.Context, to io.Writer, p *pkg, benchmark, name string) error {
	results, err := output(ctx, p.dir, p.binary, "-test.run", "^$", "-test.bench", "^"+benchmark+"$",
		"-test.benchtime", o.time, "-test.benchmem")
	if err != nil {
		return err
	}
	for line := range strings.Lines(results) {
		if strings.HasPrefix(line, "pkg: ") {
			line = "pkg: " + name + "\n"
		}
		if _, err := io.WriteString(to, line); err != nil {
			return err
		}
	}
	return nil
}
