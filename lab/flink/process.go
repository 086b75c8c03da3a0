//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process is one that this program has started; it does not outlive it.
type process struct {
	name string
	cmd  *exec.Cmd
	log  string // the path of what it says
	over chan struct{}
}

// start starts a process that says what it says into dir/name.log.
func start(dir, name string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(dir, name+".log"), over: make(chan struct{})}
	to, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = to, to
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.over)
	}()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// kill ends a process as a loss of power does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.over
}

// end asks a process to end, and waits for it.
func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.over:
	case <-time.After(20 * time.Second):
		p.kill()
	}
}

// said waits until the log of a process has a string.
func (p *process) said(text string, patience time.Duration) error {
	err := p.waitFor(patience, func() bool {
		log, err := os.ReadFile(p.log)
		return err == nil && bytes.Contains(log, []byte(text))
	})
	if err != nil {
		err = fmt.Errorf("waiting for %q: %w", text, err)
	}
	return err
}

// waitFor polls until done returns true. It is an error if that takes longer than
// patience, or if the process ends first.
func (p *process) waitFor(patience time.Duration, done func() bool) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if done() {
			return nil
		}
		select {
		case <-p.over:
			return fmt.Errorf("%s has ended: look at %s", p.name, p.log)
		default:
		}
	}
	return fmt.Errorf("gave up after %v: look at %s", patience, p.log)
}

// A sampler notes how much memory processes take at most.
type sampler struct {
	mu    sync.Mutex
	named map[int]string   // by number
	peaks map[string]int64 // bytes, by name
}

// workers are the numbers of the worker processes.
func workers() (list []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if bytes.Contains(line, []byte("provision_endpoint=")) && bytes.Contains(line, []byte("tfr-beam")) {
			list = append(list, pid)
		}
	}
	return list
}

// sample looks at all processes until stop is closed.
func (s *sampler) sample(stop <-chan struct{}) {
	for {
		s.mu.Lock()
		for pid, name := range s.named {
			s.peaks[name] = max(s.peaks[name], peak(pid))
		}
		for _, pid := range workers() {
			s.peaks["worker"] = max(s.peaks["worker"], peak(pid))
		}
		s.mu.Unlock()
		select {
		case <-stop:
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// peak is the most that a process has had resident; 0 where it is gone.
func peak(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

func (s *sampler) watch(p *process, as string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.named[p.pid()] = as
}

// take returns the peaks, and forgets them.
func (s *sampler) take() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	peaks := s.peaks
	s.peaks = map[string]int64{}
	return peaks
}
