package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

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
		c.outcome = facts{"result": "ok", "version": programVersion(), "bytes_version": pipeline.BytesVersion, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "tfr-build %s, bytes version %d, %s %s/%s\n", programVersion(), pipeline.BytesVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// programVersion returns the version of this program.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return "devel"
}

// versionOf returns the version of the module that the program was built from, or the commit of the
// checkout.
func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
