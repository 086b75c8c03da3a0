package parquet

import (
	"bytes"
	"os"
	"reflect"
	"testing"
)

// TestClassNames reads class names from a footer, and none from a footer of another form.
func TestClassNames(t *testing.T) {
	data, err := os.ReadFile("../../pipeline/infer/testdata/in/emotions.parquet")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{"label": {"sadness", "joy", "love"}, "fine": {"a", "b"},
		"objects.category": {"cat", "dog"}, "spans.kind": {"PER", "LOC"}}
	for _, tt := range []struct {
		old, new string
		want     map[string][]string
	}{
		{"", "", all},
		{`{"info"`, `{"infx"`, map[string][]string{}},
		{`{"info"`, `{'info"`, map[string][]string{}},
		{`"features": {`, `"features": [`, map[string][]string{}},
		{`"names": ["a", "b"]`, `"names":    "a, b" `,
			map[string][]string{"label": all["label"], "objects.category": all["objects.category"],
				"spans.kind": all["spans.kind"]}},
		{"huggingface", "huggingfacf", map[string][]string{}},
	} {
		file := bytes.Replace(data, []byte(tt.old), []byte(tt.new), 1)
		if got, err := ClassNames(bytes.NewReader(file), int64(len(file))); err != nil ||
			!reflect.DeepEqual(got, tt.want) || tt.old != "" && bytes.Equal(file, data) {
			t.Errorf("%s → %s: %v %v, want %v", tt.old, tt.new, got, err, tt.want)
		}
	}
	if _, err := ClassNames(bytes.NewReader(data[:len(data)-1]), int64(len(data)-1)); err == nil {
		t.Error("a file that is cut off")
	}
}
