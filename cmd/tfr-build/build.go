package main

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/report"
)

var buildCommand = &command{
	name: "build", about: "build the dataset that a config describes",
	most: 1, operand: configOperand, writes: true, run: build,
	flags: []string{"config", "workers", "memory", "scratch", "output", "overwrite", "takeover", "fresh", "hash-inputs", "cold", "sync", "quiet", "log-format", "retry", "depfile", "metrics", "run-report"},
	usage: `usage: tfr-build build [flags] -config FILE
       tfr-build build [flags] FILE

Builds the dataset that a config describes. It appears whole or not at all;
when it is up to date nothing is touched. The last line on standard output is
  built OUTPUT SPLIT=ROWS... shards=N digest=DIGEST
or
  up to date OUTPUT SPLIT=ROWS... shards=N digest=DIGEST
and with -log-format json an object with the same, the exit code, and the rows
that were left out; that of a build that failed says so.

flags, none of which changes a byte of the dataset:
  -config FILE          the config
  -output DIR           write to DIR, seen from here, or to a URL, instead of
                        the config's output, which is seen from the config
  -overwrite            replace another dataset that tfr-build made; not in a
                        bucket, where nobody can in one step
  -takeover             take an output in a bucket from runs of another plan
                        that have finished nothing for ten minutes
  -fresh                do not resume: drop what a stopped run finished; with
                        -overwrite also rebuild what is up to date
  -hash-inputs          compare the contents of the input with those that the
                        last such run saw, and not the times; the first such
                        run has to build, or to replace, the dataset
  -cold                 read back what was written from the disk, not memory
  -workers N            work N at once (the CPUs there are)
  -memory SIZE          let tables and their index take SIZE, such as 2GB; what
                        is larger goes through spill runs on disk (half of the
                        memory there is; at least 16MB)
  -scratch DIR          keep in DIR the spill runs, and shards on their way to
                        a bucket (beside the output; the user's cache)
  -sync=false           do not wait for the disk: for scratch disks
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -depfile FILE         write to FILE, for make, what the dataset is made from
  -metrics FILE         write to FILE how the run ended, whatever its end, for
                        the textfile collector of Prometheus' node_exporter
  -run-report FILE      write to FILE the page about the dataset, with what the
                        run took: time by stage, throughput
  -quiet                say nothing but errors, and how many rows were skipped
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func build(ctx context.Context, c *call) error {
	if err := c.aside.check(); err != nil {
		return err
	}
	c.record.measured = c.metrics != ""
	cfg, err := c.loadConfig("build")
	if err != nil {
		return err
	}
	run := c.pipelineRun()
	c.record.concerns(cfg.Name, run.OutputOf(cfg))
	c.came = facts{"output": printable(c.log.path(run.OutputOf(cfg)))}
	var record *report.Run
	if c.runReport != "" {
		record = new(report.Run)
	}
	stop := c.watch(&run, record)
	result, err := pipeline.Build(ctx, cfg, run)
	stop()
	if err != nil {
		if failed := new(pipeline.ChecksError); errors.As(err, &failed) {
			c.came["findings"] = failed.Findings
		}
		return err
	}
	c.record.result = result
	c.came = c.datasetFacts(result)
	if result.Rejected != nil {
		for _, m := range rejectedMessages(result.Rejected) {
			c.log.say(m)
		}
	}
	if c.depfile != "" { // last: the dataset is there even where this fails, and the line below says so
		err = c.writeDepfile(result.Output, result.Inputs)
	}
	if record != nil {
		err = errors.Join(err, writeRunReport(ctx, c, result, record))
	}
	verb, took := built, time.Since(c.record.began)
	if result.UpToDate {
		verb = upToDate
	}
	c.came["result"], c.came["seconds"] = verb, float64(took.Milliseconds())/1000
	tellDataset(c, nil, verb, result, took)
	return err
}

// loadConfig loads the config that -config or the operand names.
func (c *call) loadConfig(command string) (*config.Config, error) {
	names := slices.Clone(c.operands)
	if c.config != "" {
		names = append(names, c.config)
	}
	switch len(names) {
	case 0:
		return nil, usagef("tfr-build help "+command, "%s: which config? -config FILE names it", command)
	case 2:
		return nil, usagef("", "%s: two configs, %q and %q", command, names[0], names[1])
	}
	cfg, err := config.Load(names[0])
	// A config that cannot be read is a fault of usage (2), not of input (5).
	if e := new(fs.PathError); errors.As(err, &e) {
		return nil, &config.Problems{File: names[0], List: []config.Problem{{Text: e.Err.Error()}}}
	}
	c.loaded = cfg
	return cfg, err
}

// pipelineRun is how a pipeline is to run, without its progress.
func (c *call) pipelineRun() pipeline.Run {
	memory := c.memory
	if memory == 0 {
		memory = max(availableMemory()/2, pipeline.MinMemory)
		paceCollector(garbage)
	} else { // a size that is named is kept to; else speed counts more
		paceCollector(littleGarbage)
	}
	return pipeline.Run{
		Workers: c.workers, Memory: memory, Scratch: c.scratch,
		Output: c.output, Depfile: c.depfile, Aside: c.aside.list(), Overwrite: c.overwrite, Takeover: c.takeover, Fresh: c.fresh,
		HashInputs: c.hash, Cold: c.cold, Sync: c.sync, Retry: c.retry, Tasks: c.tasks,
		Warn: c.log.warn, Inform: c.log.inform,
	}
}
