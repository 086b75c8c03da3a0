package dataset

import (
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
)

// TestEpisodeGolden checks the files of TFDS for a record with a nested Dataset.
func TestEpisodeGolden(t *testing.T) {
	classes := &schema.Classes{Names: []string{"left", "right"}}
	each := func(f schema.Feature) schema.Feature {
		f.Part, f.Shape = schema.EachRow, append([]int{-1}, f.Shape...)
		return f
	}
	info := penguins()
	info.Steps = "steps"
	info.Record.Features = []schema.Feature{
		each(schema.Feature{Key: "steps/observation/image", Type: schema.BytesType, Image: true}),
		each(schema.Feature{Key: "steps/observation/state", Type: schema.Float64, Shape: []int{3}}),
		each(schema.Feature{Key: "steps/arm", Type: schema.Int64, Classes: classes}),
		// a nested Dataset has no lists of ClassLabel
		each(schema.Feature{Key: "steps/arms", Type: schema.Int64, Classes: classes, Shape: []int{2}}),
		each(schema.Feature{Key: "steps/box", Type: schema.Float, TFDS: "BBox", Shape: []int{4}}),
		each(schema.Feature{Key: "steps/text", Type: schema.StringType}),
		each(schema.Feature{Key: "times", Type: schema.Int64}),
		{Key: "episode_metadata/file", Type: schema.StringType},
		{Key: "episode_metadata/kind", Type: schema.Int64, Classes: classes},
		{Key: "steps_taken", Type: schema.Int64},
	}
	info.Images = map[string]ImageMetadata{"steps/observation/image": {Formats: []string{"JPEG"},
		Colorspaces: []string{"RGB"}, Channels: []int{3}}}
	files, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		switch names = append(names, f.Name); f.Name {
		case "features.json":
			golden(t, "episode/features.json", f.Data)
		case "dataset_info.json":
			if strings.Contains(string(f.Data), "supervisedKeys") {
				t.Errorf("an episode has keys for as_supervised:\n%s", f.Data)
			}
		}
	}
	for _, want := range []string{"episode_metadata-kind.labels.txt", "steps-arm.labels.txt", "steps-arms.labels.txt"} {
		if !slices.Contains(names, want) {
			t.Errorf("described in %q, without %s", names, want)
		}
	}
}
