package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// TestIndexes compares the indexes of a dataset with those of vahidk's tool: of records of
// many blocks, of such that are written in pieces, and of a shard without any; however many
// workers write, and in directories.
func TestIndexes(t *testing.T) {
	dir := t.TempDir()
	var rows bytes.Buffer
	rows.WriteString("id,text\n")
	for i := range 60_000 {
		rows.WriteString(strings.Repeat("7", 1+i%9) + ",x\n")
	}
	rows.WriteString("1," + strings.Repeat("y", 3<<20) + "\n2,z\n")
	write(t, dir, "a.csv", rows.Bytes())
	config := func(name, filename string) string {
		write(t, dir, name, []byte("name: d\noutput: out\nsource: {csv: {files: a.csv}}\nindex: true\norder: "+
			"source\nsplit: {fractions: {train: 99.9999%, none: 0.0001%}}\n"+
			"shards: {count: {train: 2, none: 1}, filename: '"+filename+"'}\nfeatures: {id: int64, text: string}\n"))
		return filepath.Join(dir, name)
	}
	flat := config("flat.yaml", "{SPLIT}-{SHARD_X_OF_Y}")
	build(t, flat, filepath.Join(dir, "one"), pipeline.Run{Workers: 1})
	build(t, flat, filepath.Join(dir, "many"), pipeline.Run{Workers: 4})
	sameFiles(t, list(t, filepath.Join(dir, "one")), filepath.Join(dir, "many"), "by 4 workers")
	build(t, config("folders.yaml", "split={SPLIT}/{SHARD_X_OF_Y}"), filepath.Join(dir, "folders"),
		pipeline.Run{Workers: 2})
	for _, shard := range []string{"one/train-00000-of-00002", "one/train-00001-of-00002", "one/none-00000-of-00001",
		"folders/split=train/00001-of-00002"} {
		out, name, _ := strings.Cut(shard, "/")
		want := filepath.Join(dir, "index")
		tftest.Run(t, "testdata/index.py", filepath.Join(dir, shard), want)
		expected, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, out, "_tfr", "index", name+".idx"))
		if err != nil || !bytes.Equal(got, expected) || strings.Contains(name, "train") && len(got) < 100_000 {
			t.Errorf("%s: an index of %d bytes, %v; want %d", shard, len(got), err, len(expected))
		}
	}
}
