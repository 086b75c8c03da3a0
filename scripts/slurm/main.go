// Slurm runs the recipe of docs/scale.md on a real Slurm: a controller and four nodes
// on this machine, each with a slurmd of its own. It disturbs the tasks, and compares
// the bytes with those of one process.
//
//	go -C scripts run ./slurm
//
// It is for root on Debian, whose packages it installs. The cluster lives in
// namespaces of its own for processes, mounts, the network and the host's name:
//
//	slurm ─► unshare ─► bash ─► slurm ─┬─ munged, slurmctld, slurmd × 4
//	                    (pid 1)        └─ local build, recipe and fault, recipe and fault …
//
// Nobody else can reach it, and when the program ends, however it does, the kernel
// ends all that it started.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// isApart is set for the program when it runs in namespaces of its own. It is the
// folder in which it works.
const isApart = "SLURM_APART"

func main() {
	rows := flag.Int("rows", 3_000_000, "rows of the table that is built")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, *rows)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "slurm:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rows int) error {
	if dir := os.Getenv(isApart); dir != "" {
		return inside(dir, rows)
	}
	if err := install(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tfr-build-slurm")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Bash is the first process there, as it also waits for processes whose parent is
	// gone. Setpriv ends all of it with the thread that starts it, which has to stay.
	runtime.LockOSThread()
	args := append([]string{"--pdeathsig", "KILL", "unshare", "--mount", "--net", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc",
		"bash", "-c", `"$0" "$@"; exit $?`, self}, os.Args[1:]...)
	cmd := exec.CommandContext(ctx, "setpriv", args...)
	cmd.Env = append(os.Environ(), isApart+"="+dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// install installs Slurm from Debian, and starts none of its services.
func install() error {
	if _, err := exec.LookPath("slurmctld"); err == nil {
		return nil
	}
	return command("", "bash", "-c", `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap 'rm $policy' EXIT
	printf '#!/bin/sh\nexit 101\n' > $policy
	chmod +x $policy
fi
apt-get update -q > /dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends slurmctld slurmd slurm-client munge > /dev/null`)
}

// inside does everything else, in the namespaces.
func inside(dir string, rows int) error {
	bin := filepath.Join(dir, "bin")
	if err := command("..", "go", "build", "-o", bin+"/", "./cmd/tfr-build"); err != nil {
		return err
	}
	if err := os.Setenv("PATH", bin+":"+os.Getenv("PATH")); err != nil {
		return err
	}
	c := &cluster{dir: filepath.Join(dir, "cluster")}
	if err := c.start(); err != nil {
		return err
	}
	b, err := prepare(filepath.Join(dir, "data"), rows)
	if err != nil {
		return err
	}
	return b.disturb(c)
}

// command runs a program in a folder. What it says is seen.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
