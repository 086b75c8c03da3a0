// Tzdata writes the time zones of schema/date, of a release of the IANA time zone
// database. It takes them from the package tzdata of PyPI, which has them compiled:
//
//	python3 -m pip download --no-deps -d DIR tzdata==2026.6 && unzip -d DIR DIR/*.whl
//	go -C scripts run ./tzdata DIR/tzdata ../schema/date/zones.tzif
//
//	zones, zoneinfo/… ──► release │ index of names │ files, each once
//
// Zones that are links to one have its file. Factory, for unknown places, is skipped.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: tzdata PACKAGE FILE")
		os.Exit(2)
	}
	packed, err := pack(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], packed, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tzdata:", err)
		os.Exit(1)
	}
}

// pack makes the file of the package in dir.
func pack(dir string) ([]byte, error) {
	release, err := release(dir)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(dir, "zones"))
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(list))
	slices.Sort(names)
	index := []byte("tzdata " + release + "\n")
	var files []byte
	at := map[string]int{}
	for _, name := range names {
		if name == "Factory" {
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, "zoneinfo", filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if _, there := at[string(file)]; !there {
			at[string(file)] = len(files)
			files = append(files, file...)
		}
		index = fmt.Appendf(index, "%s %d %d\n", name, at[string(file)], len(file))
	}
	return append(append(index, '\n'), files...), nil
}

// release is the one that the first line of the rules names: # version 2026f.
func release(dir string) (string, error) {
	rules, err := os.ReadFile(filepath.Join(dir, "zoneinfo", "tzdata.zi"))
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(rules), "\n")
	name, found := strings.CutPrefix(first, "# version ")
	if !found {
		return "", fmt.Errorf("tzdata.zi does not begin with its version: %q", first)
	}
	return name, nil
}
