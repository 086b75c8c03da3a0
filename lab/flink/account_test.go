//go:build linux

package main

import (
	"slices"
	"testing"
	"time"
)

// A task that was at work when something was killed runs twice; one that was done does
// not, though it begins again.
func TestAccount(t *testing.T) {
	const logs = `1700000000100 INFO  go:48 - task scan 0 begins in process 7
1700000001100 INFO  go:55 - task scan 0 is done
1700000002000 INFO  go:48 - task write 0 begins in process 7
1700000002100 INFO  go:48 - task write 1 begins in process 8
1700000003000 INFO  go:55 - task write 0 is done
1700000003100 INFO  go:48 - task write 2 begins in process 7
1700000009000 INFO  go:48 - task write 0 begins in process 9
1700000009010 INFO  go:52 - task write 0 was done before
1700000009500 INFO  go:48 - task write 1 begins in process 9
1700000010500 INFO  go:55 - task write 1 is done
1700000010500 INFO  go:48 - task write 2 begins in process 9
1700000011000 INFO  go:55 - task write 2 is done
1800000000000 INFO  go:48 - task write 0 begins in process 9
`
	at := func(ms int64) time.Time { return time.UnixMilli(1700000000000 + ms) }
	o := account(logs, "tfr-beam: merge: done in 0.5 s\n", at(0), at(12000), at(3500))
	if o.tasks != 4 || !slices.Equal(o.twice, []string{"write-1", "write-2"}) || o.flying != 2 {
		t.Errorf("%d tasks, twice %v, %d in flight", o.tasks, o.twice, o.flying)
	}
	if o.recovery != 5500*time.Millisecond {
		t.Errorf("recovery %v", o.recovery)
	}
	if want := 12*time.Second - 500*time.Millisecond - 3500*time.Millisecond; o.overhead != want {
		t.Errorf("overhead %v, want %v", o.overhead, want)
	}
}
