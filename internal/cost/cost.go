// Package cost holds what code may take of time and memory for its input: for
// fuzz targets, which find the inputs that cost too much.
//
//	cost.Within(t, len(data), func() { read(data) })
package cost

import (
	"fmt"
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
