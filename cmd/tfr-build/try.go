package main

import (
	"cmp"
	"context"
	"fmt"

	"tfr-build/dataset"
	"tfr-build/pipeline"
)

var tryCommand = &command{
	name: "try", meant: "preview sample", group: buildGroup, about: "print the first records without a build",
	most: 1, operand: configFile, prints: true, proto: true, run: try,
	flags: "config records json output workers retry log-format",
	means: map[string]flagMeaning{
		"records": {about: "number of records to print (default: 5)"},
		"json": {about: "print one JSON object per record, without the row's position; --json=proto prints " +
			"protobuf JSON"},
	},
	synopsis: []string{"try [flags] CONFIG"},
	text: `Prints the records of the first rows, each after the position of its row.
Classes have their names, as "2 (Torgersen)". To find errors, the command
converts the first 1,000 rows of each source, or more if where skips most of
them. It prints how many it converted, and ends with the exit code of a build of
these rows. It writes nothing.`,
}

func try(ctx context.Context, c *call) error {
	cfg, err := c.loadConfig()
	if err != nil {
		return c.withOtherErrors(ctx, nil, err)
	}
	err = pipeline.Try(ctx, cfg, c.pipelineRun(), int(cmp.Or(c.count, 5)), func(e pipeline.Example) error {
		form := c.form
		if form == dataset.TextForm {
			fmt.Fprintln(c.stdout, c.shown(e.Position))
		}
		return dataset.PrintRecord(c.stdout, &e.Record, e.Payload, form)
	})
	return c.withOtherErrors(ctx, cfg, err)
}
