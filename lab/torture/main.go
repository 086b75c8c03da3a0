// Torture does to tfr-build what the world does to a job that runs unattended:
// it kills it, cuts its power, fills its disk, lies to it and gives it too much,
// and sees whether the dataset is what an undisturbed run makes.
//
//	go -C lab run ./torture
//	go -C lab run ./torture -only '^(kills|signals)$' -scale 0.01
//
// The program is the real one, and so are files, signals and disks. A group of
// trials prints a line of what it counted, and below it what was wrong. Trials
// are random; the same -seed gives the same ones, with other timing.
//
// As root on Linux it works in a mount namespace of its own: the disks that it
// mounts are seen by no one else, and go with it.
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"time"
)

// A torture is what all groups need.
type torture struct {
	program string // tfr-build
	dir     string // for inputs and outputs, temporary
	seed    uint64
	scale   float64
	only    *regexp.Regexp
	log     bool // failures as they come
}

func main() {
	var t torture
	only := flag.String("only", "", "run groups whose name matches this regular expression")
	flag.StringVar(&t.program, "program", "../bin/tfr-build", "the tfr-build to try")
	flag.StringVar(&t.dir, "dir", os.TempDir(), "where a directory for input and output is made")
	flag.Uint64Var(&t.seed, "seed", 1, "of the random trials")
	flag.Float64Var(&t.scale, "scale", 1, "do so many times the trials, and at least two")
	flag.BoolVar(&t.log, "v", false, "print failures as they come")
	flag.Parse()
	if err := apart(); err != nil {
		fmt.Fprintln(os.Stderr, "torture: no mount namespace:", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	failed, err := t.run(ctx, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// isApart is set for the program when it runs in a mount namespace of its own.
const isApart = "TORTURE_APART"

// apart starts the program again, in a mount namespace of its own.
func apart() error {
	if runtime.GOOS != "linux" || os.Getuid() != 0 || os.Getenv(isApart) != "" {
		return nil
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{unshare, "--mount", self}, os.Args[1:]...)
	return syscall.Exec(unshare, args, append(os.Environ(), isApart+"=1"))
}

func (t *torture) run(ctx context.Context, only string) (failed bool, err error) {
	if t.only, err = regexp.Compile(only); err != nil {
		return false, err
	}
	if t.program, err = filepath.Abs(t.program); err != nil {
		return false, err
	}
	if t.dir, err = os.MkdirTemp(t.dir, "torture"); err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(t.dir) }()
	fmt.Printf("%d CPUs, %s/%s, seed %d, scale %g\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, t.seed, t.scale)
	for _, g := range groups {
		if !t.only.MatchString(g.name) {
			continue
		}
		if why := g.lacks(); why != "" {
			fmt.Printf("%-10s skipped: needs %s\n", g.name, why)
			continue
		}
		started := time.Now()
		c := &count{log: t.log}
		err := g.run(t, ctx, c)
		c.print(g.name, time.Since(started))
		if err != nil {
			return true, fmt.Errorf("%s: %w", g.name, err)
		}
		failed = failed || len(c.failures) > 0
	}
	return failed, nil
}

// times is how often something is to be tried that is tried n times at full
// scale.
func (t *torture) times(n int) int { return max(2, int(float64(n)*t.scale)) }

// random gives the numbers of a group.
func (t *torture) random(group string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(group))
	return rand.New(rand.NewPCG(t.seed, h.Sum64()))
}
