// Slurm runs the recipe of docs/how-to/many-machines.md on a real Slurm: a controller and four nodes
// on this machine, each with a slurmd of its own. It disturbs the tasks, and compares
// the bytes with the dataset of one process.
//
//	go -C lab run ./slurm
//
// It is for root on Debian, whose packages it installs. The cluster lives apart from
// the machine, as package engine has it:
//
//	munged, slurmctld ◄─┬─ slurmd × 4 ─► slurmstepd ─► tfr-build task, one process per job
//	                    └─ the recipe
package main

import (
	"errors"
	"os/exec"
	"path/filepath"

	"tfr-build/lab/engine"
)

// rows is the size of the table: for tasks of a second or so.
const rows = 3_000_000

func main() { engine.Main("slurm", install, run) }

// install installs Slurm from Debian, and starts none of its services.
func install() error {
	if _, err := exec.LookPath("slurmctld"); err == nil {
		return nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("needs slurmctld, slurmd, and munge, or Debian's apt-get to install them")
	}
	return engine.Command("", "bash", "-c", `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap 'rm $policy' EXIT
	printf '#!/bin/sh\nexit 101\n' > $policy
	chmod +x $policy
fi
apt-get update -q > /dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	slurmctld slurmd slurm-client munge > /dev/null`)
}

// run starts the cluster and tries the recipe.
func run(dir string) error {
	data := filepath.Join(dir, "data")
	if err := engine.Prepare(data, rows); err != nil {
		return err
	}
	recipe, err := engine.Recipe("Slurm", "sh")
	if err != nil {
		return err
	}
	c := &cluster{dir: filepath.Join(dir, "cluster")}
	if err := c.start(); err != nil {
		return err
	}
	b := &build{data, recipe}
	return b.disturb(c)
}
