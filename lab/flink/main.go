//go:build linux

// Command flink has tfr-beam build a dataset on a real Flink, loses a part of it in each
// further run, and compares the bytes with the dataset of tfr-build.
//
//	go run ./flink                        in lab; make flink builds the programs first
//	go run ./flink -answer                builds a small table once, and records the answer for TestAnswer
//
//	JobManager ── TaskManager ── worker (tfr-beam)      one network namespace, in which
//	     │   └─── TaskManager ── worker (tfr-beam)      there is nothing else
//	job server ── tfr-beam
//
// It installs what it needs, except Java, Maven, and Python, into the user's cache. It ends all processes that
// it starts.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// insideVar says that this process has a network namespace of its own.
const insideVar = "TFR_FLINK_INSIDE"

func main() {
	runtime.LockOSThread() // whose end is the end of the processes that it started
	programs := flag.String("programs", "../bin", "directory of tfr-build and tfr-beam")
	rows := flag.Int("rows", 3_000_000, "number of rows of the table")
	keep := flag.Bool("keep", false, "keep the directory with the logs")
	write := flag.Bool("answer", false, "build a small table once, and write "+answerFile)
	flag.Parse()
	if *write {
		*rows = answerRows
	}
	err := run(*programs, *rows, *keep, *write)
	if err != nil {
		fmt.Fprintf(os.Stderr, "flink: %v\n", err)
		os.Exit(1)
	}
}

func run(programs string, rows int, keep, write bool) error {
	if os.Getenv(insideVar) == "" {
		for _, name := range []string{"java", "mvn", "python3", "ip"} {
			if _, err := exec.LookPath(name); err != nil {
				return fmt.Errorf("needs %s: %w", name, err)
			}
		}
		if _, err := install(); err != nil {
			return err
		}
		return inside()
	}
	if err := exec.Command("ip", "link", "set", "lo", "up").Run(); err != nil {
		return fmt.Errorf("ip link set lo up: %w", err)
	}
	in, err := install()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "flink-*")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("logs:", dir)
	} else {
		defer func() { _ = os.RemoveAll(dir) }()
	}
	t, err := newTrial(dir, programs, rows)
	if err != nil {
		return err
	}
	memory := &sampler{named: map[int]string{}, peaks: map[string]int64{}}
	stop := make(chan struct{})
	defer close(stop)
	go memory.sample(stop)
	t.memory = memory
	t.cluster, err = newCluster(in, dir, memory)
	switch {
	case err != nil:
	case write:
		err = t.record("..")
	default:
		err = t.rounds()
	}
	if t.cluster != nil {
		err = errors.Join(err, t.cluster.end())
	}
	return err
}

// inside runs this program again, in a network namespace of its own: the job server takes
// programs to run from anybody who can reach it.
func inside() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), insideVar+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	err = cmd.Run()
	if errors.Is(err, syscall.EPERM) {
		return errors.New("needs root, or a kernel that lets users make namespaces: the cluster gets a network of " +
			"its own")
	}
	return err
}
