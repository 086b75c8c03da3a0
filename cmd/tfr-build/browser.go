package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openInBrowser opens a file with the system's program for that, which knows the user's browser.
func openInBrowser(ctx context.Context, file string) error {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("cannot open a browser: %s is not installed; the report is %s", name, file)
	}
	path, err := filepath.Abs(file) // cannot be mistaken for a flag
	if err != nil {
		return err
	}
	if output, err := exec.CommandContext(ctx, program, path).CombinedOutput(); err != nil {
		line, _, _ := bytes.Cut(bytes.TrimSpace(output), []byte("\n"))
		return fmt.Errorf("cannot open a browser: %s: %w: %s; the report is %s", name, err, line, file)
	}
	return nil
}
