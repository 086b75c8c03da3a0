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

// TestTensorFlowReadsConfigs builds every config of the project, uncompressed
// and compressed, and has TensorFlow and TFDS read all of it; the script holds
// it against the sources.
func TestTensorFlowReadsConfigs(t *testing.T) {
	tftest.Python(t)
	tree, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	layImagenet(t, tree)
	root, err := filepath.Abs(project)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{root, tree}
	compressions := []string{"none", "gzip", "zlib"}
	for i := testenv.First(0, 3); i < len(compressions); i += testenv.Times(3, 3, 1) {
		compression := compressions[i]
		data := t.TempDir()
		args = append(args, data)
		for name := range configs {
			build(t, compressed(t, name, root, compression),
				filepath.Join(data, strings.ReplaceAll(name, "-", "_"), "1.0.0"), pipeline.Run{})
		}
	}
	build(t, filepath.Join(tree, "imagenet.yaml"), filepath.Join(args[2], "imagenet", "1.0.0"), pipeline.Run{})
	tftest.Run(t, filepath.Join("testdata", "datasets.py"), args...)
}

// compressed is a config of the project with another compression.
func compressed(t *testing.T, name, root, compression string) string {
	t.Helper()
	text, err := os.ReadFile(configFile(name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := strings.ReplaceAll(string(text), "../testdata", filepath.Join(root, "testdata"))
	write(t, dir, name+".yaml", []byte(config+"compression: "+compression+"\n"))
	return filepath.Join(dir, name+".yaml")
}
