package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"time"
)

const mib = 1 << 20

// memory compares the most memory that a run has, beyond the mapped input, with
// what the program says of itself: 32 MiB, 4 MiB a worker, and 12 bytes a row,
// or -memory where rows are spilled; of images that are converted, 12 bytes a worker for
// each pixel of the largest.
func (b *bench) memory() error {
	if runtime.GOOS != "linux" {
		fmt.Println("\nmemory: only Linux tells it")
		return nil
	}
	if err := b.makeTable("table", b.rows); err != nil {
		return err
	}
	if err := b.makeTable("large", 10*b.rows); err != nil {
		return err
	}
	if err := b.makePhotos(); err != nil {
		return err
	}
	if err := b.makePictureTree(); err != nil {
		return err
	}
	largest, _, err := b.measurePictures()
	if err != nil {
		return err
	}
	fmt.Printf("\n%-36s %8s %8s\n", "memory beyond the mapped input, MiB", "most", "limit")
	const workers = 2
	base := int64(32+4*workers) * mib
	rows := int64(b.rows)
	for _, c := range []struct {
		name   string
		run    contender
		mapped string
		limit  int64
	}{
		{"CSV", b.ours("", "csv.yaml", "-memory", "100GB"), "table.csv", base + 12*rows},
		{"JSONL", b.ours("", "jsonl.yaml", "-memory", "100GB"), "table.jsonl", base + 12*rows},
		{"CSV, ten times the rows", b.ours("", "large.yaml", "-memory", "100GB"), "large.csv", base + 120*rows},
		{"CSV, --memory 32MB", b.ours("", "csv.yaml", "-memory", "32MB"), "", base + 32_000_000},
		{"CSV, ten times, --memory 32MB", b.ours("", "large.yaml", "-memory", "32MB"), "", base + 32_000_000},
		{"10,000 JPEG files", b.ours("", "photos.yaml"), "", base + 12*10_000},
		{"10,000 photos to 224 x 224", b.ours("", b.pictureTree()+"-area.yaml"), "",
			base + 12*10_000 + 12*workers*(largest+224*224)},
	} {
		args := append(c.run.args, "-sync=false", "-workers", strconv.Itoa(workers))
		most, err := b.peak(args)
		if err != nil {
			return err
		}
		if c.mapped != "" {
			info, err := os.Stat(b.path(c.mapped))
			if err != nil {
				return err
			}
			most -= info.Size()
		}
		fmt.Printf("  %-34s %8.1f %8.1f%s\n", c.name, float64(most)/mib, float64(c.limit)/mib, missed(most <= c.limit))
	}
	return nil
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peak runs a command and returns the most memory that the kernel counted for
// it; the count goes with the process, so it is read all the time.
func (b *bench) peak(args []string) (most int64, err error) {
	cmd, clean, err := b.command(args)
	if err != nil {
		return 0, err
	}
	defer clean()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return most, err
		case <-time.After(time.Millisecond):
			most = max(most, readHighWater(cmd))
		}
	}
}

func readHighWater(cmd *exec.Cmd) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	m := highWater.FindSubmatch(status)
	if m == nil {
		return 0 // it has ended
	}
	kib, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10
}
