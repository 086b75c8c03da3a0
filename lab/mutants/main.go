// Mutants takes the protections of tfr-build away, one at a time, and sees
// whether its tests notice.
//
//	go -C lab run ./mutants
//	go -C lab run ./mutants -only lock
//	go -C lab run ./mutants -share 3 -tested
//
// A mutant is a small change of a declaration, and the tests that have to fail with it. Without
// it they have to pass, which is checked first, unless -tested says that they have passed. The changes are made to
// copies of the project.
//
// A mutant is on the list if what it breaks harms silently and is expensive to find:
//
//   - durability: what is written is lost or damaged, or a build that was stopped does not go on
//   - identity: rows get other bytes, another order, or another ID; a row is lost or counted twice; data counts as
//     equal, complete, proven, or up to date that is not
//   - limits: large or hostile input takes memory or time beyond a bound
//   - secrets: a password or a path of the machine is printed or stored
//
// Messages, warnings, reports, and conversions of values have tests with their results, which fail when these change: a
// mutant of them would prove nothing more. So has the config that init writes: the mutants of init are those with
// which a dataset has fewer rows or values, or the images of other rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	only := flag.String("only", "", "run mutants whose name matches this regular expression")
	dir := flag.String("dir", "..", "the project")
	share := flag.Int("share", 1, "run one mutant in so many: others with each commit")
	atOnce := flag.Int("n", 2, "try so many at once")
	tested := flag.Bool("tested", false, "do not run the tests without mutants first: they have passed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	all, err := run(ctx, *dir, *only, *share, *atOnce, *tested)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !all {
		os.Exit(1)
	}
}

// run tries the mutants and reports whether all were found.
func run(ctx context.Context, project, only string, share, atOnce int, tested bool) (all bool, err error) {
	matches, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	list := slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return !matches.MatchString(m.name) })
	list = sample(ctx, project, list, max(share, 1))
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	started := time.Now()
	found, err := tryAll(ctx, project, work, list, atOnce, tested)
	fmt.Printf("%d of %d found (%.0f s)\n", found, len(list), time.Since(started).Seconds())
	return found == len(list), err
}

// sample returns one mutant in share. Which comes first depends on the number of
// commits, so that each is tried after a few; it is the first outside a repository.
func sample(ctx context.Context, project string, list []mutant, share int) (some []mutant) {
	out, _ := exec.CommandContext(ctx, "git", "-C", project, "rev-list", "--count", "HEAD").Output()
	commits, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	for i := commits % share; i < len(list); i += share {
		some = append(some, list[i])
	}
	return some
}

// tryAll tries the mutants in copies of the project, one for each of those that
// run at once, and says what came of each, in their order.
func tryAll(
	ctx context.Context, project, work string, list []mutant, atOnce int, tested bool,
) (found int, err error) {
	next := make(chan int)
	results := make([]chan result, len(list))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var trying sync.WaitGroup
	defer trying.Wait()
	var passed sync.Map
	for n := range atOnce {
		c := &specimen{dir: filepath.Join(work, fmt.Sprint(n)), tested: tested, passed: &passed}
		if err := copyProject(project, c.dir); err != nil {
			close(next)
			return 0, err
		}
		trying.Go(func() {
			for i := range next {
				results[i] <- c.try(ctx, &list[i])
			}
		})
	}
	go func() {
		defer close(next)
		for i := range list {
			next <- i
		}
	}()
	for i := range list {
		r := <-results[i]
		if r.found {
			found++
		}
		fmt.Printf("%2d  %-38s %-6s %5.1f s  %s\n", i+1, list[i].name, r.word(), r.took.Seconds(), r.text)
	}
	return found, ctx.Err()
}

// left is what a copy of the project does without.
var left = []string{".git", "bin", "data", "out", "example"}

func copyProject(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if slices.Contains(left, name) || e.IsDir() && strings.HasPrefix(name, ".") {
			continue
		}
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		if e.IsDir() {
			err = os.CopyFS(target, os.DirFS(source))
		} else {
			err = copyFile(source, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
