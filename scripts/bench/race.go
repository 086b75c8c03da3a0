package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A timing is the runs of one contender.
type timing struct {
	wall, cpu []time.Duration
}

func (t *timing) min() time.Duration      { return slices.Min(t.wall) }
func (t *timing) leastCPU() time.Duration { return slices.Min(t.cpu) }

func (t *timing) median() time.Duration {
	return slices.Sorted(slices.Values(t.wall))[len(t.wall)/2]
}

// race runs the contenders of a group in turn and prints what came of it.
func (b *bench) race(g *group) error {
	if err := g.input(); err != nil {
		return err
	}
	timings := map[string]*timing{}
	rounds := b.rounds
	if g.rounds > 0 {
		rounds = min(rounds, g.rounds)
	}
	for round := range rounds + 1 {
		for _, c := range g.contenders {
			if c.once && round != 1 {
				continue
			}
			wall, cpu, err := b.time(&c)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if timings[c.name] == nil {
				timings[c.name] = &timing{}
			}
			if round == 0 { // warms the cache of the input
				continue
			}
			t := timings[c.name]
			t.wall, t.cpu = append(t.wall, wall), append(t.cpu, cpu)
		}
	}
	fmt.Printf("\n%-36s %8s %8s %8s\n", g.name, "min", "median", "CPU")
	for _, c := range g.contenders {
		t := timings[c.name]
		fmt.Printf("  %-34s %8.0f %8.0f %8.0f\n", c.name, ms(t.min()), ms(t.median()), ms(t.leastCPU()))
	}
	for _, goal := range g.goals {
		of, to := timings[goal.of], timings[goal.to]
		if to == nil {
			fmt.Printf("  %s: %.0f ms, limit %.0f%s\n", goal.of, ms(of.min()), goal.limit, missed(ms(of.min()) <= goal.limit))
			continue
		}
		wall, cpu := ms(of.min())/ms(to.min()), ms(of.leastCPU())/ms(to.leastCPU())
		if goal.cpu {
			fmt.Printf("  CPU of %s; wall %.2f\n", goal.verdict(cpu), wall)
		} else {
			fmt.Printf("  %s; CPU %.2f\n", goal.verdict(wall), cpu)
		}
	}
	return nil
}

func (g *goal) verdict(ratio float64) string {
	if g.told {
		return fmt.Sprintf("%s : %s = %.2f", g.of, g.to, ratio)
	}
	met, sign := ratio <= g.limit, "≤"
	if g.least {
		met, sign = ratio >= g.limit, "≥"
	}
	return fmt.Sprintf("%s : %s = %.2f, limit %s %.2f%s", g.of, g.to, ratio, sign, g.limit, missed(met))
}

func missed(met bool) string {
	if met {
		return ""
	}
	return ", MISSED"
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// time runs a command and takes its output away. What was written before is
// synced first, so that nobody waits for another's.
func (b *bench) time(c *contender) (wall, cpu time.Duration, err error) {
	cmd, clean, err := b.command(c.args)
	if err != nil {
		return 0, 0, err
	}
	defer clean()
	cmd.Env = append(os.Environ(), c.env...)
	if err := exec.Command("sync").Run(); err != nil {
		return 0, 0, err
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%v: %w\n%s", cmd, err, output.Bytes())
	}
	if c.says {
		return said(output.String())
	}
	wall = time.Since(start)
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// said are the times of a contender that says them.
func said(output string) (wall, cpu time.Duration, err error) {
	var cpuSeconds, wallSeconds float64
	if _, err := fmt.Sscanf(output, "CPU %f wall %f", &cpuSeconds, &wallSeconds); err != nil {
		return 0, 0, fmt.Errorf("%q: %w", output, err)
	}
	return time.Duration(wallSeconds * 1e9), time.Duration(cpuSeconds * 1e9), nil
}

// command makes the command and a folder for its output.
func (b *bench) command(args []string) (cmd *exec.Cmd, clean func(), err error) {
	dir, err := os.MkdirTemp(b.dir, "out")
	if err != nil {
		return nil, nil, err
	}
	filled := make([]string, len(args))
	for i, arg := range args {
		filled[i] = strings.ReplaceAll(arg, "%s", dir+"/out")
	}
	return exec.Command(filled[0], filled[1:]...), func() { _ = os.RemoveAll(dir) }, nil
}
