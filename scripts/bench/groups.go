package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A group is contenders that run in turn on the same input.
type group struct {
	name       string
	rounds     int          // at most, where they take long; 0 for no bound
	input      func() error // makes what is not there yet
	contenders []contender
	goals      []goal
}

// A contender is a command; %s in its arguments is its output, which is taken
// away after each run.
type contender struct {
	name string
	args []string
	env  []string // besides that of bench
	once bool     // it takes so long that it runs once
	says bool     // it says itself how long its task took, without start-up
}

// A goal bounds the ratio of two contenders' minima; without a second one, the
// milliseconds of the first.
type goal struct {
	of, to string
	limit  float64
	least  bool // the ratio is to be at least the limit
	cpu    bool // it bounds CPU time, not the time that passes
	told   bool // it has no limit: the ratio is what is of interest
}

// table races a table against the pyarrow function that only reads it. The
// limits are those without and with fsync.
func (b *bench) table(name, ext, read string, fast, synced float64) group {
	file := ext + ".yaml"
	script := fmt.Sprintf("import sys, pyarrow.%s; %s(sys.argv[1])", strings.Split(read, ".")[1], read)
	return group{
		name:  name,
		input: func() error { return b.makeTable("table", b.rows) },
		contenders: []contender{
			b.ours("without fsync", file, "-sync=false"),
			b.ours("with fsync", file),
			b.ours("-memory 32MB", file, "-sync=false", "-memory", "32MB"),
			{name: read, args: []string{b.python, "-c", script, b.path("table." + ext)}},
		},
		goals: []goal{
			{of: "without fsync", to: read, limit: fast},
			{of: "with fsync", to: read, limit: synced},
			{of: "-memory 32MB", to: "without fsync", limit: 2.5},
		},
	}
}

func (b *bench) groups() []group {
	groups := []group{
		b.table("CSV", "csv", "pyarrow.csv.read_csv", 0.8, 1.1),
		b.table("JSONL", "jsonl", "pyarrow.json.read_json", 0.5, 0.7),
		{
			name: "ten times the rows",
			input: func() error {
				if err := b.makeTable("table", b.rows); err != nil {
					return err
				}
				return b.makeTable("large", 10*b.rows)
			},
			contenders: []contender{b.ours("once", "csv.yaml", "-sync=false"), b.ours("ten times", "large.yaml", "-sync=false")},
			goals:      []goal{{of: "ten times", to: "once", limit: 10.5}},
		},
		{
			name:  "durability",
			input: func() error { return b.makeTable("table", b.rows) },
			contenders: []contender{
				b.ours("without fsync", "csv.yaml", "-sync=false"),
				b.ours("with fsync", "csv.yaml"),
				b.ours("with fsync, -cold", "csv.yaml", "-cold"),
				b.ours("without fsync, digest: sha256", "csv-sha256.yaml", "-sync=false"),
			},
		},
		b.images("10,000 JPEG files of 110 kB", "photos", b.makePhotos, 0.5),
		b.images("60,000 PNG files of 2 kB", "icons", b.makeIcons, 1.0),
	}
	groups = append(groups, b.converted()...)
	groups = append(groups, b.records()...)
	for _, shards := range []int{1, 3, 16} {
		groups = append(groups, b.workers(shards))
	}
	return groups
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// ours is a run of tfr-build.
func (b *bench) ours(name, config string, args ...string) contender {
	return contender{name: name, args: append([]string{b.program, "-quiet", "-output", "%s", b.path(config)}, args...)}
}

func (b *bench) images(name, dir string, make func() error, limit float64) group {
	return group{
		name:  name,
		input: make,
		contenders: []contender{
			b.ours("without fsync", dir+".yaml", "-sync=false"),
			b.ours("without fsync, classes: auto", dir+"-auto.yaml", "-sync=false"),
			b.ours("without fsync, check: header", dir+"-header.yaml", "-sync=false"),
			{name: "tar cf", args: []string{"tar", "cf", "%s", "-C", b.path(dir), "."}},
		},
		goals: []goal{
			{of: "without fsync", to: "tar cf", limit: limit},
			{of: "without fsync, classes: auto", to: "tar cf", limit: limit},
			{of: "without fsync", to: "without fsync, check: header", limit: 1.1},
		},
	}
}

func (b *bench) workers(shards int) group {
	config := fmt.Sprintf("csv%d.yaml", shards)
	return group{
		name: fmt.Sprintf("workers, %d shards", shards),
		input: func() error {
			if err := b.makeTable("table", b.rows); err != nil {
				return err
			}
			return b.write(config, tableConfig("csv", "table.csv", shards))
		},
		contenders: []contender{
			b.ours("1 worker", config, "-sync=false", "-workers", "1"),
			b.ours("2 workers", config, "-sync=false", "-workers", "2"),
		},
		goals: []goal{{of: "1 worker", to: "2 workers", limit: 1.7, least: true}},
	}
}

func (b *bench) write(name, text string) error {
	return os.WriteFile(b.path(name), []byte(text), 0o644)
}
