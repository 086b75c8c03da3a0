package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/pipeline"
)

// TestYOLO builds configs/yolo.yaml on photos with made boxes, and compares the boxes.
func TestYOLO(t *testing.T) {
	dir := t.TempDir()
	boxes := map[string]string{
		"train/Landscape_1": "0 0.5 0.5 0.25 0.125\n\n3 0.25 0.75 0.5 0.5\n", "train/Landscape_2": "",
		"val/Landscape_1": "7 0.5 0.5 1 1\r\n",
	}
	want := map[string]string{
		"train Landscape_1.jpg": "[0.5 0.5 0.25 0.125 0.25 0.75 0.5 0.5] [0 3]", "train Landscape_2.jpg": "[] []",
		"train Landscape_3.jpg":      "[] []",
		"validation Landscape_1.jpg": "[0.5 0.5 1 1] [7]",
	}
	for _, name := range []string{"train/Landscape_1", "train/Landscape_2", "train/Landscape_3", "val/Landscape_1"} {
		image, err := os.ReadFile(filepath.Join(project, "testdata", "photos", "landscape", filepath.Base(name)+".jpg"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "images/"+name+".jpg", image)
		if text, has := boxes[name]; has {
			write(t, dir, "labels/"+name+".txt", []byte(text))
		}
	}
	text, err := os.ReadFile(configFile("yolo"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "yolo.yaml", text)
	out := filepath.Join(dir, "out/yolo")
	build(t, filepath.Join(dir, "yolo.yaml"), out, pipeline.Run{})
	for split, records := range payloads(t, out) {
		for _, record := range records {
			e := example(t, record)
			key := split + " " + string(e["image/filename"].GetBytesList().GetValue()[0])
			got := fmt.Sprint(e["objects/bbox"].GetFloatList().GetValue(), e["objects/label"].GetInt64List().GetValue())
			if got != want[key] {
				t.Errorf("%s: found %s, expected %s", key, got, want[key])
			}
			delete(want, key)
		}
	}
	if len(want) > 0 {
		t.Errorf("no record of %v", want)
	}
}
