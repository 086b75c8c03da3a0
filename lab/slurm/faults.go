package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tfr-build/lab/engine"
)

// A build is a dataset that is built again and again.
type build struct {
	dir    string // of the config, the tables and the datasets
	recipe string // of docs/how-to/many-machines.md
}

// A fault is what happens to one process of a phase while it runs. Where the recipe
// cannot go on by itself, it is given again, without what it begins with.
type fault struct {
	name  string
	phase string
	do    func(c *cluster, t *task) error
	again bool
}

var faults = []fault{
	{name: "nothing"},
	{name: "kill -9 of a scan", phase: "scan", do: killProcess},
	{name: "kill -9 of the merge", phase: "merge", do: killProcess},
	{name: "kill -9 of a write", phase: "write", do: killProcess},
	{name: "scontrol requeue of a write", phase: "write", do: requeue},
	{name: "scancel -s KILL of a write", phase: "write", do: cancel, again: true},
	{name: "a node with its write", phase: "write", do: killNode},
}

// A task is a running process of tfr-build.
type task struct {
	pid, job, node int
	name           string // of the job: the name of its array, and its index
}

// disturb builds the dataset once with each fault, and prints a line for each.
func (b *build) disturb(c *cluster) error {
	fmt.Printf("%-28s %5s %8s %5s %6s %6s %6s %6s %6s\n", "fault", "tasks", "requeued", "again", "scan",
		"merge", "write", "commit", "all")
	for _, f := range faults {
		all, err := b.try(c, f)
		if err == nil {
			err = engine.Compare(b.dir)
		}
		if err != nil {
			return fmt.Errorf("%s: %w%s", f.name, err, b.said())
		}
		fmt.Printf("%-28s %s\n", f.name, all)
		if f.do == nil && all.requeued() > 0 {
			fmt.Println("a task failed by itself:", b.said())
		}
	}
	fmt.Println("each dataset has the bytes of one process")
	return nil
}

// try builds the dataset, with a fault, and returns what Slurm says of it.
func (b *build) try(c *cluster, f fault) (records, error) {
	if err := c.await(nodes); err != nil {
		return nil, err
	}
	first, err := lastJob()
	if err != nil {
		return nil, err
	}
	cmd, err := b.start(b.recipe)
	if err != nil {
		return nil, err
	}
	if f.do != nil {
		t, err := await(f.phase)
		if err == nil {
			err = f.do(c, t)
		}
		if err != nil {
			return nil, errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
	}
	err = cmd.Wait()
	if f.again {
		if err == nil {
			return nil, errors.New("the recipe did not notice it")
		}
		if cmd, err = b.start(withoutPlan(b.recipe)); err == nil {
			err = cmd.Wait()
		}
	}
	if err != nil {
		return nil, err
	}
	return jobs(first + 1)
}

// withoutPlan is the recipe without its plan, which stays.
func withoutPlan(recipe string) string {
	var lines []string
	for line := range strings.Lines(recipe) {
		if !strings.HasPrefix(line, "rm ") && !strings.HasPrefix(line, "tfr-build task plan ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// start starts commands in the directory of the build, where tasks leave what they say.
func (b *build) start(commands string) (*exec.Cmd, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Stderr = b.dir, os.Stderr
	return cmd, cmd.Start()
}

// said is what the tasks said.
func (b *build) said() string {
	files, _ := filepath.Glob(filepath.Join(b.dir, "slurm-*.out"))
	var text strings.Builder
	for _, name := range files {
		if data, _ := os.ReadFile(name); len(data) > 0 {
			fmt.Fprintf(&text, "\n%s: %s", filepath.Base(name), data)
		}
	}
	return text.String()
}

// await waits for a process of a phase.
func await(phase string) (*task, error) {
	for range 12000 {
		files, err := filepath.Glob("/proc/[1-9]*/cmdline")
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			line, _ := os.ReadFile(name) // which may have ended
			if bytes.HasPrefix(line, []byte("tfr-build\x00task\x00"+phase+"\x00")) {
				return taskOf(name)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil, fmt.Errorf("there was no process of phase %s", phase)
}

// taskOf reads who a process is from its environment.
func taskOf(cmdline string) (*task, error) {
	dir := filepath.Dir(cmdline)
	environment, err := os.ReadFile(filepath.Join(dir, "environ"))
	if err != nil {
		return nil, err
	}
	var t task
	array, index := "", ""
	t.pid, _ = strconv.Atoi(filepath.Base(dir))
	for variable := range bytes.SplitSeq(environment, []byte{0}) {
		name, value, _ := strings.Cut(string(variable), "=")
		switch name {
		case "SLURM_JOB_ID":
			t.job, err = strconv.Atoi(value)
		case "SLURM_ARRAY_JOB_ID":
			array = value
		case "SLURM_ARRAY_TASK_ID":
			index = value
		case "SLURMD_NODENAME":
			t.node, err = strconv.Atoi(strings.TrimPrefix(value, "node"))
		}
		if err != nil {
			return nil, err
		}
	}
	if t.name = strconv.Itoa(t.job); array != "" {
		t.name = array + "_" + index
	}
	return &t, nil
}

// killProcess kills the process, as the kernel does when memory is short.
func killProcess(_ *cluster, t *task) error { return syscall.Kill(t.pid, syscall.SIGKILL) }

// requeue takes the job off its node, as a job of more importance does.
func requeue(_ *cluster, t *task) error {
	return engine.Command("", "scontrol", "requeue", t.name)
}

// cancel ends the job for good.
func cancel(_ *cluster, t *task) error {
	return engine.Command("", "scancel", "-s", "KILL", t.name)
}

// killNode kills all that a node runs, at once, and has it come back after a time in
// which the controller gave it up.
func killNode(c *cluster, t *task) error {
	node := fmt.Sprint("node", t.node)
	daemons, err := exec.Command("pgrep", "-f", fmt.Sprintf(`^slurmd -N %s|^slurmstepd: \[%d\.`, node, t.job)).Output()
	if err != nil {
		return err
	}
	// The daemons first, which would tell of the end of the others.
	for pid := range strings.FieldsSeq(string(daemons)) {
		err = errors.Join(err, kill(pid))
	}
	files, _ := filepath.Glob("/proc/[1-9]*/environ")
	for _, name := range files {
		environment, _ := os.ReadFile(name) // which may have ended
		if bytes.Contains(environment, []byte("SLURMD_NODENAME="+node+"\x00")) {
			err = errors.Join(err, kill(filepath.Base(filepath.Dir(name))))
		}
	}
	if err == nil {
		time.Sleep(20 * time.Second)
		err = c.startNode(t.node)
	}
	return err
}

// kill kills a process, if it is still there.
func kill(pid string) error {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return err
	}
	if err := syscall.Kill(n, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
