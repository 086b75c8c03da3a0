package main

import (
	"context"

	"tfr-build/pipeline/config"
)

var schemaCommand = &command{
	name: "schema", about: "print the JSON Schema of configs",
	run: printSchema,
	usage: `usage: tfr-build schema

Prints the JSON Schema of configs, from which editors complete them.
`,
}

func printSchema(_ context.Context, c *call) error {
	_, err := c.stdout.Write(config.JSONSchema())
	return err
}
