package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// A publisher is the content of release.env.
type publisher struct {
	Owner, Module, Site, Image string
}

// readPublisher reads a file of NAME=VALUE lines. Either all values are empty or none.
func readPublisher(path string) (publisher, error) {
	var p publisher
	names := map[string]*string{"OWNER": &p.Owner, "MODULE": &p.Module, "SITE": &p.Site, "IMAGE": &p.Image}
	file, err := os.Open(path)
	if err != nil {
		return p, err
	}
	defer file.Close()
	filled := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if names[name] == nil {
			return p, fmt.Errorf("%s: unknown name %q", path, name)
		}
		if *names[name] = value; value != "" {
			filled++
		}
	}
	if filled != 0 && filled != len(names) {
		return p, fmt.Errorf("%s: found %d of %d values, expected all or none", path, filled, len(names))
	}
	return p, nil
}

// Exists reports whether somebody publishes.
func (p publisher) Exists() bool { return p.Owner != "" }
