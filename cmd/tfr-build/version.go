package main

import (
	"context"
	"fmt"
	"runtime"

	"tfr-build/internal/version"
	"tfr-build/pipeline"
)

var versionCommand = &command{
	name: "version", group: otherGroup, about: "print the version",
	run:      printVersion,
	flags:    "log-format",
	synopsis: []string{"version [flags]"},
	text: `Prints the version of the program and its bytes version. With equal bytes
versions, equal configs and inputs give equal datasets.`,
}

func printVersion(_ context.Context, c *call) error {
	if c.log.asJSON {
		c.outcome = facts{"result": "ok", "version": version.Program(), "bytes_version": pipeline.BytesVersion,
			"go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "tfr-build %s, bytes version %d, %s %s/%s\n", version.Program(),
		pipeline.BytesVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
