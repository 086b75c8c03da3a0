package main

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"tfr-build/pipeline"
)

// fallbackMemory is the assumed memory of a machine, in bytes, if the system does not report it.
const fallbackMemory = 2 << 30

// availableMemory returns the memory that this process can use, in bytes. It is the memory of the
// machine, limited by its container and the shell's `ulimit -v`.
func availableMemory() int64 {
	available := min(machineMemory(), containerMemory(os.DirFS("/")))
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err == nil {
		available = min(available, memoryForLimit(limit.Cur))
	}
	return available
}

// runtimeReserve is the estimated address space of the Go runtime, in bytes. With three quarters of
// it, a program does not start.
const runtimeReserve = 1 << 30

// memoryForLimit returns the memory that a limit of the address space leaves, in bytes. It is half
// of what the runtime leaves, as addresses are reserved in large blocks.
func memoryForLimit(addresses uint64) int64 {
	if addresses >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max((int64(addresses)-runtimeReserve)/2, 2*pipeline.MinMemory)
}

// A gcPace has two percentages: at so much garbage, of the memory in use, the collector starts for the first time, and
// later. A percentage also sets the smallest heap to collect, 4 MiB for 100: listings and buffers grow up to there, and
// hardly any of it is garbage.
type gcPace struct{ first, later int }

var usualGC = gcPace{400, 100}

// lowGC returns the pace if the user limits memory, in bytes: with rows of many megabytes, each one that waits for
// collection matters. It costs 2 % of the time of a short run. The first collection is at a heap of a quarter of the
// memory. The workers of tfr-beam, a module of its own, use the same later percentage.
func lowGC(memory int64) gcPace {
	return gcPace{int(min(memory*100/(16<<20), int64(usualGC.first))), 25}
}

// apply sets the percentages, unless GOGC is set.
func (p gcPace) apply() {
	if _, said := os.LookupEnv("GOGC"); said {
		return
	}
	debug.SetGCPercent(p.first)
	garbage := new([16]byte)
	runtime.AddCleanup(garbage, func(later int) { debug.SetGCPercent(later) }, p.later)
}

// limitMemory sets the memory limit of the garbage collector to the available memory, unless
// GOMEMLIMIT is set. A tenth is left for memory that the collector does not count.
func limitMemory() {
	if _, said := os.LookupEnv("GOMEMLIMIT"); !said {
		debug.SetMemoryLimit(availableMemory() / 10 * 9)
	}
}

// containerMemory returns the memory limit of the control groups of this process, including those
// around it.
func containerMemory(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		switch {
		case fields[0] == "0": // cgroup v2; the other lines are v1's, one for each set of controllers
			limit = min(limit, groupLimit(root, "sys/fs/cgroup", fields[2], "memory.max"))
		case strings.Contains(","+fields[1]+",", ",memory,"):
			limit = min(limit, groupLimit(root, "sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"))
		}
	}
	return limit
}

// groupLimit returns the smallest limit of a group and those around it. A container often sees its
// own group as the root.
func groupLimit(root fs.FS, mount, group, file string) int64 {
	limit := int64(math.MaxInt64)
	for dir := path.Join("/", group); ; dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, path.Join(mount, dir, file))
		if err == nil {
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err == nil && n > 0 { // "max" means no limit
				limit = min(limit, n)
			}
		}
		if dir == "/" {
			return limit
		}
	}
}
