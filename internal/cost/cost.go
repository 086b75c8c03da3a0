// Package cost holds what code may take of time and memory for its input: for
// fuzz targets, which find the inputs that cost too much, and for tests of how time
// grows with an input.
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

// Within runs f and fails t if f took more processor time than a second and one
// for each megabyte of the input, or more memory, freed or not, than 64 MiB and
// eight times the input.
func Within(t testing.TB, input int, f func()) {
	t.Helper()
	busy, taken := now()
	f()
	busyAfter, takenAfter := now()
	for _, fault := range tooMuch(input, busyAfter-busy, takenAfter-taken) {
		t.Error(fault)
	}
}

// tooMuch says what was more than input bytes may cost.
func tooMuch(input int, busy time.Duration, taken uint64) (faults []string) {
	if most := time.Second + time.Duration(input)*time.Microsecond; busy > most {
		faults = append(faults, fmt.Sprintf("%d bytes took %v, expected at most %v", input, busy, most))
	}
	if most := uint64(64<<20 + 8*input); taken > most {
		faults = append(faults, fmt.Sprintf("%d bytes took %d bytes of memory, expected at most %d", input, taken, most))
	}
	return faults
}

// Linear fails t if large, which has four times as much to do as small, takes more
// than mostGrowth times its processor time, in the least of several tries and in
// their sum: time that others of the process take only seems to be theirs, and the
// system's account of a short time is sometimes much too small.
func Linear(t testing.TB, small, large func()) {
	t.Helper()
	const tries = 8
	least, sum := [2]time.Duration{math.MaxInt64, math.MaxInt64}, [2]time.Duration{}
	for range tries {
		for i, f := range []func(){small, large} {
			before, _ := now()
			f()
			after, _ := now()
			least[i], sum[i] = min(least[i], after-before), sum[i]+after-before
		}
		if grewLittle(least[0], least[1]) {
			return
		}
	}
	if !grewLittle(sum[0], sum[1]) {
		t.Errorf("four times as much took %.1f times as long: %v, then %v; expected at most %v times", float64(least[1])/float64(least[0]), least[0], least[1], mostGrowth)
	}
}

// mostGrowth is between 4, which linear time has, and 16, which quadratic time has.
const mostGrowth = 8

// grewLittle reports whether four times as much took no more than linear time,
// beside what is too short to be measured.
func grewLittle(small, large time.Duration) bool {
	const unmeasured = time.Millisecond
	return float64(large) <= mostGrowth*float64(small)+float64(unmeasured)
}

// now is what the process has used so far.
func now() (busy time.Duration, taken uint64) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic("cost: getrusage: " + err.Error())
	}
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), sample[0].Value.Uint64()
}
