// Bench times tfr-build and alternatives with the same input: programs
// that only read it, a tar or a copy of it, the writers of datasets that people know; of
// images, Pillow, OpenCV, and libvips.
//
//	go -C lab run ./bench -python ../.venv/bin/python
//	go -C lab run ./bench -python ../.venv/bin/python -only photos -photos DIR   # DIR from the root
//	go -C lab run ./bench -write ../docs/benchmarks.md                           # the page again, in 15 minutes
//	go -C lab run ./bench -write ../docs/benchmarks.md -only '^CSV$'             # one group of it again
//	go -C lab run ./bench -render ../docs/benchmarks.md                          # its text alone
//
// It makes its own input, once, in -dir. Contenders run in turn, as whole
// processes with their start-up, for at least six rounds, or three where that takes
// minutes; ratios compare the minima, because neighbours on the machine only ever add
// time. Codecs alone say themselves how much CPU time their task took.
//
//	copies     tfr-build runs from several copies of its file in turn: where a program
//	           lands in memory can make it a tenth slower than its own copy
//	parts      who takes minutes does a part of the rows; the rest is reckoned, without
//	           reckoning the start-up again
//	cold       files leave the kernel's memory before each run
//	noise      under each group stands what others took of the processors, and whether
//	           its figures are to be trusted
//
// Others' packages are in requirements/NAME.txt; their environments are made when a
// group asks for them, below .venv-bench: peers, images, and mds, which takes 5 GB.
//
//	results.json         what -write has measured
//	*.md.tmpl            the text of the pages
//	docs/benchmarks      its charts, and in docs/development the page of its goals
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
)

// A bench is what all its groups need.
type bench struct {
	program string // tfr-build
	copies  []string
	python  string // with pyarrow, NumPy, TensorFlow, Pillow and OpenCV
	venvs   string // the directory of the environments of others' packages
	dir     string // of the input and the outputs
	photos  string // the directory of JPEG files that images are converted from; none: they are made
	peer    string // a Python with img2dataset; none: without it
	rounds  int
	rows    int
	only    *regexp.Regexp
	page    string // the page to write; none: what is measured is printed, and no more
}

func main() {
	var b bench
	only := flag.String("only", "", "run groups whose name matches this regular expression")
	render := flag.String("render", "", "write this page from earlier results, and measure nothing")
	copies := flag.Int("copies", 3, "how many copies of tfr-build run in turn")
	flag.StringVar(&b.page, "write", "", "run only the groups of this page, and write it again")
	flag.StringVar(&b.program, "program", "../bin/tfr-build", "the tfr-build to time")
	flag.StringVar(&b.python, "python", "../.venv/bin/python",
		"a Python that has pyarrow, NumPy, TensorFlow, Pillow and OpenCV")
	flag.StringVar(&b.venvs, "venvs", "../.venv-bench", "the directory of the environments with others' packages")
	flag.StringVar(&b.dir, "dir", "../.bench", "the directory for input and output")
	flag.StringVar(&b.photos, "photos", "",
		"a directory of photos to convert, of which the first 1,000 are taken; none: some are made")
	flag.StringVar(&b.peer, "img2dataset", "",
		"a Python that has img2dataset, which goes with an OpenCV of its own; none: without it")
	flag.IntVar(&b.rounds, "rounds", 6, "how often each contender runs")
	flag.IntVar(&b.rows, "rows", 1_000_000, "rows of the tables")
	flag.Parse()
	if err := b.run(*only, *render, *copies); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(only, render string, copies int) error {
	if render != "" {
		return renderPage(render)
	}
	var err error
	if b.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if err := b.absolute(); err != nil {
		return err
	}
	if err := b.copyProgram(copies); err != nil {
		return err
	}
	r := results{Machine: thisMachine(b.dir), Rounds: b.rounds, Copies: copies, Rows: b.rows}
	fmt.Println(r.Machine)
	fmt.Printf("%d rounds, %d copies of the program, times in ms\n", b.rounds, copies)
	for _, g := range b.groups() {
		if !b.only.MatchString(g.name) || b.page != "" && !g.page {
			continue
		}
		measured, err := b.race(&g)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		measured.Day = r.Machine.Day
		fmt.Print("\n", measured)
		r.Groups = append(r.Groups, *measured)
	}
	if b.page != "" {
		return writePage(b.page, &r, only != "")
	}
	if !b.only.MatchString("memory") {
		return nil
	}
	if err := b.memory(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}

// absolute makes paths hold wherever a contender runs, and the directory.
func (b *bench) absolute() (err error) {
	paths := []*string{&b.program, &b.dir, &b.venvs}
	if b.photos != "" {
		paths = append(paths, &b.photos)
	}
	for _, path := range paths {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return os.MkdirAll(b.dir, 0o755)
}

// copyProgram makes the copies of the program that run in turn.
func (b *bench) copyProgram(copies int) error {
	program, err := os.ReadFile(b.program)
	if err != nil {
		return err
	}
	for i := range max(copies, 1) {
		path := b.path(fmt.Sprintf("tfr-build.%d", i))
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if err := os.WriteFile(path, program, 0o755); err != nil {
			return err
		}
		b.copies = append(b.copies, path)
	}
	return nil
}
