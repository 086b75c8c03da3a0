// Package contributing tests what CONTRIBUTING.md and docs/development/architecture.md name: commands, commits, files,
// tests, and names of Go. The sh blocks run as tests of internal/conformance.
package contributing

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const project = "../.."

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(project, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLength keeps the page to one page.
func TestLength(t *testing.T) {
	if lines := strings.Count(page(t), "\n"); lines > 75 {
		t.Errorf("CONTRIBUTING.md has %d lines, at most 75 are fine", lines)
	}
}

var (
	makeTarget = regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)")
	script     = regexp.MustCompile("(?m)(?:^|`)((?:scripts/|[.]ci/)[a-z]+)")
	commit     = regexp.MustCompile("`([0-9a-f]{7,40})`")
)

// TestCommands checks that make knows each target, and that each script exists.
func TestCommands(t *testing.T) {
	text := page(t)
	targets, scripts := makeTarget.FindAllStringSubmatch(text, -1), script.FindAllStringSubmatch(text, -1)
	if len(targets) < 5 || len(scripts) < 2 {
		t.Errorf("found %d targets of make and %d scripts", len(targets), len(scripts))
	}
	for _, m := range targets {
		if out, err := exec.Command("make", "-C", project, "-n", m[1]).CombinedOutput(); err != nil {
			t.Errorf("make %s: %v\n%s", m[1], err, out)
		}
	}
	for _, m := range scripts {
		if _, err := os.Stat(filepath.Join(project, m[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestCommits checks that the history has each commit to copy from.
func TestCommits(t *testing.T) {
	found := commit.FindAllStringSubmatch(page(t), -1)
	if len(found) < 4 {
		t.Errorf("found %d commits", len(found))
	}
	for _, m := range found {
		if out, err := exec.Command("git", "-C", project, "merge-base", "--is-ancestor", m[1],
			"HEAD").CombinedOutput(); err != nil {
			t.Errorf("commit %s is not in the history: %v %s", m[1], err, out)
		}
	}
}
