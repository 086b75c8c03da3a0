package main

import (
	"fmt"
	"strings"
	"time"
)

// results are what a run of bench has measured. Times are in ms.
type results struct {
	Machine        machine
	Rounds, Copies int
	Rows           int // of the tables
	Groups         []result
}

// A result has the figures of a group.
type result struct {
	Name       string
	Contenders []measured
	Goals      []judged
	Noise      noise
	Day        string  // when it was measured
	Megapixels float64 `json:",omitempty"` // of the images that are converted
}

// A measured is a contender with its minima.
type measured struct {
	Name             string
	Note             string `json:",omitempty"` // of which part
	Role             role   `json:",omitempty"`
	Runs             int
	Min, Median, CPU float64
	MedianCPU        float64   `json:",omitempty"`
	Copies           []float64 `json:",omitempty"` // the minimum of each copy, from the fastest on
}

// A judged is a goal, and what came of it.
type judged struct {
	Of, To      string
	Wall, CPU   float64 // ratios; without To, ms
	Limit       float64
	Least, Told bool
	ByCPU       bool
}

// judge makes the result of a group of what was timed, one timing a contender.
func (g *group) judge(timings []timing, heard noise) *result {
	r := &result{Name: g.name, Noise: heard}
	for i, c := range g.contenders {
		t := &timings[i]
		m := measured{Name: c.name, Role: c.role, Runs: len(t.wall), Min: ms(t.min()), Median: ms(t.median()),
			CPU: ms(t.leastCPU()), MedianCPU: ms(t.medianCPU())}
		if c.part.of > 0 {
			m.Note = fmt.Sprintf("of %s %s, scaled", thousands(c.part.of), c.part.what)
		}
		if c.ours {
			for _, least := range t.ofCopies() {
				m.Copies = append(m.Copies, ms(least))
			}
		}
		r.Contenders = append(r.Contenders, m)
	}
	for _, goal := range g.goals {
		r.Goals = append(r.Goals, r.judge(&goal))
	}
	return r
}

func (r *result) judge(g *goal) judged {
	j := judged{Of: g.of, To: g.to, Limit: g.limit, Least: g.least, Told: g.told, ByCPU: g.cpu}
	of := r.contender(g.of)
	if j.Wall, j.CPU = of.Min, of.CPU; g.to != "" {
		to := r.contender(g.to)
		j.Wall, j.CPU = j.Wall/to.Min, j.CPU/to.CPU
	}
	return j
}

// contender is the one of a name; a goal with an unknown name is a bug of this program.
func (r *result) contender(name string) *measured {
	for i := range r.Contenders {
		if r.Contenders[i].Name == name {
			return &r.Contenders[i]
		}
	}
	panic(fmt.Sprintf("%s: unknown contender %q", r.Name, name))
}

// value is what the limit holds for.
func (j judged) value() float64 {
	if j.ByCPU {
		return j.CPU
	}
	return j.Wall
}

// Met says whether the goal is reached.
func (j judged) Met() bool {
	if j.Told {
		return true
	}
	if j.Least {
		return j.value() >= j.Limit
	}
	return j.value() <= j.Limit
}

// sign is how the limit is meant.
func (j judged) sign() string {
	if j.Least {
		return "≥"
	}
	return "≤"
}

func (j judged) String() string {
	switch {
	case j.To == "":
		return fmt.Sprintf("%s: %.0f ms, limit %.0f%s", j.Of, j.value(), j.Limit, missed(j.Met()))
	case j.Told && j.ByCPU:
		return fmt.Sprintf("CPU of %s : %s = %.2f; wall %.2f", j.Of, j.To, j.CPU, j.Wall)
	case j.Told:
		return fmt.Sprintf("%s : %s = %.2f; CPU %.2f", j.Of, j.To, j.Wall, j.CPU)
	}
	limit := fmt.Sprintf("limit %s %.2f%s", j.sign(), j.Limit, missed(j.Met()))
	if j.ByCPU {
		return fmt.Sprintf("CPU of %s : %s = %.2f, %s; wall %.2f", j.Of, j.To, j.CPU, limit, j.Wall)
	}
	return fmt.Sprintf("%s : %s = %.2f, %s; CPU %.2f", j.Of, j.To, j.Wall, limit, j.CPU)
}

func missed(met bool) string {
	if met {
		return ""
	}
	return ", MISSED"
}

// String is the result as it is printed.
func (r *result) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-36s %8s %8s %8s\n", r.Name, "min", "median", "CPU")
	for _, c := range r.Contenders {
		fmt.Fprintf(&s, "  %-34s %8.0f %8.0f %8.0f", c.Name, c.Min, c.Median, c.CPU)
		if c.Note != "" {
			fmt.Fprintf(&s, "  %s", c.Note)
		}
		s.WriteByte('\n')
	}
	for _, j := range r.Goals {
		fmt.Fprintf(&s, "  %s\n", j)
	}
	fmt.Fprintf(&s, "  noise: %s\n", r.noise())
	for _, doubt := range r.doubts() {
		fmt.Fprintf(&s, "  NOT TO BE TRUSTED: %s\n", doubt)
	}
	return s.String()
}

// noise returns the measured noise as a string.
func (r *result) noise() string {
	_, spread := r.most(measured.spread)
	_, apart := r.most(measured.apart)
	return fmt.Sprintf("load %.1f, others %.0f %% of the processors, stolen %.0f %%, medians to %.0f %% over minima, "+
		"copies to %.0f %% apart",
		r.Noise.Load, r.Noise.share(r.Noise.Others), r.Noise.share(r.Noise.Stolen), spread, apart)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// thousands is a number with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
