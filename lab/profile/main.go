// Profile writes what the compiler knows of hot paths: where builds of the inputs of
// `make bench` spend their time, as a profile that `make build` and releases hand to it.
//
//	go -C lab run ./profile ../cmd/tfr-build/tfr-build.pgo
//
//	.bench/csv.yaml … ── builds for a while, each ──> CPU profiles ── merged ──> tfr-build.pgo
//
// With it the compiler inlines more on these paths, and lays them out in a row. It
// finds functions by their names and calls by their lines within these: what has
// changed since is only not helped.
//
// By the name default.pgo the go command would take it up by itself, and compile all
// packages twice for tests; tests of the program, with -cover, would then not link
// (golang/go#80891).
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// A load is a config of `make bench`, the memory that it is built with, and its part of the profile.
type load struct {
	config string
	memory int64
	share  time.Duration // how long it is built, again and again
}

const (
	plenty = 4 << 30
	// of the loads that most people build: the compiler inlines what is hot in all of the profile
	most   = 30 * time.Second
	little = 3 * time.Second
)

// loads are what people build, tables first: of the others the system does most.
var loads = []load{
	{"csv.yaml", plenty, most}, {"jsonl.yaml", plenty, most}, {"parquet.yaml", plenty, most},
	{"photos.yaml", plenty, most},
	{"tutorial.yaml", plenty, little}, {"csv.yaml", 32 << 20, little},
	{"icons.yaml", plenty, little},
	{"tiles.yaml", plenty, little}, {"series-sequences.yaml", plenty, little}, {"series-lists.yaml", 64 << 20, little},
}

func main() {
	dir := flag.String("dir", "../.bench", "the directory of `make bench`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "profile: expected the file to write")
		os.Exit(2)
	}
	if err := run(*dir, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(dir, file string) error {
	output, err := os.MkdirTemp(dir, "profile")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(output) }()
	var all []*profile.Profile
	for _, l := range loads {
		p, err := l.profile(dir, filepath.Join(output, "out"))
		if err != nil {
			return fmt.Errorf("%s: %w", l.config, err)
		}
		all = append(all, p)
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return err
	}
	anonymous(merged)
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := merged.Write(out); err != nil {
		return err
	}
	return out.Close()
}

// profile builds the load again and again.
func (l load) profile(dir, output string) (*profile.Profile, error) {
	cfg, err := config.Load(filepath.Join(dir, l.config))
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := pprof.StartCPUProfile(&buf); err != nil {
		return nil, err
	}
	builds := 0
	for began := time.Now(); err == nil && time.Since(began) < l.share; builds++ {
		run := pipeline.Run{Workers: runtime.GOMAXPROCS(0), Memory: l.memory, Output: output}
		if _, err = pipeline.Build(context.Background(), cfg, run); err == nil {
			err = os.RemoveAll(output)
		}
	}
	pprof.StopCPUProfile()
	if err != nil {
		return nil, err
	}
	fmt.Printf("%s, %d MB: %d builds\n", l.config, l.memory>>20, builds)
	return profile.Parse(&buf)
}

// anonymous takes from a profile what no compiler reads: of which machine and day it
// is.
func anonymous(p *profile.Profile) {
	p.TimeNanos, p.DurationNanos, p.Comments = 0, 0, nil
	for _, m := range p.Mapping {
		m.File, m.BuildID = "", ""
	}
	for _, f := range p.Function {
		f.Filename = ""
	}
}
