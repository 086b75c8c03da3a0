package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// TestCOCOPhotos builds two configs for COCO from photos with made annotations: one has the values of the
// Object Detection API's script, and in the other coordinates and masks follow the images.
func TestCOCOPhotos(t *testing.T) {
	const script = "testdata/coco_photos.py"
	tftest.Python(t)
	dir := t.TempDir()
	tftest.Run(t, script, "make", dir, filepath.Join(project, "testdata", "photos"))
	for _, name := range []string{"object-detection-api", "coco-640"} {
		text, err := os.ReadFile(configFile(name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name+".yaml", text)
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, "out", name),
			pipeline.Run{Warn: func(text string) { t.Errorf("%s: the build warns: %s", name, text) }})
	}
	tftest.Run(t, script, "check", dir)
}
