package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// tortured are the packages whose tests have a torture of their own.
var tortured = []string{"./internal/fault", "./sink", "./dataset", "./internal/vfs/vfstest", "./tfrecord",
	"./internal/badinput", "./internal/simulation"}

// tests runs the tests of the packages with their largest numbers, or below full
// scale with the numbers of scripts/exhaustive.
func (t *torture) tests(ctx context.Context, c *count) error {
	args := []string{"test", "-count=1", "-timeout", "60m"}
	variable := "TFR_TORTURE=1"
	if t.scale < 1 {
		variable = "TFR_EXHAUSTIVE=1"
	}
	c.add("packages", len(tortured))
	return goTool(ctx, c, variable, "go", append(args, tortured...)...)
}

// fuzz gives each fuzz target two million inputs.
func (t *torture) fuzz(ctx context.Context, c *count) error {
	n := t.times(2_000_000)
	c.add("inputs a target", n)
	return goTool(ctx, c, fmt.Sprintf("FUZZTIME=%dx", n), "scripts/fuzz")
}

// goTool runs a tool in the directory of the project, with one more variable in its
// environment, and shows what it says.
func goTool(ctx context.Context, c *count, variable, tool string, args ...string) error {
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), variable)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	ownGroup(cmd)
	if err := cmd.Run(); err != nil {
		c.fail("%s %s %v: %v", variable, tool, args, err)
	}
	return ctx.Err()
}
