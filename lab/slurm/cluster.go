package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tfr-build/lab/engine"
)

// address is the address of the nodes. Slurm needs one outside of the loopback network; here it belongs to the
// loopback device of the network namespace.
const address = "10.99.0.1"

// nodes is the number of nodes in slurm.conf.
const nodes = 4

//go:embed slurm.conf
var slurmConf string

// A cluster is a controller and its nodes.
type cluster struct {
	dir string
}

// start starts the cluster and waits for its nodes.
func (c *cluster) start() error {
	if err := c.world(); err != nil {
		return err
	}
	conf := strings.NewReplacer("DIR", c.dir, "ADDRESS", address).Replace(slurmConf)
	files := map[string]string{"slurm.conf": conf, "cgroup.conf": "CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if err := os.Setenv("SLURM_CONF", filepath.Join(c.dir, "slurm.conf")); err != nil {
		return err
	}
	munge := filepath.Join(c.dir, "munge")
	if err := engine.Command("", "munged", "--key-file="+munge+"/key", "--socket="+munge+"/socket",
		"--pid-file="+munge+"/pid", "--log-file="+munge+"/log", "--seed-file="+munge+"/seed"); err != nil {
		return err
	}
	if err := engine.Command("", "slurmctld"); err != nil {
		return err
	}
	for i := range nodes {
		if err := c.startNode(i); err != nil {
			return err
		}
	}
	return c.await(nodes)
}

// world sets up an address and a name. It hides the machine's cgroups.
func (c *cluster) world() error {
	for _, dir := range []string{c.dir, filepath.Join(c.dir, "munge")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	hosts := filepath.Join(c.dir, "hosts")
	if err := os.WriteFile(hosts, []byte("127.0.0.1 localhost\n"+address+" controller\n"), 0o644); err != nil {
		return err
	}
	if err := engine.Command("", "sh", "-ec", `
chmod 711 `+filepath.Dir(c.dir)+" "+c.dir+" "+c.dir+`/munge
ip address add `+address+`/32 dev lo
hostname controller
mount --bind `+hosts+` /etc/hosts
mount -t tmpfs tmpfs /sys/fs/cgroup`); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.dir, "munge", "key"), []byte(strings.Repeat("not a secret ", 8)), 0o600)
}

// startNode starts the slurmd of a node.
func (c *cluster) startNode(i int) error {
	name := fmt.Sprint("node", i)
	if err := os.MkdirAll(filepath.Join(c.dir, "spool-"+name), 0o755); err != nil {
		return err
	}
	return engine.Command("", "slurmd", "-N", name)
}

// await waits until so many nodes can be used.
func (c *cluster) await(n int) error {
	for range 600 {
		out, err := exec.Command("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N").Output()
		if err == nil && len(strings.Fields(string(out))) == n {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, "slurmctld.log"))
	return fmt.Errorf("the nodes do not come up:\n%s", log)
}
