package main

import (
	"context"

	"tfr-build/pipeline"
)

var checkCommand = &command{
	name: "check", meant: "validate lint test", group: buildGroup,
	about: "find errors in a config and in the first 1,000 rows",
	most:  1, operand: configFile, run: check,
	flags:    "config output overwrite workers retry quiet log-format",
	means:    map[string]flagMeaning{"overwrite": {about: "check for a build with --overwrite"}},
	synopsis: []string{"check [flags] CONFIG"},
	text: `Finds errors in a config, missing files and columns, and unknown files in the
output directory. Then it converts the first 1,000 rows of each source, prints
their number, and ends with the exit code that a build of these rows would have.
It writes nothing. A dataset that a build would replace only with --overwrite is
not an error; a message on standard error names it.`,
}

func check(ctx context.Context, c *call) error {
	cfg, err := c.loadConfig()
	if err == nil {
		err = pipeline.Check(ctx, cfg, c.pipelineRun())
	}
	if err != nil {
		return c.withOtherErrors(ctx, cfg, err)
	}
	c.outcome = facts{"result": "ok", "config": c.shown(cfg.File)}
	c.printResult(nil, "ok %s\n", c.shown(cfg.File))
	return nil
}
