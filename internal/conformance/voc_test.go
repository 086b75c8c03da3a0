package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// vocObjects are made objects on photos, by the names of the photos. One has a part with a box of its
// own, and the last photo has no object.
var vocObjects = map[string][]string{
	"Landscape_1": {
		"<name>boat</name><pose>Left</pose><truncated>0</truncated><difficult>0</difficult><bndbox><xmin>10</xmin><ymin>" +
			"20.5</ymin><xmax>310</xmax><ymax>420</ymax></bndbox>",
		"<name>person</name><pose>Frontal</pose><truncated>1</truncated><difficult>1</difficult><bndbox><xmax>1799</xmax>" +
			"<xmin>1700.33</xmin><ymax>1100</ymax><ymin>1</ymin></bndbox>" +
			"<part><name>head</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></part>",
	},
	"Portrait_1": {"<name>tvmonitor</name>\n<pose>Unspecified</pose><truncated>0</truncated><difficult>0</difficult>" +
		"<bndbox><xmin>7</xmin><ymin>7</ymin><xmax>70</xmax><ymax>77</ymax></bndbox>"},
	"Landscape_2": nil,
}

// layVOC writes a directory in the layout of Pascal VOC.
func layVOC(t *testing.T, dir string, sets map[string][]string) {
	for name, objects := range vocObjects {
		image, err := os.ReadFile(filepath.Join(project, "testdata", "photos", strings.ToLower(name[:len(name)-2]),
			name+".jpg"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "JPEGImages/"+name+".jpg", image)
		size := "<width>1800</width><height>1200</height><depth>3</depth>"
		if strings.HasPrefix(name, "P") {
			size = "<width>1200</width><height>1800</height><depth>3</depth>"
		}
		text := "<annotation>\n\t<folder>VOC</folder>\n\t<filename>" + name +
			".jpg</filename>\n\t<source><database>made</database></source>\n\t<size>" + size + "</size>\n"
		for _, object := range objects {
			text += "\t<object>" + object + "</object>\n"
		}
		write(t, dir, "Annotations/"+name+".xml", []byte(text+"</annotation>\n"))
	}
	for set, names := range sets {
		write(t, dir, "ImageSets/Main/"+set+".txt", []byte(strings.Join(names, "\n")+"\n"))
	}
}

// TestVOC builds configs/voc.yaml, and compares each value of each feature with what
// create_pascal_tf_record.py of the Object Detection API writes.
func TestVOC(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	layVOC(t, dir, map[string][]string{"train": {"Landscape_1", "Landscape_2"}, "val": {"Portrait_1"}})
	text, err := os.ReadFile(configFile("voc"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "voc.yaml", text)
	out := filepath.Join(dir, "out/voc")
	build(t, filepath.Join(dir, "voc.yaml"), out, pipeline.Run{})
	tftest.Run(t, "testdata/voc.py", dir, out)
}
