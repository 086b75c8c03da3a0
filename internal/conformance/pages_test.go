package conformance

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// ownTest are the pages below docs whose commands another test runs, with that test.
var ownTest = map[string]string{
	"docs/install.md":                "TestInstalledByGo, TestCompletionIsFound",
	"docs/how-to/engines.md":         "TestRecipes",
	"docs/how-to/many-machines.md":   "TestScale",
	"docs/how-to/convert-images.md":  "TestImagesOfTheGuide",
	"docs/how-to/read/readers.md":    "lab/consumers",
	"docs/tools/annotation-tools.md": "TestAnnotationTools",
}

// pages are the pages below docs.
func pages(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(project, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		name, err := filepath.Rel(project, path)
		list = append(list, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPages runs the commands of each page, one after another in one shell, in a
// directory with the project's configs and test data; a block with a title is a file. The
// skill for coding agents and CONTRIBUTING.md are such pages. A sample has every sixth of them.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	program := testenv.Program(t)
	for i, page := range append(pages(t), "skills/tfr-build/SKILL.md", "CONTRIBUTING.md") {
		if i%testenv.Times(6, 1, 1) != 0 {
			continue
		}
		blocks := blocksOf(t, page)
		runs := slices.ContainsFunc(blocks, func(b block) bool { return b.language == "sh" || b.title != "" })
		if !runs || ownTest[page] != "" {
			continue
		}
		parts := []string{"configs", "testdata"}
		if slices.ContainsFunc(blocks, func(b block) bool {
			return strings.Contains(b.text, "scripts/") || strings.Contains(b.text, "lab/")
		}) {
			parts = nil // all of it
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(page, "docs/"), ".md"), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dir := filepath.Join(home, "work")
			copyProject(t, dir, parts...)
			if err := os.MkdirAll(filepath.Join(home, "bin"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(program, filepath.Join(home, "bin", "tfr-build")); err != nil {
				t.Fatal(err)
			}
			runShell(t, dir, blocks, "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"))
			runCron(t, home, blocks)
			runPython(t, dir, blocks)
		})
	}
}

// runCron runs the commands of a crontab as cron does: by sh, with hardly an
// environment.
func runCron(t *testing.T, home string, blocks []block) {
	for i := range blocks {
		if blocks[i].language != "crontab" {
			continue
		}
		for line := range strings.Lines(blocks[i].text) {
			command := strings.Join(strings.Fields(line)[5:], " ")
			cmd := exec.Command("/bin/sh", "-c", command)
			cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "SHELL=/bin/sh"}
			output, err := cmd.CombinedOutput()
			if err != nil || len(output) > 0 {
				t.Errorf("%s: %v\n%s", command, err, output)
			}
		}
	}
}
