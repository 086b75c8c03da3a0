// Package engine has what the programs share that try the tasks on a real engine: a
// place apart from the rest of the machine, and a dataset whose bytes are compared.
//
//	program ─► setpriv ─► unshare ─► bash ─► program ─► daemons of the engine, tasks
//	                                (pid 1)
//
// The place has processes, mounts, a network and a host name of its own. Nobody else
// can reach what runs there, and when the program ends, however it does, the kernel
// ends all that it started.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// isApart is set for a program that runs apart: the directory in which it works.
const isApart = "TFR_ENGINE"

// Main runs a function in namespaces of its own, in a directory that is removed afterwards, and ends the
// program. tfr-build, built from the current source, is on the PATH of the function. Main starts in the
// directory lab.
func Main(name string, install func() error, run func(dir string) error) {
	var err error
	if dir := os.Getenv(isApart); dir != "" {
		err = run(dir)
	} else if os.Geteuid() != 0 {
		err = errors.New("needs root: the cluster gets processes, mounts, and a network of its own")
	} else if err = install(); err == nil {
		err = apart()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// apart starts the program again, in namespaces of its own.
func apart() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := os.MkdirTemp("", "tfr-build-engine")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bin := filepath.Join(dir, "bin")
	if err := Command("..", "go", "build", "-o", bin+"/", "./cmd/tfr-build"); err != nil {
		return err
	}
	// Bash is the first process there, as it also waits for processes whose parent is
	// gone. Setpriv ends all of it with the thread that starts it, which has to stay.
	runtime.LockOSThread()
	args := append([]string{"--pdeathsig", "KILL", "unshare", "--mount", "--net", "--pid", "--uts", "--fork",
		"--kill-child", "--mount-proc",
		"bash", "-c", `ip link set lo up; "$0" "$@"; exit $?`, self}, os.Args[1:]...)
	cmd := exec.CommandContext(ctx, "setpriv", args...)
	cmd.Env = append(os.Environ(), isApart+"="+dir, "PATH="+bin+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// Command runs a program in a directory. What it says is seen.
func Command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
