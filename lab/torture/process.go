package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// tooLong is after what time a run counts as hanging.
const tooLong = 2 * time.Minute

// A process is a run of a program.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	started        time.Time
	ended          chan struct{}
	cancel         context.CancelFunc
}

// An outcome is how a process ended.
type outcome struct {
	code           int            // -1 where a signal ended it
	signal         syscall.Signal // that ended it
	stdout, stderr string
	took           time.Duration
	memory         int64 // the most it had resident, or its parent when it was started
}

func (o *outcome) String() string {
	text := fmt.Sprintf("exit %d", o.code)
	if o.signal != 0 {
		text = "ended by " + o.signal.String()
	}
	return fmt.Sprintf("%s after %v: %s%s", text, o.took.Round(time.Millisecond), o.stdout, o.stderr)
}

// start starts a program, which the context ends.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, tooLong)
	return launch(exec.CommandContext(ctx, program, args...), cancel)
}

// launch starts a command that cancel ends.
func launch(cmd *exec.Cmd, cancel context.CancelFunc) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{}), cancel: cancel}
	cmd.Stdout, cmd.Stderr = &p.stdout, &p.stderr
	ownGroup(cmd)
	p.started = time.Now()
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // ProcessState tells
		close(p.ended)
	}()
	return p, nil
}

// ownGroup has a command end with all that it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// wait waits for the end.
func (p *process) wait() *outcome {
	<-p.ended
	p.cancel()
	o := &outcome{code: p.cmd.ProcessState.ExitCode(), stdout: p.stdout.String(), stderr: p.stderr.String(),
		took: time.Since(p.started)}
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.signal = status.Signal()
	}
	if usage, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.memory = usage.Maxrss << 10
	}
	return o
}

// signal sends a signal, unless the process has ended.
func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// pause waits until so much time has passed since the start, or the process has
// ended.
func (p *process) pause(d time.Duration) {
	select {
	case <-p.ended:
	case <-time.After(time.Until(p.started.Add(d))):
	}
}

// kill kills the process and reports whether it was still at work.
func (p *process) kill() bool {
	p.signal(syscall.SIGKILL)
	return p.wait().signal == syscall.SIGKILL
}

// run runs a program to its end.
func run(ctx context.Context, program string, args ...string) (*outcome, error) {
	p, err := start(ctx, program, args...)
	if err != nil {
		return nil, err
	}
	return p.wait(), ctx.Err()
}

// must runs a program that has to succeed.
func must(ctx context.Context, program string, args ...string) error {
	o, err := run(ctx, program, args...)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("%s %v: %v", program, args, o)
	}
	return err
}
