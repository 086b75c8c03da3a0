package main

import (
	"debug/buildinfo"
	"debug/macho"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// A program is a released binary.
type program struct {
	Path    string
	Version string // of the Go module, such as v1.2.3
	System  string // linux or darwin
	Machine string // amd64 or arm64
	Commit  time.Time
}

// findPrograms returns the programs in dir, sorted by name. All have one version.
func findPrograms(dir string) ([]program, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "tfr-build-*-*"))
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return !strings.HasSuffix(path, "-amd64") && !strings.HasSuffix(path, "-arm64")
	})
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no program tfr-build-VERSION-SYSTEM-MACHINE", dir)
	}
	var programs []program
	for _, path := range paths {
		p, err := readProgram(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		programs = append(programs, p)
		if want := programs[0].Version; p.Version != want {
			return nil, fmt.Errorf("%s: found version %s, expected %s", path, p.Version, want)
		}
	}
	return programs, nil
}

// readProgram reads what Go's linker wrote into a program.
func readProgram(path string) (program, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return program{}, err
	}
	p := program{Path: path, Version: info.Main.Version, System: setting(info, "GOOS"),
		Machine: setting(info, "GOARCH")}
	if p.Commit, err = time.Parse(time.RFC3339, setting(info, "vcs.time")); err != nil {
		return program{}, fmt.Errorf("no time of a commit: %w", err)
	}
	if setting(info, "CGO_ENABLED") != "0" {
		return program{}, errors.New("built with cgo: not static")
	}
	return p, nil
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// platformTags returns the platforms of a wheel, as pip names them. A static program
// runs with glibc and musl alike.
func (p program) platformTags() ([]string, error) {
	machine := map[string]string{"linux/amd64": "x86_64", "linux/arm64": "aarch64", "darwin/amd64": "x86_64",
		"darwin/arm64": "arm64"}[p.System+"/"+p.Machine]
	switch {
	case machine == "":
		return nil, fmt.Errorf("no wheel for %s/%s", p.System, p.Machine)
	case p.System == "linux":
		return []string{"manylinux_2_17_" + machine, "manylinux2014_" + machine, "musllinux_1_1_" + machine}, nil
	}
	major, minor, err := oldestMacOS(p.Path)
	return []string{fmt.Sprintf("macosx_%d_%d_%s", major, minor, machine)}, err
}

// oldestMacOS returns the version of macOS that the linker says a program needs.
func oldestMacOS(path string) (major, minor int, err error) {
	file, err := macho.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	const buildVersion = 0x32 // LC_BUILD_VERSION: command, size, platform, minimum, SDK, tools
	for _, load := range file.Loads {
		raw := load.Raw()
		if len(raw) >= 16 && file.ByteOrder.Uint32(raw) == buildVersion {
			minimum := file.ByteOrder.Uint32(raw[12:])
			return int(minimum >> 16), int(minimum >> 8 & 0xff), nil
		}
	}
	return 0, 0, errors.New("the program names no version of macOS")
}
