package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"testing/fstest"
	"time"

	"tfr-build/pipeline"
)

func TestContainerMemory(t *testing.T) {
	const none = math.MaxInt64
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, c := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"no control groups": {fstest.MapFS{}, none},
		"version 2, container": {fstest.MapFS{
			"proc/self/cgroup":         file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("1073741824\n"),
		}, 1 << 30},
		"version 2, the least of the groups around": {fstest.MapFS{
			"proc/self/cgroup":                  file("0::/job/step/task\n"),
			"sys/fs/cgroup/job/memory.max":      file("4000000000\n"),
			"sys/fs/cgroup/job/step/memory.max": file("max\n"),
		}, 4e9},
		"version 2, no limit": {fstest.MapFS{
			"proc/self/cgroup":         file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("max\n"),
		}, none},
		"version 1": {fstest.MapFS{
			"proc/self/cgroup": file("5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n"),
			"sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": file("536870912\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            file("9223372036854771712\n"),
		}, 1 << 29},
		"version 1, seen from inside": {fstest.MapFS{
			"proc/self/cgroup":                           file("4:memory:/docker/abc\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("536870912\n"),
		}, 1 << 29},
		"nonsense": {fstest.MapFS{
			"proc/self/cgroup":         file("what\n0::/\n0:memory\n"),
			"sys/fs/cgroup/memory.max": file("lots\n"),
		}, none},
	} {
		if got := containerMemory(c.root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestMachineMemory(t *testing.T) {
	if n := machineMemory(); n < 64<<20 {
		t.Errorf("the machine has %d bytes of memory", n)
	}
}

func TestMemoryWithinAddresses(t *testing.T) {
	for addresses, want := range map[uint64]int64{
		math.MaxUint64: math.MaxInt64,
		4 << 30:        (4<<30 - runtimeReserve) / 2,
		1 << 20:        2 * pipeline.MinMemory,
	} {
		if got := memoryForLimit(addresses); got != want {
			t.Errorf("%d addresses: %d bytes, want %d", addresses, got, want)
		}
	}
}

// TestCollector checks that the first collection is late, and that the percentage holds after it, unless GOGC is set.
func TestCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	percent := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	t.Setenv("GOGC", "70")
	if usualGC.apply(); percent() != 70 {
		t.Errorf("GOGC=70: %d", percent())
	}
	os.Unsetenv("GOGC")
	for _, want := range []gcPace{lowGC(pipeline.MinMemory), lowGC(1 << 40), usualGC} {
		if want.apply(); percent() != want.first {
			t.Errorf("before the first collection: %d, want %d", percent(), want.first)
		}
		runtime.GC()
		for wait := time.Now().Add(10 * time.Second); percent() != want.later; time.Sleep(time.Millisecond) {
			if time.Now().After(wait) {
				t.Fatalf("after the first collection: %d, want %d", percent(), want.later)
			}
		}
	}
}
