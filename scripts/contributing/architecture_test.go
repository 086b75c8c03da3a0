package contributing

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// a path in code; one without a directory is next to the path before it on its line
	codePath = regexp.MustCompile("`([a-z0-9_*/-]+(?:\\.(?:go|md|html|css|txt|txtar|yml))?)`")
	testName = regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z]+)`")
	goName   = regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]+)(?:\\.[A-Za-z]+)*`")
)

// TestArchitecture checks that the files, tests, and names of Go that the page of the architecture names exist, and
// that it can be read in a quarter of an hour.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(project, "docs", "development", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(text))); n > 3000 {
		t.Errorf("the page has %d words, at most 3000 are fine", n)
	}
	inCode := func(pattern string, under ...string) bool {
		args := append([]string{"-C", project, "grep", "-qE", pattern, "--"}, under...)
		return exec.Command("git", args...).Run() == nil
	}
	paths, names := 0, 0
	for line := range strings.Lines(string(text)) {
		dir := ""
		for _, m := range codePath.FindAllStringSubmatch(line, -1) {
			name := m[1]
			if !strings.Contains(name, "/") {
				if filepath.Ext(name) == "" || dir == "" {
					continue // a word, or a name that is a file of another kind
				}
				name = dir + "/" + name
			}
			found, err := filepath.Glob(filepath.Join(project, name))
			if err != nil || len(found) == 0 {
				t.Errorf("%s does not exist: %s", name, line)
				continue
			}
			paths++
			if dir = filepath.Dir(name); filepath.Ext(name) == "" {
				dir = name
			}
		}
		for _, m := range testName.FindAllStringSubmatch(line, -1) {
			if names++; !inCode(`^func `+m[1]+`\(`, "*_test.go") {
				t.Errorf("no test is called %s", m[1])
			}
		}
		for _, m := range goName.FindAllStringSubmatch(line, -1) {
			if names++; !inCode(`^(func|type|var|const|	)( \([a-z]+ [^)]*\))? ?`+m[2]+`\>`, "*/"+m[1]+"/*.go",
				m[1]+"/*.go") {
				t.Errorf("package %s has no %s", m[1], m[2])
			}
		}
	}
	if paths < 60 || names < 40 {
		t.Errorf("found %d paths, %d names", paths, names)
	}
}
