package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/pipeline"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew")

const goldenFile = "testdata/golden.txt"

// TestGoldenBytes guards the bytes of shards: a dataset of each kind of source,
// order and compression has the digest that it always had. When a change is
// meant, pipeline.BytesVersion is raised, and `make golden` writes the digests
// of the new version.
func TestGoldenBytes(t *testing.T) {
	lines := []string{fmt.Sprintf("bytes version %d", pipeline.BytesVersion)}
	for _, name := range []string{"penguins", "gsm8k", "photos", "tutorial"} {
		lines = append(lines, goldenLine(t, name, configFile(name)))
	}
	for i := range forms[:len(forms)-len(laterForms)] {
		f := &forms[i]
		if strings.HasPrefix(f.name, "images") {
			continue // the encoders of images, which make its input, may change
		}
		lines = append(lines, goldenLine(t, f.name, f.lay(t, t.TempDir(), 600)))
	}
	for _, name := range []string{"mnist", "reshard"} {
		lines = append(lines, goldenLine(t, name, configFile(name)))
	}
	for i := range photoForms {
		lines = append(lines, goldenLine(t, photoForms[i].name, photoForms[i].lay(t, t.TempDir(), 0)))
	}
	for i := range laterForms {
		lines = append(lines, goldenLine(t, laterForms[i].name, laterForms[i].lay(t, t.TempDir(), 600)))
	}
	got := strings.Join(lines, "\n") + "\n"
	want, err := os.ReadFile(goldenFile)
	if *update {
		err = writeGolden(string(want), got)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !*update && got != string(want) {
		t.Errorf("the bytes of shards have changed; now they are\n%s\nwhere they were\n%s", got, want)
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
