package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// torchFeatures are those of a dataset of Examples that PyTorch has types for: of
// uint64 it has no numbers beyond int64.
func torchFeatures() string {
	var kept strings.Builder
	for line := range strings.Lines(messageConfigs()["example"]) {
		if !strings.Contains(line, "uint64/ends") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// layTorch makes the datasets that torch_reader.py of testdata reads: all types, in each
// compression; a table in several shards; payloads; numbers that are too large.
func layTorch(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, "rows.jsonl", []byte(messageRows(20)))
	write(t, dir, "table.csv", csvOf(t, trips(100, 4), false))
	lines := "source: {jsonl: {files: rows.jsonl}}\norder: source\nshards: 2\n"
	for name, config := range map[string]string{
		"none":  lines + torchFeatures(),
		"gzip":  lines + "compression: gzip\n" + torchFeatures(),
		"zlib":  lines + "compression: zlib\n" + torchFeatures(),
		"table": "source: {csv: {files: table.csv, null_values: [NA]}}\nshards: 3\nsplit: train" + tripFeatures,
		"splits": "source: {csv: {files: table.csv, null_values: [NA]}}\nshards: 2\nsplit: {fractions: {train: 60%, " +
			"validation: 20%, test: 20%}}" + tripFeatures,
		"text":  lines + "record: {text: text}\n",
		"bytes": lines + "record: {bytes: text}\n",
		"large": lines + "features: {n: {from: ends.uint64, type: uint64, shape: [-1], raw: true}}\n",
	} {
		write(t, dir, name+".yaml", []byte("name: d\noutput: out\n"+config))
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, name), pipeline.Run{})
	}
	return dir
}

// TestTorchReader has the reader without TensorFlow read them with NumPy alone; the
// script holds every value against the rows.
func TestTorchReader(t *testing.T) {
	tftest.Run(t, filepath.Join("testdata", "torch_reader.py"), layTorch(t))
}

// TestPyTorch has PyTorch's DataLoader do so, too.
func TestPyTorch(t *testing.T) {
	cmd := exec.Command(tftest.Torch(t), filepath.Join("testdata", "torch_reader.py"), layTorch(t), "torch")
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
