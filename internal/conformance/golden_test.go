package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew")

const goldenFile = "testdata/golden.txt"

// TestGoldenBytes guards the bytes of shards: a dataset of each kind of source,
// order and compression has the digest that it always had. When a change is
// meant, pipeline.BytesVersion is raised, and `make golden` writes the digests
// of the new version. A sample has every third dataset, and those with coordinates that follow
// images: it runs on other processors, too.
func TestGoldenBytes(t *testing.T) {
	lines := []string{fmt.Sprintf("bytes version %d", pipeline.BytesVersion)}
	n := 0
	add := func(name string, file func() string) {
		if n++; *update || n%testenv.Times(3, 1, 1) == 0 || strings.HasSuffix(name, "followed") {
			lines = append(lines, goldenLine(t, name, file()))
		}
	}
	addForm := func(f *form, rows int) { add(f.name, func() string { return f.lay(t, t.TempDir(), rows) }) }
	addConfig := func(name string) { add(name, func() string { return configFile(name) }) }
	for _, name := range []string{"penguins", "gsm8k", "photos", "tutorial"} {
		addConfig(name)
	}
	for i := range forms[:len(forms)-len(laterForms)] {
		f := &forms[i]
		if strings.HasPrefix(f.name, "images") {
			continue // the encoders of images, which make its input, may change
		}
		addForm(f, 600)
	}
	for _, name := range []string{"mnist", "reshard"} {
		addConfig(name)
	}
	for i := range photoForms {
		addForm(&photoForms[i], 0)
	}
	for i := range laterForms {
		addForm(&laterForms[i], 600)
	}
	got := strings.Join(lines, "\n") + "\n"
	want, err := os.ReadFile(goldenFile)
	if *update {
		err = writeGolden(string(want), got)
	}
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		return
	}
	if testenv.Exhaustive() && got != string(want) {
		t.Errorf("the bytes of shards have changed; now they are\n%s\nand they were\n%s\nRaise "+
			"pipeline.BytesVersion; then make golden writes %s", got, want, goldenFile)
	}
	for _, line := range lines {
		if !strings.Contains(string(want), line+"\n") {
			t.Errorf("%s does not have the line\n%s\nRaise pipeline.BytesVersion; then make golden writes it",
				goldenFile, line)
		}
	}
}

// writeGolden writes new digests, but no other ones for the same version.
func writeGolden(old, text string) error {
	version, lines, _ := strings.Cut(text, "\n")
	if before, ok := strings.CutPrefix(old, version+"\n"); ok && !strings.HasPrefix(lines, before) {
		return fmt.Errorf("%s: digests of %s have changed; raise pipeline.BytesVersion first", goldenFile, version)
	}
	return os.WriteFile(goldenFile, []byte(text), 0o644)
}

// goldenLine is the name of a dataset, its record counts, and a digest over
// its shards.
func goldenLine(t *testing.T, name, file string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	build(t, file, dir, pipeline.Run{})
	shards, counts := listing{}, ""
	all := list(t, dir)
	for _, split := range manifest(t, dir).Splits {
		counts += fmt.Sprintf(" %s=%d", split.Name, split.Records)
		for _, shard := range split.Shards {
			shards[shard.Name] = all[shard.Name]
		}
	}
	return fmt.Sprintf("%s:%s shards=%d %s", name, counts, len(shards), shards.digest())
}
