package main

import (
	"context"

	"tfr-build/pipeline"
)

var checkCommand = &command{
	name: "check", about: "look for faults in a config, for missing files and columns",
	most: 1, operand: configOperand, run: check,
	flags: []string{"config", "workers", "output", "overwrite", "retry", "quiet", "log-format"},
	usage: `usage: tfr-build check [flags] -config FILE
       tfr-build check [flags] FILE

Looks for faults in a config, for missing files and columns, and for files of
others in the way of the output. Then it converts the first 1000 rows of each
source, says how many rows that were, and ends as a build of these rows would.
It writes nothing. A dataset that a build would not replace without -overwrite
is no fault: a line on standard error tells of it.

flags:
  -config FILE          the config
  -output DIR           check for DIR, seen from here, instead of the config's
                        output, which is seen from the config
  -overwrite            check for a build with -overwrite
  -workers N            list N folders at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func check(ctx context.Context, c *call) error {
	cfg, err := c.loadConfig("check")
	if err != nil {
		return err
	}
	if err := pipeline.Check(ctx, cfg, c.pipelineRun()); err != nil {
		return err
	}
	c.came = facts{"result": "ok", "config": printable(c.log.path(cfg.File))}
	c.tell(nil, "ok %s\n", printable(c.log.path(cfg.File)))
	return nil
}
