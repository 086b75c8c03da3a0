// Benchcompare tells whether the code of one checkout is faster than the code of
// another: it runs the benchmarks of the packages on the hot path in both, in
// turn, and prints what benchstat makes of the results.
//
//	go -C lab run ./benchcompare /tmp/base ..
//	go -C lab run ./benchcompare -n 20 -bench Scan -time 0.5s /tmp/base ..
//
//	old ─► test binaries ─┐  round 1: old, new  round 2: old, new  …
//	new ─► test binaries ─┴──► old.txt, new.txt ─► benchstat
//
// A benchmark whose package has another name in the new checkout is compared with
// the only one of its name there. Benchmarks that only one side has are named, and
// not run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

const benchstat = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"

// hot are the packages that each row goes through.
var hot = []string{"./schema/...", "./internal/order/...", "./tfrecord/...", "./sources/...", "./sink/..."}

// An options is how often, how long and which benchmarks run.
type options struct {
	rounds      int
	time        string
	bench, skip string
}

func main() {
	var o options
	dir := flag.String("dir", "../.bench/compare", "the directory for test binaries and results")
	flag.IntVar(&o.rounds, "n", 10, "how often each benchmark runs")
	flag.StringVar(&o.time, "time", "1s", "how long a benchmark runs each time")
	flag.StringVar(&o.bench, "bench", ".", "run benchmarks that match this regular expression")
	flag.StringVar(&o.skip, "skip", "^BenchmarkDurability$", "skip those that match this one: the disk's speed varies")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: benchcompare [flags] OLD NEW")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := o.compare(ctx, *dir, flag.Arg(0), flag.Arg(1))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchcompare:", err)
		os.Exit(1)
	}
}

func (o *options) compare(ctx context.Context, dir, oldPath, newPath string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	before, err := build(ctx, oldPath, filepath.Join(dir, "old"))
	if err != nil {
		return err
	}
	after, err := build(ctx, newPath, filepath.Join(dir, "new"))
	if err != nil {
		return err
	}
	pairs, err := o.choose(match(before, after))
	if err != nil {
		return err
	}
	if err := o.race(ctx, dir, pairs); err != nil {
		return err
	}
	args := []string{"run", benchstat, "-table", "goos,goarch", "-row", "pkg,.fullname",
		"old=" + filepath.Join(dir, "old.txt"), "new=" + filepath.Join(dir, "new.txt")}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
