package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// arrayForms are the forms of ArrayRecord files.
var arrayForms = []form{
	{"array_record", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nformat: array_record\nshards: 2\n" +
		foldSplit + tensorFeatures, digitFiles},
	{"array_record, zstd", "source: {jsonl: {files: 'in/*.jsonl'}}\nrecord: json\nformat: array_record\ncompression: " +
		"zstd\nsplit: {column: zone}\nshards: 2\n" + jsonFeatures, aTenthOf(jsonFiles)},
}

// TestArrayRecord has array_record's own reader, Grain, tfds.data_source and reader.py
// read datasets with both compressions, any record by its number; the script holds
// them against the sources. One has more shards than a split has records.
func TestArrayRecord(t *testing.T) {
	tftest.Python(t)
	root, err := filepath.Abs(project)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{root}
	for compression, names := range map[string][]string{"none": {"penguins", "photos"}, "zstd": {"penguins"}} {
		data := t.TempDir()
		args = append(args, data)
		for _, name := range names {
			build(t, arrayRecord(t, name, root, compression), filepath.Join(data, name, "1.0.0"), pipeline.Run{})
		}
	}
	tftest.Run(t, filepath.Join("testdata", "random_access.py"), args...)
}

// arrayRecord is a config of the project with ArrayRecord files.
func arrayRecord(t *testing.T, name, root, compression string) string {
	t.Helper()
	file := compressed(t, name, root, compression)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shards := "shards: {count: {train: 3, validation: 50, test: 1}}\n"
	if strings.Contains(string(text), "\nshards:") {
		shards = ""
	}
	write(t, filepath.Dir(file), filepath.Base(file), append(text, "format: array_record\n"+shards...))
	return file
}
