package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// TestNights runs the command of the crontab of docs/how-to/grow.md in five nights, as cron does, with a new file
// before each. The third night is killed until one of its runs is as good as done, and runs again. Each version keeps
// the shards of the one before, and the last has the content of a build of all files.
func TestNights(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	home := t.TempDir()
	work := filepath.Join(home, "work")
	command := ""
	for _, b := range blocksOf(t, "docs/how-to/grow.md") {
		if b.title != "" {
			testenv.Put(t, filepath.Join(work, b.title), b.text)
		}
		if b.language == "crontab" {
			command = strings.Join(strings.Fields(b.text)[5:], " ")
		}
	}
	program := testenv.Program(t)
	testenv.Put(t, filepath.Join(home, "bin/date"), "#!/bin/sh\ncat \"$HOME/today\"\n")
	if err := os.Chmod(filepath.Join(home, "bin/date"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(home, "bin/tfr-build")); err != nil {
		t.Fatal(err)
	}
	night := func(kill time.Duration) (killed bool) {
		t.Helper()
		var said strings.Builder
		cmd := exec.Command("/bin/sh", "-c", command)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "SHELL=/bin/sh"}
		cmd.Stdout, cmd.Stderr = &said, &said
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kill > 0 {
			time.AfterFunc(kill, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		}
		err := cmd.Wait()
		if kill == 0 && (err != nil || said.Len() > 0) {
			t.Fatalf("%v: %s", err, said.String())
		}
		return err != nil
	}
	before := map[string]string{} // digests of shards
	for n := 1; n <= 5; n++ {
		testenv.Put(t, filepath.Join(home, "today"), fmt.Sprintf("2026.11.%d\n", n))
		rows := "user,label\n"
		for i := range 100 {
			rows += fmt.Sprintf("u%d-%d,%s\n", n, i, []string{"cat", "dog"}[i%2])
		}
		testenv.Put(t, filepath.Join(work, fmt.Sprintf("clicks/2026-11-0%d.csv", n)), rows)
		for kill := 10 * time.Millisecond; n == 3 && night(kill); kill += kill / 2 {
		}
		night(0)
		versions := filepath.Join(work, "out/clicks")
		if now, err := os.Readlink(filepath.Join(versions, "current")); err != nil ||
			now != fmt.Sprintf("2026.11.%d", n) {
			t.Fatalf("night %d: current leads to %s, %v", n, now, err)
		}
		now := map[string]string{}
		for _, s := range manifest(t, filepath.Join(versions, "current")).Splits {
			for _, shard := range s.Shards {
				now[shard.Digest] = shard.Name
			}
		}
		for digest, name := range before {
			if now[digest] == "" {
				t.Errorf("night %d: the shard %s of the night before is gone", n, name)
			}
		}
		before = now
	}
	said := shell(t, work, "tfr-build verify --deep out/clicks/current; sed 's/^append.*//; s/^link.*//; s/^keep.*//; "+
		"s/clicks.{version}/all/' clicks.yaml > all.yaml; tfr-build all.yaml; tfr-build diff out/all "+
		"out/clicks/current || true; "+
		"ls out/clicks", "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "VERSION=1.0.0")
	for _, want := range []string{"records=500", "split \"train\": the content is equal",
		"split \"test\": the content is equal",
		"2026.11.3\n2026.11.4\n2026.11.5\ncurrent"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nwant %s", said, want)
		}
	}
}
