package header_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

var update = flag.Bool("update", false, "write testdata/verdicts.golden afresh")

// describe formats metadata like the golden file.
func describe(f header.Info) string {
	return fmt.Sprintf("%v %dx%d %d %s %d", f.Format, f.Width, f.Height, f.Channels, f.Colorspace, f.Orientation)
}

// readGolden reads a file of lines `name TAB text`.
func readGolden(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		file, text, _ := strings.Cut(s.Text(), "\t")
		golden[file] = text
	}
	return golden
}

// TestInfo compares the metadata of every image with Pillow's.
func TestInfo(t *testing.T) {
	golden := readGolden(t, "facts.golden")
	excused := map[string]bool{}
	for _, s := range imagetest.All(t) {
		if strings.HasPrefix(s.Name, "go-fuzz-corpus/") {
			continue
		}
		pillow, ok := golden[s.Name]
		if !ok {
			t.Errorf("%s: not in facts.golden", s.Name)
			continue
		}
		delete(golden, s.Name)
		f, err := header.Read(s.Data, header.Limits{})
		got := describe(f)
		if err != nil {
			if got += " " + code(err); code(err) != "IMG_UNSUPPORTED" {
				got = code(err) // only then the facts are complete
			}
		}
		if e, ok := differences[s.Name]; ok {
			excused[s.Name] = true
			if pillow != e.pillow || got != e.ours {
				t.Errorf("%s:\nPillow %q, want %q\n  ours %q, want %q", s.Name, pillow, e.pillow, got, e.ours)
			}
			continue
		}
		if strings.HasPrefix(pillow, "refused ") {
			if err == nil {
				t.Errorf("%s: %s; Pillow %s", s.Name, got, pillow)
			}
			continue
		}
		if got != pillow {
			t.Errorf("%s: %s (%v), want %s", s.Name, got, err, pillow)
		}
	}
	for name := range golden {
		t.Errorf("%s: in facts.golden and in no corpus", name)
	}
	for name := range differences {
		if !excused[name] {
			t.Errorf("%s: a difference that was not met", name)
		}
	}
}

func code(err error) string {
	if e, ok := err.(*header.Error); ok {
		return e.Code
	}
	return fmt.Sprintf("%T", err)
}

// verdict runs one check, and returns its result.
func verdict(data []byte, c header.Check) string {
	f, err := header.Read(data, header.Limits{Pixels: 1 << 22})
	if err == nil {
		err = f.Verify(data, c)
	}
	if err != nil {
		return code(err)
	}
	words := []string{"ok"}
	for w := range f.Warnings.All() {
		words = append(words, w.Code())
	}
	return strings.Join(words, "+")
}

// TestResultsOfCorpora compares the results for every file of every corpus with a golden file, after the
// header check and after the structure check.
func TestResultsOfCorpora(t *testing.T) {
	golden := filepath.Join("testdata", "verdicts.golden")
	var lines []string
	for _, s := range imagetest.All(t) {
		lines = append(lines, fmt.Sprintf("%s\t%s %s\n", s.Name, verdict(s.Data, header.Header),
			verdict(s.Data, header.Structure)))
	}
	slices.Sort(lines)
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := readGolden(t, "verdicts.golden")
	for _, line := range lines {
		name, got, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got != want[name] {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s: in verdicts.golden and in no corpus", name)
	}
	if t.Failed() {
		t.Log("go test ./pixels/header -update writes verdicts.golden")
	}
}
