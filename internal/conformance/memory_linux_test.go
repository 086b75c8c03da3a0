package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// TestMemory holds the binary against what it says of its memory: beyond the
// mapped input, 32 MiB, 4 MiB and twice the largest record a worker, and 12
// bytes a row; where rows are spilled, -memory instead of the 12 bytes a row.
func TestMemory(t *testing.T) {
	const mib = 1 << 20
	rows := 4 * manyRows()
	dir := t.TempDir()
	write(t, dir, "in/a.csv", csvOf(t, trips(rows, 1), false))
	file := formOf("csv").configure(t, dir, "dataset.yaml", "")
	info, err := os.Stat(filepath.Join(dir, "in", "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		mapped int64
		limit  int64
	}{
		{"mapped", []string{"-memory", "4GB", "-workers", "2"}, info.Size(), (32+2*4)*mib + 12*int64(rows)},
		{"mapped, 8 workers", []string{"-memory", "4GB", "-workers", "8"}, info.Size(), (32+8*4)*mib + 12*int64(rows)},
		{"spill", []string{"-memory", "16MB", "-workers", "2"}, 0, (32+2*4)*mib + 16_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"-config", file, "-output", filepath.Join(t.TempDir(), "out")}, c.args...)
			peak := peakMemory(t, exec.Command(testenv.Program(t), args...)) - c.mapped
			t.Logf("%d rows, %.1f MB: %.1f MB of memory beyond the mapped input", rows, megabytes(info.Size()), megabytes(peak))
			if peak > c.limit {
				t.Errorf("%.1f MB of memory, want at most %.1f", megabytes(peak), megabytes(c.limit))
			}
		})
	}
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peakMemory runs a command and returns the most memory that it had. The
// kernel's count is read again and again while the command runs, for it is
// gone with the process.
func peakMemory(t *testing.T, cmd *exec.Cmd) int64 {
	t.Helper()
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var peak int64
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, output.String())
			}
			return peak
		case <-time.After(time.Millisecond):
			peak = max(peak, readHighWater(cmd.Process.Pid))
		}
	}
}

// readHighWater is 0 when the process has just ended.
func readHighWater(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := highWater.FindSubmatch(status)
	if m == nil {
		return 0
	}
	kib, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10
}
