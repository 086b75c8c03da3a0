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

// fallbackMemory is what a machine is assumed to have that does not say.
const fallbackMemory = 2 << 30

// availableMemory is how many bytes of memory there are for this process: what
// the machine has, or its container or its shell's `ulimit -v` let it use.
func availableMemory() int64 {
	available := min(machineMemory(), containerMemory(os.DirFS("/")))
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err == nil {
		available = min(available, memoryWithin(limit.Cur))
	}
	return available
}

// runtimeReserve is about how many addresses the Go runtime takes for itself: with
// three quarters of it a program does not start.
const runtimeReserve = 1 << 30

// memoryWithin is what a limit of addresses leaves for memory: half of what the
// runtime leaves, for addresses are taken in large pieces.
func memoryWithin(addresses uint64) int64 {
	if addresses >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max((int64(addresses)-runtimeReserve)/2, 2*pipeline.MinMemory)
}

// How many bytes may wait to be collected for 100 that are in use.
const (
	garbage = 100 // as the runtime has it by itself

	// littleGarbage is for memory that is to be kept low: with rows of many megabytes
	// every one that waits counts. It costs a fiftieth of the time of a short run. The
	// workers of tfr-beam, a module of its own, have as little.
	littleGarbage = 25

	// garbageAtFirst holds before the first collection, which comes when the heap has
	// 16 MiB then: on the way there it is listings and buffers, hardly any of it garbage.
	garbageAtFirst = 400
)

// paceCollector has the garbage collector wait before its first collection, and from
// then on let percent wait, unless the environment says how often it runs. That is for
// programs whose run may end before they have much garbage.
func paceCollector(percent int) {
	if _, said := os.LookupEnv("GOGC"); said {
		return
	}
	debug.SetGCPercent(garbageAtFirst)
	first := new([16]byte) // which nobody holds: the first collection finds it
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, percent)
}

// limitMemory has the garbage collector stay below the container's limit, unless
// the environment sets another. A tenth is left for what the collector does not
// count.
func limitMemory() {
	if _, said := os.LookupEnv("GOMEMLIMIT"); !said {
		debug.SetMemoryLimit(availableMemory() / 10 * 9)
	}
}

// containerMemory is the limit that the control groups of this process set,
// those around its own included.
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

// groupLimit is the least limit of a group and those around it. A container
// often sees its own group as the root.
func groupLimit(root fs.FS, mount, group, file string) int64 {
	limit := int64(math.MaxInt64)
	for dir := path.Join("/", group); ; dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, path.Join(mount, dir, file))
		if err == nil {
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err == nil && n > 0 { // "max" is no limit
				limit = min(limit, n)
			}
		}
		if dir == "/" {
			return limit
		}
	}
}
