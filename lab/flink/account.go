//go:build linux

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// jobs is the number of Flink jobs of a build: one scans, and one writes.
const jobs = 2

// An outcome is what came of a round.
type outcome struct {
	same     bool
	shards   string        // digest of the names and bytes of the shards
	took     time.Duration // in all
	overhead time.Duration // in which neither a task nor tfr-beam itself did anything
	tasks    int           // that were done
	twice    []string      // those that ran more than once
	flying   int           // tasks that were at work when something was killed
	recovery time.Duration // from then until a task begins that ran before, or in another process
	peaks    map[string]int64
}

const header = `| run | bytes | time, s | overhead per job, s | tasks run | run twice | in flight | recovery, s ` +
	`| worker, MiB | TaskManager | JobManager | job server | tfr-beam |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`

func (o *outcome) text(name string) string {
	bytes := map[bool]string{true: "the same", false: "DIFFER"}[o.same]
	flying, recovery := "", ""
	if o.recovery > 0 {
		flying, recovery = fmt.Sprint(o.flying), fmt.Sprintf("%.1f", o.recovery.Seconds())
	}
	row := fmt.Sprintf("| %s | %s | %.1f | %.1f | %d | %d | %s | %s |", name, bytes, o.took.Seconds(),
		o.overhead.Seconds()/jobs, o.tasks, len(o.twice), flying, recovery)
	for _, process := range []string{"worker", "TaskManager", "JobManager", "job server", "tfr-beam"} {
		row += fmt.Sprintf(" %d |", o.peaks[process]>>20)
	}
	return row
}

// taskLine is what a worker says of a task, in the log of its TaskManager.
var taskLine = regexp.MustCompile(
	`(?m)^(\d{13}) .* task (scan|write) (\d+) (begins in process (\d+)|was done before|is done)`)

// hereLine is what tfr-beam says of what it did itself.
var hereLine = regexp.MustCompile(`(?:merge|commit): done in ([\d.]+) s`)

// A stretch is the time in which a task was at work.
type stretch struct{ from, to time.Time }

// account makes an outcome of logs. The logs of TaskManagers may have lines of other rounds.
func account(logs, said string, began, ended, killed time.Time) *outcome {
	o := &outcome{took: ended.Sub(began)}
	type event struct {
		at         time.Time
		task, what string
	}
	var events []event
	for _, m := range taskLine.FindAllStringSubmatch(logs, -1) {
		ms, _ := strconv.ParseInt(m[1], 10, 64)
		if at := time.UnixMilli(ms); !at.Before(began) && at.Before(ended.Add(time.Second)) {
			events = append(events, event{at, m[2] + "-" + m[3], strings.Fields(m[4])[0] + strings.Fields(m[4])[1]})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	runs, open := map[string]int{}, map[string]time.Time{}
	var busy []stretch
	harmed := false
	for _, e := range events {
		if !harmed && !killed.IsZero() && e.at.After(killed) {
			harmed, o.flying = true, len(open)
		}
		switch e.what {
		case "beginsin":
			if harmed && o.recovery == 0 && runs[e.task] > 0 {
				o.recovery = e.at.Sub(killed)
			}
			runs[e.task]++
			open[e.task] = e.at
		case "wasdone":
			runs[e.task]--
			delete(open, e.task)
		default:
			busy = append(busy, stretch{open[e.task], e.at})
			delete(open, e.task)
		}
	}
	for _, task := range sortedKeys(runs) {
		if runs[task] > 0 {
			o.tasks++
		}
		if runs[task] > 1 {
			o.twice = append(o.twice, task)
		}
	}
	o.overhead = o.took - union(busy)
	for _, m := range hereLine.FindAllStringSubmatch(said, -1) {
		seconds, _ := strconv.ParseFloat(m[1], 64)
		o.overhead -= time.Duration(seconds * float64(time.Second))
	}
	return o
}

func sortedKeys(m map[string]int) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// union is how long at least one of the stretches lasted.
func union(list []stretch) (sum time.Duration) {
	slices.SortFunc(list, func(a, b stretch) int { return a.from.Compare(b.from) })
	var until time.Time
	for _, s := range list {
		if s.from.Before(until) {
			s.from = until
		}
		if s.to.After(s.from) {
			sum += s.to.Sub(s.from)
			until = s.to
		}
	}
	return sum
}
