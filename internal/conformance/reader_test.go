package conformance

import (
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// TestReader has TensorFlow read what reader.py gives beyond one record after the
// other: batches, shuffled orders, images, and what Keras trains with.
func TestReader(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	write(t, dir, "table.csv", csvOf(t, trips(100, 4), false))
	write(t, dir, "rows.jsonl", []byte(messageRows(20)))
	write(t, dir, "table.yaml", []byte("name: table\noutput: out\nsource: {csv: {files: table.csv, null_values: [NA]}}\nshards: 3\nsplit: train"+
		strings.Replace(tripFeatures, "{classes: auto}", "{classes: {names: [CMT, DDS, VTS], first: 1}}", 1)))
	write(t, dir, "splits.yaml", []byte("name: splits\noutput: out\nsource: {csv: {files: table.csv, null_values: [NA]}}\nshards: 2\n"+
		"split: {fractions: {train: 60%, validation: 20%, test: 20%}}"+tripFeatures))
	write(t, dir, "few.csv", []byte("a,b,c\n1,2,x\n,3,y\n"))
	write(t, dir, "few.yaml", []byte("name: few\noutput: out\nsource: {csv: {files: few.csv}}\norder: source\n"+
		"features: {a: {type: int64, missing: omit, null_values: ['']}, b: uint8, c: {classes: [x, y]}}\n"))
	write(t, dir, "raw.yaml", []byte("name: raw\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\n"+
		"features: {id: int64, u: {from: i2, type: uint32, shape: [2, 3], raw: true}, poly: {type: float, shape: [-1, -1]}}\n"))
	formOf("images").lay(t, dir, 12)
	for _, name := range []string{"table", "splits", "raw", "few"} {
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, name), pipeline.Run{})
	}
	build(t, filepath.Join(dir, "dataset.yaml"), filepath.Join(dir, "images"), pipeline.Run{})
	tftest.Run(t, filepath.Join("testdata", "reader.py"), dir)
}
