package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// pageText is the text of a file of the project.
func pageText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestExitCodes compares the exit codes of their page with the program's help.
func TestExitCodes(t *testing.T) {
	help, err := exec.Command(testenv.Program(t), "help", "exit-codes").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "exit codes:")
	want := exitCodes(regexp.MustCompile(`(?m)^  (\d[\d, ]*?)  `), list)
	const page = "docs/reference/exit-codes.md"
	got := exitCodes(regexp.MustCompile(`(?m)^\| ([\d, ]+) \|`), pageText(t, page))
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s has the exit codes %v, the program %v", page, got, want)
	}
}

func exitCodes(row *regexp.Regexp, text string) (codes []string) {
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		codes = append(codes, strings.Split(m[1], ", ")...)
	}
	return codes
}

var (
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fencedCode = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode = regexp.MustCompile("`[^`\n]*`")
)

// TestReadmeIsShort keeps the README at a length that people read: the rest is in docs.
func TestReadmeIsShort(t *testing.T) {
	if lines := strings.Count(pageText(t, "README.md"), "\n"); lines > 220 {
		t.Errorf("the README has %d lines, at most 220 are fine", lines)
	}
}

// TestLinks finds links within the project that lead nowhere, in the README, in the pages
// and in the other texts of the project, with their anchors.
func TestLinks(t *testing.T) {
	found := 0
	for _, page := range append(pages(t), "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md") {
		text := inlineCode.ReplaceAllString(fencedCode.ReplaceAllString(pageText(t, page), ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			found++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = path.Join(path.Dir(page), file)
			}
			switch {
			case target == "docs/sample-report.html": // scripts/docs makes it
			case !exists(filepath.Join(project, filepath.FromSlash(target))):
				t.Errorf("%s: no file %s", page, m[1])
			case anchor != "" && !slices.Contains(anchors(pageText(t, target)), anchor):
				t.Errorf("%s: no heading for %s", page, m[1])
			}
		}
	}
	if found < 400 {
		t.Errorf("found %d links", found)
	}
}

var (
	notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}\-_ ]`)
	idOfAnchor   = regexp.MustCompile(`<a id="([^"]+)">`)
)

// anchors are the anchors of a text: its own, and those of its headings as GitHub and the
// site make them.
func anchors(text string) (list []string) {
	seen := map[string]int{}
	for line := range strings.Lines(fencedCode.ReplaceAllString(text, "")) {
		title, isHeading := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(line), "#"), " ")
		if !isHeading || !strings.HasPrefix(line, "#") {
			continue
		}
		anchor := strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		if seen[anchor]++; seen[anchor] > 1 {
			anchor += fmt.Sprintf("-%d", seen[anchor]-1)
		}
		list = append(list, anchor)
	}
	for _, m := range idOfAnchor.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

var inline = regexp.MustCompile("`((?:make|tfr-build) [a-z ]+)`")

// TestReadmeInlineCommands runs the commands in the README's
// sentences; of make's, which do much, it is enough that they are known.
func TestReadmeInlineCommands(t *testing.T) {
	found := inline.FindAllStringSubmatch(pageText(t, "README.md"), -1)
	if len(found) == 0 {
		t.Error("no command was found")
	}
	for _, m := range found {
		args := strings.Fields(m[1])
		if args[0] == "make" {
			args = append([]string{"make", "-n"}, args[1:]...)
		} else {
			args[0] = testenv.Program(t)
		}
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = project
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", m[1], err, output)
		}
	}
}
