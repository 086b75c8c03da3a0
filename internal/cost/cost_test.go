package cost

import (
	"testing"
	"time"
)

func TestExceededLimits(t *testing.T) {
	for _, tt := range []struct {
		input int
		busy  time.Duration
		taken uint64
		want  int
	}{
		{0, time.Second, 64 << 20, 0},
		{0, time.Second + 1, 64 << 20, 1},
		{0, time.Second, 64<<20 + 1, 1},
		{5_000_000, 6 * time.Second, 64<<20 + 40_000_000, 0},
		{5_000_000, 7 * time.Second, 64<<20 + 40_000_001, 2},
	} {
		if got := tooMuch(tt.input, tt.busy, tt.taken); len(got) != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

var kept []byte

func TestUsage(t *testing.T) {
	_, before := usage()
	kept = make([]byte, 10<<20)
	busy, after := usage()
	if busy <= 0 || after-before < 10<<20 {
		t.Errorf("%v, %d bytes", busy, after-before)
	}
	Within(t, 0, func() { kept = make([]byte, 1<<20) })
}

func TestLinear(t *testing.T) {
	for _, tt := range []struct {
		small, large time.Duration
		want         bool
	}{
		{10 * time.Millisecond, 40 * time.Millisecond, true},
		{10 * time.Millisecond, 160 * time.Millisecond, false},
		{10 * time.Microsecond, 500 * time.Microsecond, true},
	} {
		if got := isLinear(tt.small, tt.large); got != tt.want {
			t.Errorf("%v, then %v: %t", tt.small, tt.large, got)
		}
	}
	var tries int
	Linear(t, func() { tries++ }, func() { tries++ })
	if tries != 2 {
		t.Errorf("what takes no time was tried %d times", tries)
	}
}
