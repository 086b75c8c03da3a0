package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A job is what Slurm says of a task of an array, or of a single job.
type job struct {
	id, restarts int
	phase        string
	start, end   time.Time
}

// records is what jobs did, all together.
type records []job

// jobs asks Slurm about the jobs from a number on.
func jobs(first int) (records, error) {
	out, err := exec.Command("scontrol", "--oneliner", "show", "job").Output()
	if err != nil {
		return nil, err
	}
	var all records
	for line := range strings.Lines(string(out)) {
		j, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		if j.id >= first {
			all = append(all, j)
		}
	}
	return all, nil
}

// parse reads a line of scontrol. The job's name is its phase.
func parse(line string) (j job, err error) {
	for field := range strings.FieldsSeq(line) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "JobId":
			j.id, err = strconv.Atoi(value)
		case "JobName":
			j.phase = value
		case "Restarts":
			j.restarts, err = strconv.Atoi(value)
		case "StartTime":
			j.start, err = when(value)
		case "EndTime":
			j.end, err = when(value)
		}
		if err != nil {
			return j, err
		}
	}
	return j, nil
}

// when reads a time. A job that never began has none.
func when(text string) (time.Time, error) {
	if text == "Unknown" {
		return time.Time{}, nil
	}
	return time.Parse("2006-01-02T15:04:05", text)
}

// lastJob is the number of the last job that Slurm was given.
func lastJob() (int, error) {
	all, err := jobs(0)
	last := 0
	for _, j := range all {
		last = max(last, j.id)
	}
	return last, err
}

// requeued is how often Slurm put tasks back into the queue.
func (all records) requeued() int {
	n := 0
	for _, j := range all {
		n += j.restarts
	}
	return n
}

// String shows the number of tasks, how many of them were put back into the queue, how
// many the user had to give again, and the time from the first start to the last end
// of each phase and of all, in seconds, as Slurm has them.
func (all records) String() string {
	const once = 4 + 1 + 4 + 1 // tasks of the recipe
	text := fmt.Sprintf("%5d %8d %5d", len(all), all.requeued(), len(all)-once)
	for _, phase := range []string{"scan", "merge", "write", "commit", ""} {
		var began, ended time.Time
		for _, j := range all {
			if j.start.IsZero() || phase != "" && j.phase != phase {
				continue
			}
			if began.IsZero() || j.start.Before(began) {
				began = j.start
			}
			if j.end.After(ended) {
				ended = j.end
			}
		}
		text += fmt.Sprintf(" %5.0fs", ended.Sub(began).Seconds())
	}
	return text
}
