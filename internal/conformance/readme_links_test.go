package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

func readmeText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadmeExitCodes holds the README's exit codes against the program's help.
func TestReadmeExitCodes(t *testing.T) {
	help, err := exec.Command(testenv.Program(t), "help", "exit-codes").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "exit codes:")
	want := exitCodes(regexp.MustCompile(`(?m)^  (\d[\d, ]*?)  `), list)
	_, section, _ := strings.Cut(readmeText(t), "### Exit codes")
	section, _, _ = strings.Cut(section, "\n## ")
	got := exitCodes(regexp.MustCompile(`(?m)^\| ([\d, ]+) \|`), section)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("the README has the exit codes %v, the program %v", got, want)
	}
}

func exitCodes(row *regexp.Regexp, text string) (codes []string) {
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		codes = append(codes, strings.Split(m[1], ", ")...)
	}
	return codes
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// TestReadmeLinks finds links of the README that lead nowhere.
func TestReadmeLinks(t *testing.T) {
	text := readmeText(t)
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		file, anchor, _ := strings.Cut(m[1], "#")
		in := text
		if file != "" {
			data, err := os.ReadFile(filepath.Join(project, file))
			if in = string(data); err != nil && !exists(filepath.Join(project, file)) {
				t.Errorf("no file %s", m[1])
			}
		}
		if anchor != "" && !slices.Contains(anchors(in), anchor) {
			t.Errorf("no heading for %s", m[1])
		}
	}
}

// inLinks is what becomes of a heading where it is linked.
var inLinks = strings.NewReplacer(" ", "-", ",", "", ".", "", "/", "", ":", "")

// anchors are what the headings of a text are linked by.
func anchors(text string) (list []string) {
	for line := range strings.Lines(text) {
		if title := strings.TrimLeft(strings.TrimSpace(line), "#"); title != strings.TrimSpace(line) {
			list = append(list, inLinks.Replace(strings.ToLower(strings.TrimSpace(title))))
		}
	}
	return list
}

var inline = regexp.MustCompile("`((?:make|tfr-build) [a-z ]+)`")

// TestReadmeInlineCommands runs the commands in the README's
// sentences; of make's, which do much, it is enough that they are known.
func TestReadmeInlineCommands(t *testing.T) {
	found := inline.FindAllStringSubmatch(readmeText(t), -1)
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
