package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// Tools of others, with their versions. A later nfpm needs modules that not every
// proxy has.
const (
	nfpmTool      = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"
	cyclonedxTool = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"
)

// installed returns the path of a tool, which it installs into the user's cache.
func installed(tool string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	pkg, version, _ := strings.Cut(tool, "@")
	dir := filepath.Join(cache, "tfr-build", path.Base(pkg)+"-"+version)
	program := filepath.Join(dir, path.Base(pkg))
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	// The SBOM has the checksum of the tool that made it: its bytes may not differ.
	_, err = output(".", []string{"GOBIN=" + dir, "GOFLAGS=-trimpath", "CGO_ENABLED=0"}, "go", "install", tool)
	return program, err
}

// output runs a program in dir and returns what it prints.
func output(dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", strings.Join(args, " "), err, text, said.String())
	}
	return text, nil
}
