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
	copies    []int // the copy of the program that each run was of
}

func (t *timing) min() time.Duration      { return slices.Min(t.wall) }
func (t *timing) leastCPU() time.Duration { return slices.Min(t.cpu) }

func (t *timing) median() time.Duration    { return median(t.wall) }
func (t *timing) medianCPU() time.Duration { return median(t.cpu) }

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2]
}

// ofCopies are the minima of the copies that ran.
func (t *timing) ofCopies() []time.Duration {
	least := map[int]time.Duration{}
	for i, wall := range t.wall {
		if had, ok := least[t.copies[i]]; !ok || wall < had {
			least[t.copies[i]] = wall
		}
	}
	var all []time.Duration
	for _, wall := range least {
		all = append(all, wall)
	}
	slices.Sort(all)
	return all
}

// race runs the contenders of a group in turn. The first round warms the cache of the
// input, and does not count.
func (b *bench) race(g *group) (*result, error) {
	if err := g.input(); err != nil {
		return nil, err
	}
	rounds := b.rounds
	if g.rounds > 0 {
		rounds = min(rounds, g.rounds)
	}
	timings := make([]timing, len(g.contenders))
	heard := noise{Load: load()}
	for round := range rounds + 1 {
		for i, c := range g.contenders {
			if !c.runs(round) {
				continue
			}
			copied := round % len(b.copies)
			wall, cpu, err := b.time(&c, copied, &heard)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if round == 0 {
				continue
			}
			t := &timings[i]
			t.wall, t.cpu, t.copies = append(t.wall, wall), append(t.cpu, cpu), append(t.copies, copied)
		}
	}
	r := g.judge(timings, heard)
	if g.pixels != nil {
		pixels, err := g.pixels()
		if err != nil {
			return nil, err
		}
		r.Megapixels = float64(pixels) / 1e6
	}
	return r, nil
}

// runs says whether the contender is in a round: who runs once is in the first that
// counts, and in the one before where it is short.
func (c *contender) runs(round int) bool {
	return !c.once || round == 1 || round == 0 && c.part.of > 0
}

// time runs a command and takes its output away. What was written before is
// synced first, so that no process waits for another's.
func (b *bench) time(c *contender, copied int, heard *noise) (wall, cpu time.Duration, err error) {
	args := c.args
	if args[0] == b.program {
		args = append([]string{b.copies[copied]}, args[1:]...)
	}
	cmd, clean, err := b.command(args)
	if err != nil {
		return 0, 0, err
	}
	defer clean()
	cmd.Env = append(os.Environ(), c.env...)
	if err := exec.Command("sync").Run(); err != nil {
		return 0, 0, err
	}
	if err := b.chill(c.cold); err != nil {
		return 0, 0, err
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	before := processors()
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, output.Bytes())
	}
	wall = time.Since(start)
	cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	heard.hear(before, processors(), cpu)
	if !c.says {
		return wall, cpu, nil
	}
	taskWall, taskCPU, err := said(output.String())
	if err != nil || c.part.of == 0 {
		return taskWall, taskCPU, err
	}
	return c.part.whole(wall, taskWall), c.part.whole(cpu, taskCPU), nil
}

// A part is how much of its work a contender does.
type part struct {
	of, all int
	what    string // rows, files
}

// whole is what the work would take without the part: the start-up once, and the task
// as often as the part goes into the whole.
func (p part) whole(process, task time.Duration) time.Duration {
	return process - task + time.Duration(float64(task)*float64(p.all)/float64(p.of))
}

// said are the times of a contender that says them, in its last line.
func said(output string) (wall, cpu time.Duration, err error) {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	last := lines[len(lines)-1]
	var cpuSeconds, wallSeconds float64
	if _, err := fmt.Sscanf(last, "CPU %f wall %f", &cpuSeconds, &wallSeconds); err != nil {
		return 0, 0, fmt.Errorf("%q: %w", output, err)
	}
	return time.Duration(wallSeconds * 1e9), time.Duration(cpuSeconds * 1e9), nil
}

// command makes the command and a directory for its output.
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
