package dataset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/framing"
	"tfr-build/internal/tftest"
	"tfr-build/schema"
)

// A described feature is the description of a feature for messages.py: how it is stored, and its type
// in TFDS.
type described struct {
	Key       string `json:"key"`
	Type      string `json:"type"`
	Shape     []int  `json:"shape"`
	Tensor    bool   `json:"tensor"`
	Raw       bool   `json:"raw"`
	Omit      bool   `json:"omit"`
	Connector string `json:"connector"`
}

func describeStored(features []schema.Feature, connectors map[string]string) []described {
	list := []described{}
	for _, f := range features {
		list = append(list, described{
			f.Key, f.Type.String(), append([]int{}, f.Shape...), f.Tensor, f.Raw, f.OnMissing == schema.MissingOmit,
			connectors[f.Key],
		})
	}
	return list
}

var numberTypes = []schema.Type{
	schema.Int64, schema.Int8, schema.Int16, schema.Int32, schema.Uint8, schema.Uint16, schema.Uint32, schema.Uint64,
	schema.BoolType, schema.Float, schema.Float64, schema.Float16, schema.Bfloat16,
}

// newForms are the features that conformanceFields has not, by key, and what TFDS
// takes each for.
func newForms() (features []schema.Feature, connectors map[string]string) {
	connectors = map[string]string{}
	add := func(connector string, f schema.Feature) {
		if !strings.Contains(connector, "(") { // a dtype
			connector = "Tensor(shape=(), dtype=" + connector + ")"
		}
		features, connectors[f.Key] = append(features, f), connector
	}
	const omit = schema.MissingOmit
	for _, t := range numberTypes {
		name, dtype := t.String(), t.Dtype()
		fixed, variable := "Tensor(shape=(2, 3), dtype="+dtype+")", "Tensor(shape=(None, 3), dtype="+dtype+")"
		scalar := dtype
		if t == schema.Uint32 { // which TFDS cannot decode
			fixed, variable, scalar = "string", "string", "string"
		}
		add(scalar, schema.Feature{Key: "raw/one/" + name, Type: t, Raw: true})
		add(fixed, schema.Feature{Key: "raw/fixed/" + name, Type: t, Shape: []int{2, 3}, Raw: true})
		add(variable, schema.Feature{Key: "raw/any/" + name, Type: t, Shape: []int{-1, 3}, Raw: true})
		add("string", schema.Feature{Key: "tensor/one/" + name, Type: t, Tensor: true})
		add("string", schema.Feature{Key: "tensor/fixed/" + name, Type: t, Shape: []int{2, 3}, Tensor: true})
		add("string", schema.Feature{Key: "tensor/any/" + name, Type: t, Shape: []int{-1, 3}, Tensor: true})
		if t == schema.Float16 || t == schema.Bfloat16 {
			continue
		}
		if t == schema.Float64 {
			dtype = "float32"
		}
		add("Sequence(Sequence("+dtype+"))", schema.Feature{Key: "ragged/" + name, Type: t, Shape: []int{-1, -1}})
	}
	for _, f := range []struct {
		connector string
		schema.Feature
	}{
		{"string", schema.Feature{Key: "raw/maybe", Type: schema.Uint8, Shape: []int{4}, Raw: true, OnMissing: omit}},
		{"string", schema.Feature{Key: "tensor/maybe", Type: schema.Float, Shape: []int{2}, Tensor: true,
			OnMissing: omit}},
		{"string", schema.Feature{Key: "tensor/string", Type: schema.StringType, Shape: []int{-1}, Tensor: true}},
		{"string", schema.Feature{Key: "tensor/cube", Type: schema.BytesType, Shape: []int{1, 2, 1, 2}, Tensor: true}},
		{"Sequence(Sequence(Sequence(uint8)))", schema.Feature{Key: "ragged/deep", Type: schema.Uint8,
			Shape: []int{-1, -1, -1}}},
		{"Sequence(Sequence(Tensor(shape=(2, 2), dtype=float32)))",
			schema.Feature{Key: "ragged/inner", Type: schema.Float, Shape: []int{-1, -1, 2, 2}}},
		{"Sequence(Sequence(string))", schema.Feature{Key: "ragged/string", Type: schema.StringType,
			Shape: []int{-1, -1}}},
		{"Sequence(Sequence(int64))", schema.Feature{Key: "ragged/maybe", Type: schema.Int64, Shape: []int{-1, -1},
			OnMissing: omit}},
		{"Text(shape=(), dtype=string)", schema.Feature{Key: "tfds/text", Type: schema.BytesType, TFDS: "Text"}},
		{"Sequence(Text(shape=(), dtype=string))", schema.Feature{Key: "tfds/texts", Type: schema.StringType,
			Shape: []int{-1}, TFDS: "Text"}},
		{"Sequence(Sequence(Text(shape=(), dtype=string)))",
			schema.Feature{Key: "tfds/texts2", Type: schema.StringType, Shape: []int{-1, -1}, TFDS: "Text"}},
		{"string", schema.Feature{Key: "tfds/tensor", Type: schema.StringType, TFDS: "Tensor"}},
		{"BBoxFeature(shape=(4,), dtype=float32)", schema.Feature{Key: "tfds/box", Type: schema.Float, Shape: []int{4},
			TFDS: "BBox"}},
		{"Sequence(BBoxFeature(shape=(4,), dtype=float32))",
			schema.Feature{Key: "tfds/boxes", Type: schema.Float64, Shape: []int{-1, 4}, TFDS: "BBox",
				OnMissing: omit}},
		{"Sequence(Sequence(BBoxFeature(shape=(4,), dtype=float32)))",
			schema.Feature{Key: "tfds/boxes2", Type: schema.Float, Shape: []int{-1, -1, 4}, TFDS: "BBox"}},
		{"Audio(shape=(None,), dtype=int16)", schema.Feature{Key: "tfds/mono", Type: schema.Int16, Shape: []int{-1},
			TFDS: "Audio"}},
		{"Audio(shape=(None, 2), dtype=int16)", schema.Feature{Key: "tfds/stereo", Type: schema.Int16,
			Shape: []int{-1, 2}, Raw: true, TFDS: "Audio"}},
		{"float32", schema.Feature{Key: "double", Type: schema.Float64}},
	} {
		add(f.connector, f.Feature)
	}
	return features, connectors
}

// writeMessageDataset creates a dataset without its shard, which messages.py writes.
func writeMessageDataset(t *testing.T, message string, record schema.Record,
	connectors map[string]string) (dir string) {
	t.Helper()
	info := &Info{Name: "messages", Version: "1.0.0", Record: record, FilenameTemplate: "{SPLIT}-{SHARD_X_OF_Y}"}
	if record.Message == schema.OFRecordMessage {
		info.Framing = framing.Name("ofrecord").Format()
	}
	const shard = "train-00000-of-00001"
	info.Splits = []Split{{Name: "train", Records: 4,
		Shards: []Shard{{Name: shard, Records: 4, Bytes: 100, PayloadBytes: 100}}}}
	files, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := json.Marshal(map[string]any{"message": message,
		"features": describeStored(record.Features, connectors), "sequence": describeStored(record.Sequence, nil)})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	files = append(files, File{"message.json", spec},
		File{ManifestName, []byte(`{"splits": [{"name": "train", "shards": [{"name": "` + shard +
			`", "records": 4}]}]}`)})
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTensorFlowReadsMessages has the readers of all kinds of records read what
// TensorFlow wrote.
func TestTensorFlowReadsMessages(t *testing.T) {
	tftest.Python(t)
	features, connectors := newForms()
	var plain, steps []schema.Feature // what each message has, and TensorFlow reads in steps
	for _, f := range conformanceFields(t) {
		if f.feature.Classes == nil && !f.feature.Image {
			plain = append(plain, f.feature)
		}
	}
	all := append(plain, features...)
	for _, f := range all {
		if !f.IsRagged() {
			steps = append(steps, f)
		}
	}
	tftest.Run(t, filepath.Join("testdata", "messages.py"),
		writeMessageDataset(t, "ofrecord", schema.Record{Message: schema.OFRecordMessage,
			Features: withoutTensors(all)}, nil))
	tftest.Run(t, filepath.Join("testdata", "messages.py"),
		writeMessageDataset(t, "example", schema.Record{Features: features}, connectors),
		writeMessageDataset(t, "sequence", schema.Record{Message: schema.SequenceMessage, Features: all,
			Sequence: steps}, nil),
		writeMessageDataset(t, "json_example", schema.Record{Message: schema.JSONExampleMessage, Features: all}, nil),
		writeMessageDataset(t, "json", schema.Record{Message: schema.JSONMessage, Features: all}, nil),
		writeMessageDataset(t, "text", schema.Record{Message: schema.TextMessage, Column: "text"}, nil),
		writeMessageDataset(t, "bytes", schema.Record{Message: schema.BytesMessage, Column: "record"}, nil),
	)
}

// withoutTensors skips what only TensorFlow writes.
func withoutTensors(features []schema.Feature) (list []schema.Feature) {
	for _, f := range features {
		if !f.Tensor {
			list = append(list, f)
		}
	}
	return list
}
