package simulation

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/pipeline/work"
)

// requireVar has the absence of strace be a failure.
const requireVar = "TFR_REQUIRE_STRACE"

// TestTasksLeaveOtherInputsAlone has a scan task touch no table but its own, and a write
// task none: the kernel says so.
func TestTasksLeaveOtherInputsAlone(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv(requireVar) == "1" {
			t.Fatal(err)
		}
		t.Skip("strace is not installed")
	}
	d := &dataset{t, t.TempDir()}
	row := strings.Repeat("1,word\n", 600)
	d.inputs("name: d\noutput: out\nsource: {csv: {files: in/*/*.csv}}\nfeatures: {id: int64, word: bytes}\nshards: "+
		"64\n", "id,word\n"+row, ".csv", 400, 0)
	d.task("plan")
	f := d.directory()
	p, err := work.ReadPlan(f)
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, piece := range p.Scans[0] {
		own = append(own, p.Listings[0].Paths[piece.File])
	}
	if !filepath.IsAbs(own[0]) {
		t.Errorf("%s is to be found from one working directory alone", own[0])
	}
	touched := d.touched("scan", fmt.Sprint(len(p.Scans)))
	slices.Sort(touched)
	if got := slices.Compact(touched); !slices.Equal(got, own) {
		t.Errorf("the first scan task looked at %q; its own are %q", got, own)
	}
	d.task("scan")
	d.task("merge")
	if list := d.touched("write", "32"); len(list) > 0 {
		t.Errorf("a write task looked at %d tables, such as %s", len(list), list[0])
	}
}

// touched does a task and lists the tables that it names to the kernel, again and again.
func (d *dataset) touched(phase string, args ...string) (list []string) {
	d.t.Helper()
	self, err := os.Executable()
	if err != nil {
		d.t.Fatal(err)
	}
	trace := filepath.Join(d.dir, "trace")
	cmd := exec.Command("strace", append([]string{"-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", trace, self},
		args...)...)
	cmd.Dir, cmd.Env = d.dir, append(os.Environ(), taskVar+"="+phase)
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v\n%s", phase, err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		for _, field := range strings.Split(line, `"`) {
			if strings.HasSuffix(field, ".csv") {
				list = append(list, field)
			}
		}
	}
	return list
}
