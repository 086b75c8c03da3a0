// Package cost limits the time and memory that code takes for its input. Fuzz targets use it to
// find inputs that cost too much, and tests to check that time grows linearly.
//
//	cost.Within(t, len(data), func() { read(data) })
//	cost.Linear(t, func() { read(data) }, func() { read(fourTimesAsMuch) })
package cost

import (
	"fmt"
	"math"
	"runtime/metrics"
	"syscall"
	"testing"
	"time"
)

// Within runs f, and fails t if f takes too much. The limits are a second of processor time plus
// one per megabyte of input, and 64 MiB plus eight times the input of allocated memory, including
// freed memory.
func Within(t testing.TB, input int, f func()) {
	t.Helper()
	busy, taken := usage()
	f()
	busyAfter, takenAfter := usage()
	for _, message := range tooMuch(input, busyAfter-busy, takenAfter-taken) {
		t.Error(message)
	}
}

// tooMuch describes which limits for input bytes were exceeded.
func tooMuch(input int, busy time.Duration, taken uint64) (exceeded []string) {
	if most := time.Second + time.Duration(input)*time.Microsecond; busy > most {
		exceeded = append(exceeded, fmt.Sprintf("%d bytes took %v, expected at most %v", input, busy, most))
	}
	if most := uint64(64<<20 + 8*input); taken > most {
		exceeded = append(exceeded, fmt.Sprintf("%d bytes took %d bytes of memory, expected at most %d", input,
			taken, most))
	}
	return exceeded
}

// Linear fails t if large, which has four times the work of small, takes more than maxGrowth times
// its processor time. It fails only if both the shortest of several tries and their sum exceed the
// limit. Other goroutines of the process add to the measured time, and the system sometimes reports
// much too little for a short time.
func Linear(t testing.TB, small, large func()) {
	t.Helper()
	const tries = 8
	least, sum := [2]time.Duration{math.MaxInt64, math.MaxInt64}, [2]time.Duration{}
	for range tries {
		for i, f := range []func(){small, large} {
			before, _ := usage()
			f()
			after, _ := usage()
			least[i], sum[i] = min(least[i], after-before), sum[i]+after-before
		}
		if isLinear(least[0], least[1]) {
			return
		}
	}
	if !isLinear(sum[0], sum[1]) {
		t.Errorf("four times as much took %.1f times as long: %v, then %v; expected at most %v times",
			float64(least[1])/float64(least[0]), least[0], least[1], maxGrowth)
	}
}

// maxGrowth is between 4, for linear time, and 16, for quadratic time.
const maxGrowth = 8

// isLinear reports whether four times the work took linear time. It ignores times that are too
// short to measure.
func isLinear(small, large time.Duration) bool {
	const unmeasured = time.Millisecond
	return float64(large) <= maxGrowth*float64(small)+float64(unmeasured)
}

// usage returns the processor time and the allocated bytes of the process so far.
func usage() (busy time.Duration, taken uint64) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic("cost: getrusage: " + err.Error())
	}
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), sample[0].Value.Uint64()
}
