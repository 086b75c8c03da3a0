package main

import (
	"cmp"
	"context"
	"fmt"

	"tfr-build/dataset"
	"tfr-build/pipeline"
)

var tryCommand = &command{
	name: "try", about: "print the first Examples, and write nothing",
	most: 1, operand: configOperand, prints: true, proto: true, run: try,
	flags: []string{"config", "n", "json", "workers", "output", "retry", "log-format"},
	usage: `usage: tfr-build try [flags] -config FILE
       tfr-build try [flags] FILE

Prints the Examples of the first rows of the input, each after the place of its
row. Classes have their names, as "2 (Torgersen)". It converts the first 1000
rows of each source, says how many rows that were, and ends as a build of these
rows would. It writes nothing.

flags:
  -config FILE          the config
  -n N                  print N Examples (5)
  -json                 print one JSON object per line, without the places;
                        -json=proto prints the JSON of protobuf
  -output DIR           try for DIR instead of the config's output
  -workers N            work N at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -log-format FORMAT    text, or json: an object a line, also of the Examples
                        (text)
`,
}

func try(ctx context.Context, c *call) error {
	cfg, err := c.loadConfig("try")
	if err != nil {
		return err
	}
	return pipeline.Try(ctx, cfg, c.pipelineRun(), int(cmp.Or(c.n, 5)), func(e pipeline.Example) error {
		form := c.form()
		if form == dataset.TextForm {
			fmt.Fprintln(c.stdout, printable(c.log.path(e.Place)))
		}
		return dataset.PrintRecord(c.stdout, &e.Record, e.Payload, form)
	})
}
