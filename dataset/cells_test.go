package dataset_test

import (
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/schema"
)

// TestCells shows values as they are in a table: bools by name, and several dimensions in rows.
func TestCells(t *testing.T) {
	record := schema.Record{Features: []schema.Feature{
		{Key: "bool", Type: schema.BoolType}, {Key: "bools", Type: schema.BoolType, Shape: []int{-1}},
		{Key: "box", Type: schema.Float, Shape: []int{-1, 4}},
		{Key: "boxes", Type: schema.Float, Shape: []int{-1, 4}},
		{Key: "class", Type: schema.Int64, Shape: []int{-1, 2},
			Classes: &schema.Classes{Names: []string{"cat", "dog"}}},
		{Key: "flat", Type: schema.Float, Shape: []int{-1}}, {Key: "odd", Type: schema.Int64, Shape: []int{-1, 4}},
		{Key: "texts", Type: schema.BytesType, Shape: []int{2, 2}},
	}}
	boxes := strings.TrimSuffix(strings.Repeat("0.1,0.25,0.5,1,", 30), ",")
	line := `{"features":{"feature":{"bool":{"int64List":{"value":["1"]}},"bools":{"int64List":{"value":["0","1"]}},
		"box":{"floatList":{"value":[1,2,3,4]}},
		"boxes":{"floatList":{"value":[` + boxes +
		`]}},"class":{"int64List":{"value":["0","1","1","0"]}},"flat":{"floatList":{"value":[1,2,3,4,5,6,7,8]}},
		"odd":{"int64List":{"value":["1","2","3","4","5"]}},"texts":{"bytesList":{"value":["YQ==","Yg==","Yw==","ZA=="]}}}}}`
	var p message.Parser
	payload, _, err := p.Parse(nil, []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	cells, err := dataset.Cells(&record, payload)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"bool": "true", "bools": "[false true]", "box": "[1 2 3 4]",
		"boxes": "[[0.1 0.25 0.5 1] [0.1 0.25 0.5 1] … 30 × 4]",
		"class": "[[0 (cat), 1 (dog)] [1 (dog), 0 (cat)]]", "flat": "[1 2 3 4 5 6 7 8]", "odd": "[1 2 3 4 5]",
		"texts": "[[a, b] [c, d]]",
	}
	for _, c := range cells {
		if c.Text != want[c.Key] {
			t.Errorf("%s: %s, want %s", c.Key, c.Text, want[c.Key])
		}
	}
}
