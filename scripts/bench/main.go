// Bench times tfr-build beside what else one could do with the same input: a
// process that only reads it with pyarrow, a tar or a copy of it, or TensorFlow; of
// images, Pillow and OpenCV.
//
//	go -C scripts run ./bench -python ../.venv/bin/python
//	go -C scripts run ./bench -python ../.venv/bin/python -only photos -photos DIR   # DIR from the root
//
// It makes its own input, once, in -dir. Contenders run in turn, as whole
// processes with their start-up, for at least five rounds, or three where that takes
// minutes; ratios are those of the minima, for neighbours on the machine only ever add
// time. Codecs alone say themselves how much CPU time their task took.
//
// img2dataset takes part where -img2dataset names a Python that has it. It needs another
// OpenCV than the tests, so it gets an environment of its own:
//
//	python3 -m venv .bench/img2dataset
//	.bench/img2dataset/bin/pip install img2dataset==1.47.0
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

// A bench is what all its groups need.
type bench struct {
	program string // tfr-build
	python  string // with pyarrow, NumPy, TensorFlow, Pillow and OpenCV
	dir     string // of the input and the outputs
	photos  string // the folder of JPEG files that images are converted from; none: they are made
	peer    string // a Python with img2dataset; none: without it
	rounds  int
	rows    int
	only    *regexp.Regexp
}

func main() {
	var b bench
	only := flag.String("only", "", "run groups whose name matches this regular expression")
	flag.StringVar(&b.program, "program", "../bin/tfr-build", "the tfr-build to time")
	flag.StringVar(&b.python, "python", "python3", "a Python that has pyarrow, NumPy, TensorFlow, Pillow and OpenCV")
	flag.StringVar(&b.dir, "dir", "../.bench", "the folder for input and output")
	flag.StringVar(&b.photos, "photos", "", "a folder of photos to convert, of which the first 1,000 are taken; none: some are made")
	flag.StringVar(&b.peer, "img2dataset", "", "a Python that has img2dataset, which goes with an OpenCV of its own; none: without it")
	flag.IntVar(&b.rounds, "rounds", 5, "how often each contender runs")
	flag.IntVar(&b.rows, "rows", 1_000_000, "rows of the tables")
	flag.Parse()
	if err := b.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(only string) error {
	var err error
	if b.only, err = regexp.Compile(only); err != nil {
		return err
	}
	paths := []*string{&b.program, &b.dir}
	if b.photos != "" {
		paths = append(paths, &b.photos)
	}
	for _, path := range paths {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	fmt.Printf("%d CPUs, %s/%s, %d rounds, times in ms\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, b.rounds)
	for _, g := range b.groups() {
		if !b.only.MatchString(g.name) {
			continue
		}
		if err := b.race(&g); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	if !b.only.MatchString("memory") {
		return nil
	}
	if err := b.memory(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}
