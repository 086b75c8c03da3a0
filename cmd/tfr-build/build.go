package main

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/report"
)

var buildCommand = &command{
	name: "build", meant: "run make convert create start", group: buildGroup,
	about: "build the dataset that a config describes",
	most:  1, operand: configFile, writes: true, run: build,
	flags: "config output dry-run overwrite takeover fresh hash-inputs cold workers memory scratch sync retry " +
		"depfile metrics run-report quiet log-format",
	means:    map[string]flagMeaning{"quiet": {about: quietBuild}},
	synopsis: []string{"build [flags] CONFIG", "CONFIG [flags]"},
	text: `Builds the dataset that a config describes. The dataset is published complete
or not at all. A stopped build resumes; an up-to-date dataset is left alone. No
flag changes a byte of the dataset. A terminal shows rows, shards, size, time,
and the path of the report. In a pipe, the last line on standard output is
  built OUTPUT SPLIT=ROWS... shards=N digest=DIGEST
or
  up to date OUTPUT SPLIT=ROWS... shards=N digest=DIGEST
With --log-format json it is an object with the same fields, the exit code, and
the number of skipped rows; it is printed after a failure, too.`,
}

func build(ctx context.Context, c *call) error {
	if c.dryRun {
		return planBuild(ctx, c)
	}
	if err := c.checkRunFiles(); err != nil {
		return err
	}
	c.record.hasMetrics = c.metrics != ""
	cfg, err := c.loadConfig()
	if err != nil {
		return err
	}
	run := c.pipelineRun()
	c.record.setDataset(cfg.Name, run.OutputOf(cfg))
	c.outcome = facts{"output": c.shown(run.OutputOf(cfg))}
	var record *report.Run
	if c.runReport != "" {
		record = new(report.Run)
	}
	stop := c.watch(&run, record)
	result, err := pipeline.Build(ctx, cfg, run)
	stop()
	if err != nil {
		if failed := new(pipeline.ChecksError); errors.As(err, &failed) {
			c.outcome["findings"] = failed.Findings
		}
		return err
	}
	c.record.result = result
	c.outcome = c.datasetFacts(result)
	if result.Rejected != nil {
		for _, m := range rejectedMessages(result.Rejected) {
			c.log.write(m)
		}
	}
	if c.Depfile != "" { // last: the dataset exists even if this fails, and the line below says so
		err = c.writeDepfile(result.Output, result.Inputs)
	}
	if record != nil {
		err = errors.Join(err, writeRunReport(ctx, c, result, record))
	}
	verb, took := built, time.Since(c.record.began)
	if result.UpToDate {
		verb = upToDate
	}
	c.outcome["result"], c.outcome["seconds"] = verb, float64(took.Milliseconds())/1000
	printDataset(c, nil, verb, result, took)
	return err
}

// planBuild runs a build with -dry-run.
func planBuild(ctx context.Context, c *call) error {
	if c.Depfile+c.metrics+c.runReport != "" {
		return usagef("", "build: --dry-run writes nothing; found --depfile, --metrics, or --run-report")
	}
	return plan(ctx, c)
}

// quietBuild describes -quiet for commands that may skip rows.
const quietBuild = "print only errors and the number of skipped rows"

// namesConfig reports whether -config or an operand names a config.
func namesConfig(c *call) bool { return c.config != "" || len(c.operands) > 0 }

// loadConfig loads the config that -config or the operand names.
func (c *call) loadConfig() (*config.Config, error) {
	names := slices.Clone(c.operands)
	if c.config != "" {
		names = append(names, c.config)
	}
	switch len(names) {
	case 0:
		return nil, usagef(c.cmd.example(), "%s: no config file given", c.cmd.name)
	case 2:
		return nil, usagef("", "%s: found two configs, %q and %q; expected one", c.cmd.name, names[0], names[1])
	}
	cfg, err := config.Load(names[0])
	// A config that cannot be read is a usage error (2), not an input error (5).
	if e := new(fs.PathError); errors.As(err, &e) {
		problem := config.Problem{Text: e.Err.Error()}
		if errors.Is(err, syscall.EISDIR) {
			problem.Hint = "tfr-build init " + shellWord(names[0]) + " writes a config for the files in it"
		}
		return nil, &config.Problems{File: names[0], List: []config.Problem{problem}}
	}
	if p := new(config.Problems); errors.As(err, &p) && config.IsData(names[0]) {
		p.List = p.List[:1]
		p.List[0].Hint = "tfr-build init " + shellWord(names[0]) + " writes a config for data"
	}
	c.loaded, c.log.config = cfg, cfg
	return cfg, err
}

// pipelineRun returns the settings of a pipeline run, without its progress.
func (c *call) pipelineRun() pipeline.Run {
	run := c.Run
	if run.Memory == 0 {
		run.Memory = max(availableMemory()/2, pipeline.MinMemory)
		usualGC.apply()
	} else { // a memory limit of the user is kept; otherwise speed is more important
		lowGC(run.Memory).apply()
	}
	run.RunFiles = c.runFiles()
	run.Warn, run.Inform, run.BadRow = c.log.warn, c.log.inform, c.log.badRow
	return run
}
