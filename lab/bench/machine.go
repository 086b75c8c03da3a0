package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// A machine is where figures come from.
type machine struct {
	Day    string
	CPUs   int
	Model  string // of the processor
	Memory string
	System string // with the kernel's version
	Files  string // the file system of input and output
	Go     string
}

// thisMachine tells of this one what it says: Linux tells all.
func thisMachine(dir string) machine {
	m := machine{
		Day: time.Now().UTC().Format(time.DateOnly), CPUs: runtime.NumCPU(), Model: runtime.GOARCH,
		System: runtime.GOOS,
		Files:  "?", Memory: "?", Go: runtime.Version(),
	}
	if model := lineOf("/proc/cpuinfo", `(?m)^model name\s*: (.*)$`); model != "" {
		m.Model = model
	}
	if release := lineOf("/proc/sys/kernel/osrelease", `^[0-9.]+`); release != "" {
		m.System = "Linux " + release
	}
	var kib float64
	if _, err := fmt.Sscan(lineOf("/proc/meminfo", `(?m)^MemTotal:\s+(\d+) kB$`), &kib); err == nil {
		m.Memory = fmt.Sprintf("%.0f GiB", kib/(1<<20))
	}
	if mounts, err := os.ReadFile("/proc/self/mountinfo"); err == nil {
		m.Files = fileSystem(string(mounts), dir)
	}
	return m
}

func (m machine) String() string {
	return fmt.Sprintf("%s: %d CPUs, %s, %s of memory, %s, %s, %s", m.Day, m.CPUs, m.Model, m.Memory, m.System, m.Files,
		m.Go)
}

// lineOf is the first match in a file, or of its group; none is empty.
func lineOf(file, pattern string) string {
	text, _ := os.ReadFile(file)
	found := regexp.MustCompile(pattern).FindStringSubmatch(string(text))
	if found == nil {
		return ""
	}
	return found[len(found)-1]
}

// fileSystem is the kind of the one that a directory is in: its mount point is the longest
// that the directory is below of.
//
//	25 1 254:0 / /mnt/data rw,relatime shared:1 - ext4 /dev/vda rw
func fileSystem(mounts, dir string) string {
	longest, kind := -1, "?"
	for line := range strings.Lines(mounts) {
		left, right, _ := strings.Cut(line, " - ")
		fields, kinds := strings.Fields(left), strings.Fields(right)
		if len(fields) < 5 || len(kinds) == 0 {
			continue
		}
		point := fields[4]
		rest, err := filepath.Rel(point, dir)
		if err != nil || rest == ".." || strings.HasPrefix(rest, "../") || len(point) < longest {
			continue
		}
		longest, kind = len(point), kinds[0]
	}
	return kind
}

// load is the load average of the last minute.
func load() (load float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(text), &load) // 0 without the file
	return load
}
