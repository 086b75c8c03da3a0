package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// A group is contenders that run in turn on the same input.
type group struct {
	name       string
	page       bool                  // it stands on the page of docs
	rounds     int                   // at most, where they take long; 0 for no bound
	input      func() error          // makes missing files
	pixels     func() (int64, error) // counts the pixels of the input; nil where none are converted
	contenders []contender
	goals      []goal
}

// A contender is a command; %s in its arguments is its output, which is taken
// away after each run.
type contender struct {
	name string
	role role
	args []string
	env  []string // besides the environment of bench
	cold []string // files and directories that leave the kernel's memory before each run
	once bool     // it takes so long that it runs once
	says bool     // it says itself how long its task took, without start-up
	part part     // of its work that it does; it says then what that took
	ours bool     // it is tfr-build, of which copies run
}

// A role is what a contender does, for charts; without one it is in none.
type role string

const (
	built  role = "built"  // by tfr-build
	reads  role = "reads"  // the input, and makes nothing
	writes role = "writes" // a dataset
)

// as is the contender in that role.
func (c contender) as(r role) contender {
	c.role = r
	return c
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

const withoutFsync, withFsync = "without fsync", "with fsync"

// table races a table against those that only read it, and those that write a dataset
// of it.
func (b *bench) table(name, ext string, goals ...goal) group {
	file := ext + ".yaml"
	g := group{
		name: name,
		page: true,
		input: func() error {
			if err := b.makePeers(peers, mds); err != nil {
				return err
			}
			return b.makeParquet()
		},
		contenders: []contender{
			b.ours(withoutFsync, file, "-sync=false").as(built),
			b.ours(withFsync, file).as(built),
			b.ours("--memory 32MB", file, "-sync=false", "-memory", "32MB"),
			b.ours("statistics: false", ext+"-bare.yaml", "-sync=false"),
		},
		goals: append(goals,
			goal{of: withFsync, to: withoutFsync, limit: 1.15},
			goal{of: "--memory 32MB", to: withoutFsync, limit: 1.5},
			goal{of: "statistics: false", to: withoutFsync, told: true},
		),
	}
	g.contenders = append(g.contenders, b.readers("table."+ext)...)
	g.contenders = append(g.contenders, b.writers("table."+ext, b.rowsOfTables())...)
	return g
}

func (b *bench) groups() []group {
	groups := []group{
		b.table("CSV", "csv", goal{of: withoutFsync, to: pyarrow, limit: 0.6}),
		b.table("JSONL", "jsonl", goal{of: withoutFsync, to: pyarrow, limit: 0.36},
			goal{of: withoutFsync, to: duckDB, limit: 0.55}),
		b.table("Parquet", "parquet", goal{of: withoutFsync, to: pyarrow, told: true}),
		b.images("10,000 JPEG files of 110 kB", "photos", b.makePhotos, 0.38,
			part{of: 1_000, all: 10_000, what: "files"}),
		b.images("60,000 PNG files of 2 kB", "icons", b.makeIcons, 0.8, part{of: 5_000, all: 60_000, what: "files"}),
		b.tutorial(),
		b.series(),
		{
			name: "ten times the rows",
			input: func() error {
				if err := b.makeTable("table", b.rows); err != nil {
					return err
				}
				return b.makeTable("large", 10*b.rows)
			},
			contenders: []contender{b.ours("once", "csv.yaml", "-sync=false"),
				b.ours("ten times", "large.yaml", "-sync=false")},
			goals: []goal{{of: "ten times", to: "once", limit: 10.5}},
		},
		{
			name:  "durability",
			page:  true,
			input: func() error { return b.makeTable("table", b.rows) },
			contenders: []contender{
				b.ours(withoutFsync, "csv.yaml", "-sync=false"),
				b.ours(withFsync, "csv.yaml"),
				b.ours("with fsync, -cold", "csv.yaml", "-cold"),
				b.ours("without fsync, digest: sha256", "csv-sha256.yaml", "-sync=false"),
			},
		},
	}
	groups = append(groups, b.coldInput()...)
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
	return contender{name: name, ours: true,
		args: append([]string{b.program, "-quiet", "-output", "%s", b.path(config)}, args...)}
}

func (b *bench) images(name, dir string, make func() error, limit float64, p part) group {
	g := group{
		name: name,
		page: true,
		input: func() error {
			if err := b.makePeers(peers, mds); err != nil {
				return err
			}
			return make()
		},
		contenders: []contender{
			b.ours(withoutFsync, dir+".yaml", "-sync=false").as(built),
			b.ours(withFsync, dir+".yaml").as(built),
			b.ours("classes: auto", dir+"-auto.yaml", "-sync=false"),
			b.ours("check: header", dir+"-header.yaml", "-sync=false"),
			{name: "tar cf", role: reads, args: []string{"tar", "cf", "%s", "-C", b.path(dir), "."}},
		},
		goals: []goal{
			{of: withoutFsync, to: "tar cf", limit: limit},
			{of: withFsync, to: withoutFsync, limit: 1.15},
			{of: "classes: auto", to: "tar cf", limit: limit},
			{of: withoutFsync, to: "check: header", limit: 1.1},
		},
	}
	g.contenders = append(g.contenders, b.writers(dir, p)...)
	return g
}

// coldInput are groups of files that are not in the kernel's memory, next to programs
// that do nothing but read them.
func (b *bench) coldInput() (groups []group) {
	const cat = "cat"
	for _, in := range []struct {
		name, config, path string
		make               func() error
	}{
		{"cold: CSV", "csv.yaml", "table.csv", func() error { return b.makeTable("table", b.rows) }},
		{"cold: JSONL", "jsonl.yaml", "table.jsonl", func() error { return b.makeTable("table", b.rows) }},
		{"cold: 10,000 JPEG files", "photos.yaml", "photos", b.makePhotos},
		{"cold: 60,000 PNG files", "icons.yaml", "icons", b.makeIcons},
	} {
		path := b.path(in.path)
		g := group{
			name:  in.name,
			page:  true,
			input: in.make,
			contenders: []contender{
				b.ours(withoutFsync, in.config, "-sync=false"),
				{name: cat, args: []string{"sh", "-c", `find "$1" -type f -exec cat {} + > /dev/null`, "sh", path}},
			},
			goals: []goal{{of: withoutFsync, to: cat, limit: 1.05}},
		}
		if filepath.Ext(in.path) == "" {
			g.contenders = append(g.contenders,
				contender{name: "tar cf", args: []string{"tar", "cf", "%s", "-C", path, "."}})
			g.goals = append(g.goals, goal{of: withoutFsync, to: "tar cf", told: true})
		}
		for i := range g.contenders {
			g.contenders[i].cold = []string{path}
		}
		groups = append(groups, g)
	}
	return groups
}

func (b *bench) workers(shards int) group {
	config, name := fmt.Sprintf("csv%d.yaml", shards), fmt.Sprintf("workers, %d shards", shards)
	if shards == 1 {
		name = "workers, 1 shard"
	}
	alone := b.ours("1 worker, 1 processor", config, "-sync=false", "-workers", "1")
	alone.env = []string{"GOMAXPROCS=1"} // else shards are finished next to the worker
	return group{
		name: name,
		page: true,
		input: func() error {
			if err := b.makeTable("table", b.rows); err != nil {
				return err
			}
			return b.write(config, tableConfig("csv", "table.csv", shards))
		},
		contenders: []contender{
			b.ours("1 worker", config, "-sync=false", "-workers", "1"),
			alone,
			b.ours("2 workers", config, "-sync=false", "-workers", "2"),
		},
		goals: []goal{
			{of: "1 worker", to: "2 workers", limit: 1.85, least: true},
			{of: alone.name, to: "2 workers", told: true},
		},
	}
}

func (b *bench) write(name, text string) error {
	return os.WriteFile(b.path(name), []byte(text), 0o644)
}
