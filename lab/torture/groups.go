package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A group is a kind of trials.
type group struct {
	name  string
	mount bool     // it mounts disks
	tools []string // programs that it runs
	run   func(t *torture, ctx context.Context, c *count) error
}

var groups = []group{
	{name: "memory", run: (*torture).memory}, // first: while this program itself is small
	{name: "kills", run: (*torture).kills},
	{name: "chains", run: (*torture).chains},
	{name: "powerloss", mount: true, tools: []string{"mkfs.ext4", "mount", "umount"}, run: (*torture).powerLoss},
	{name: "strace", tools: []string{"strace"}, run: (*torture).strace},
	{name: "tmpfs", mount: true, tools: []string{"mount", "umount"}, run: (*torture).fullDisk},
	{name: "signals", run: (*torture).signals},
	{name: "races", run: (*torture).races},
	{name: "observer", run: (*torture).observe},
	{name: "tests", tools: []string{"go"}, run: (*torture).tests},
	{name: "fuzz", tools: []string{"go", "bash"}, run: (*torture).fuzz},
}

// lacks says what a group needs and does not find.
func (g *group) lacks() string {
	var list []string
	if g.mount && os.Getenv(isApart) == "" {
		list = append(list, "root and a mount namespace, for disks of its own")
	}
	if (g.mount || len(g.tools) > 0 && g.tools[0] == "strace") && runtime.GOOS != "linux" {
		list = append(list, "Linux")
	}
	for _, tool := range g.tools {
		if _, err := exec.LookPath(tool); err != nil {
			list = append(list, tool)
		}
	}
	return strings.Join(list, " and ")
}
