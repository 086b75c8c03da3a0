package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A noise is what else the processors did while contenders of a group ran.
//
//	/proc/stat before ─► run ─► /proc/stat after      busy: the run and others
//	                      │
//	                      └─► its own CPU time        the rest is others'
type noise struct {
	Load   float64       // on the average of the minute before
	All    time.Duration // of all processors
	Others time.Duration // what others took of it
	Stolen time.Duration // what the host did not give
}

// ticks are times of all processors since the machine started.
type ticks struct {
	all, busy, stolen time.Duration
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every Linux.
const tick = 10 * time.Millisecond

// processors reads /proc/stat. Without it, all figures are 0.
func processors() ticks {
	stat, _ := os.ReadFile("/proc/stat")
	return readTicks(string(stat))
}

// readTicks reads the first line: user, nice, system, idle, iowait, irq, softirq, steal.
func readTicks(stat string) (t ticks) {
	var n [8]time.Duration
	line, _, _ := strings.Cut(stat, "\n")
	if _, err := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6],
		&n[7]); err != nil {
		return ticks{}
	}
	for i, x := range n {
		t.all += x * tick
		if i != 3 && i != 4 && i != 7 {
			t.busy += x * tick
		}
	}
	t.stolen = n[7] * tick
	return t
}

// hear adds a run, which took so much CPU time itself.
func (n *noise) hear(before, after ticks, own time.Duration) {
	n.All += after.all - before.all
	n.Others += after.busy - before.busy - own
	n.Stolen += after.stolen - before.stolen
}

// share is a part of the processors' time in percent. The kernel counts in ticks, so
// there may be a little less than nothing.
func (n *noise) share(of time.Duration) float64 {
	if n.All <= 0 {
		return 0
	}
	return max(0, 100*float64(of)/float64(n.All))
}

// Limits of noise, above which figures are not reliable.
const (
	muchOthers = 5.0 // percent of the processors' time
	muchStolen = 1.0
	muchSpread = 15.0 // percent that the median is over the minimum
	muchApart  = 10.0 // percent that the slowest copy is over the fastest
)

// doubts say why figures of a group are not to be trusted.
func (r *result) doubts() (doubts []string) {
	if others := r.Noise.share(r.Noise.Others); others > muchOthers {
		doubts = append(doubts, fmt.Sprintf("others took %.0f %% of the processors", others))
	}
	if stolen := r.Noise.share(r.Noise.Stolen); stolen > muchStolen {
		doubts = append(doubts, fmt.Sprintf("the host kept %.0f %% of the processors", stolen))
	}
	if c, spread := r.most(measured.spread); spread > muchSpread {
		doubts = append(doubts, fmt.Sprintf("the median of %q is %.0f %% over its minimum", c, spread))
	}
	if c, apart := r.most(measured.apart); apart > muchApart {
		doubts = append(doubts, fmt.Sprintf("the copies of %q are %.0f %% apart", c, apart))
	}
	return doubts
}

// most is the contender with the most of something.
func (r *result) most(of func(measured) float64) (name string, most float64) {
	for _, c := range r.Contenders {
		if x := of(c); x > most {
			name, most = c.Name, x
		}
	}
	return name, most
}

// spread is by how many percent the median is over the minimum.
func (c measured) spread() float64 { return 100 * (c.Median/c.Min - 1) }

// apart is by how many percent the slowest copy is over the fastest.
func (c measured) apart() float64 {
	if len(c.Copies) == 0 {
		return 0
	}
	return 100 * (c.Copies[len(c.Copies)-1]/c.Copies[0] - 1)
}
