package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// TestAnnotationTools runs docs/tools/annotation-tools.md on an export of each tool, and compares what the readers
// return with the exports as Python parses them. The regions of VIA 1 are an object, and make the same shards.
func TestAnnotationTools(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	home, program := t.TempDir(), testenv.Program(t)
	dir, bin := filepath.Join(home, "work"), filepath.Join(home, "bin")
	copyProject(t, dir, "testdata")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "tfr-build")); err != nil {
		t.Fatal(err)
	}
	blocks := blocksOf(t, "docs/tools/annotation-tools.md")
	runShell(t, dir, blocks, "PATH="+bin+":"+os.Getenv("PATH"))

	const script = "testdata/annotation_tools.py"
	tftest.Run(t, script, "first", dir)
	config, err := os.ReadFile(filepath.Join(dir, "via.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "via1.yaml", []byte(strings.ReplaceAll(string(config), "via/via.json", "via/via1.json")))
	build(t, filepath.Join(dir, "via1.yaml"), filepath.Join(dir, "out", "via1"), pipeline.Run{})
	var shards []string
	for _, name := range []string{"via", "via1"} {
		shard, err := os.ReadFile(filepath.Join(dir, "out", name, "train-00000-of-00001"))
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, string(shard))
	}
	if shards[0] != shards[1] {
		t.Error("VIA 1 and VIA 2: other bytes")
	}
	tftest.Run(t, script, "check", dir)
	runPython(t, dir, blocks)
}
