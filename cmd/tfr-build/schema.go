package main

import (
	"context"

	"tfr-build/pipeline/config"
)

var schemaCommand = &command{
	name: "schema", group: otherGroup, about: "print the JSON Schema of configs",
	run:      printSchema,
	synopsis: []string{"schema"},
	text:     `Prints the JSON Schema of configs. Editors use it for completion and checks.`,
}

func printSchema(_ context.Context, c *call) error {
	_, err := c.stdout.Write(config.JSONSchema())
	return err
}
