package conformance

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// valueForms have features whose values are changed while they are read.
var valueForms = []form{
	{"jsonl, lists of one length", "source: {jsonl: {files: 'in/*.jsonl'}}\nsplit: {column: zone}\nshards: 2\n" + paddedFeatures, jsonFiles},
	{"jsonl, vectors of classes", "source: {jsonl: {files: 'in/*.jsonl'}}\nsplit: {column: zone}\nshards: 2\nlimit: {north: 90}\n" + vectorFeatures, jsonFiles},
}

const paddedFeatures = `
features:
  id: int64
  tags: {type: string, shape: [2], pad: "", truncate: true}
  words: {from: tags, classes: auto, shape: [3], pad: none}
`

const vectorFeatures = `
features:
  id: int64
  tags: {classes: auto, multi_hot: true}
  some: {from: tags, type: float, classes: {names: [fox, dog, quick], unknown: -1}, multi_hot: true}
`

// A valueCase is a table and the values that its records have.
type valueCase struct {
	config string // without name and output
	input  string
	want   string              // a JSON object per record, in source order
	shapes map[string][]int    // of features in TFDS
	names  map[string][]string // CLASSES of reader.py
}

var valueCases = map[string]valueCase{
	"vectors": {
		config: "source: {csv: {files: vectors.txt}}\nfeatures:\n" +
			"  tags: {classes: [ant, cat, dog], separator: ' ', multi_hot: true}\n" +
			"  all: {from: tags, type: float, classes: auto, separator: ' ', multi_hot: true}\n" +
			"  some: {from: tags, classes: {names: [cat, dog], first: 1, unknown: 0}, separator: ' ', multi_hot: true}\n",
		input: "tags\ncat dog\ndog dog\n\"\"\nant\n",
		want: `[{"all": [0, 1, 1], "some": [1, 1], "tags": [0, 1, 1]}, {"all": [0, 0, 1], "some": [0, 1], "tags": [0, 0, 1]},
			{"all": [0, 0, 0], "some": [0, 0], "tags": [0, 0, 0]}, {"all": [1, 0, 0], "some": [0, 0], "tags": [1, 0, 0]}]`,
		shapes: map[string][]int{"tags": {3}, "all": {3}, "some": {2}},
		names:  map[string][]string{"tags": {"ant", "cat", "dog"}, "all": {"ant", "cat", "dog"}, "some": {"cat", "dog"}},
	},
	"padded": {
		config: "source: {csv: {files: padded.txt}}\nfeatures:\n" +
			"  ids: {type: int64, separator: ' ', shape: [3], pad: -1, truncate: true}\n" +
			"  tags: {classes: [none, cat, dog], separator: ' ', shape: [2], pad: none, missing: {default: dog}, null_values: [NA]}\n",
		input:  "ids,tags\n1 2,cat dog\n1 2 3 4,cat\n,\n7,NA\n",
		want:   `[{"ids": [1, 2, -1], "tags": [1, 2]}, {"ids": [1, 2, 3], "tags": [1, 0]}, {"ids": [-1, -1, -1], "tags": [0, 0]}, {"ids": [7, -1, -1], "tags": [2, 2]}]`,
		shapes: map[string][]int{"ids": {3}, "tags": {2}},
		names:  map[string][]string{"tags": {"none", "cat", "dog"}},
	},
}

// TestTensorFlowReadsValues has reader.py and TFDS read the values of each case.
func TestTensorFlowReadsValues(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	for name, c := range valueCases {
		write(t, dir, name+".txt", []byte(c.input))
		write(t, dir, name+".yaml", []byte("name: "+name+"\noutput: out\norder: source\n"+c.config))
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, "data", name, "1.0.0"), pipeline.Run{})
		want, err := json.Marshal(map[string]any{"rows": json.RawMessage(c.want), "shapes": c.shapes, "names": c.names})
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "data/"+name+".json", want)
	}
	tftest.Run(t, filepath.Join("testdata", "values.py"), filepath.Join(dir, "data"))
}
