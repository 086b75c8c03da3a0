package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"tfr-build/pipeline"
	"tfr-build/schema/tfpb"
)

// An imagenetFile is an image of the tree and what is known of it.
type imagenetFile struct {
	path          string
	synset        string
	width, height int
	gray          bool
	boxes         [][4]float32 // xmin, ymin, xmax, ymax
	data          []byte
}

// synsets are the classes, in the order of their labels, with their texts.
var synsets = [][2]string{
	{"n01440764", "tench, Tinca tinca"},
	{"n01443537", "goldfish, Carassius auratus"},
	{"n02124075", "Egyptian cat"},
	{"n07753275", "pineapple, \"ananas\", Größe"},
}

func imagenetFiles() []imagenetFile {
	return []imagenetFile{
		{path: "train/n01440764/n01440764_10026.JPEG", width: 50, height: 37,
			boxes: [][4]float32{{0.0614, 0.2171, 0.9386, 0.8}}},
		{path: "train/n01440764/n01440764_3.JPEG", width: 8, height: 9},
		{path: "train/n01443537/n01443537_1.jpg", width: 64, height: 64,
			boxes: [][4]float32{{0, 0, 1, 1}, {0.25, 0.5, 0.75, 0.625}, {0, 0, 1, 1}}},
		{path: "train/n02124075/n02124075_7.JPEG", width: 3, height: 100, gray: true},
		{path: "train/n07753275/n07753275_2.jpeg", width: 1, height: 1, boxes: [][4]float32{{0.1, 0.2, 0.3, 0.4}}},
		{path: "validation/ILSVRC2012_val_00000001.JPEG", synset: "n07753275", width: 20, height: 10},
		{path: "validation/ILSVRC2012_val_00000002.JPEG", synset: "n01440764", width: 10, height: 20},
		{path: "validation/ILSVRC2012_val_00000010.JPEG", synset: "n07753275", width: 11, height: 12},
	}
}

// layImagenet writes a small tree of ImageNet's layout, with the tables of the
// Inception scripts, and the project's configs next to it.
func layImagenet(t *testing.T, dir string) []imagenetFile {
	t.Helper()
	files := imagenetFiles()
	var labels, boxes, validation, metadata strings.Builder
	for i := range files {
		f := &files[i]
		f.data = jpegOf(t, f.width, f.height, f.gray, byte(i))
		write(t, dir, "ILSVRC2012/"+f.path, f.data)
		if f.synset != "" {
			fmt.Fprintln(&validation, f.synset)
		} else {
			f.synset = strings.Split(f.path, "/")[1]
		}
		for _, b := range f.boxes {
			fmt.Fprintf(&boxes, "%s,%.4f,%.4f,%.4f,%.4f\n", filepath.Base(f.path), b[0], b[1], b[2], b[3])
		}
	}
	metadata.WriteString("n00001740\tentity\n") // of a synset that has no images
	for _, s := range synsets {
		fmt.Fprintln(&labels, s[0])
		fmt.Fprintf(&metadata, "%s\t%s\n", s[0], s[1])
	}
	boxes.WriteString("n99999999_1.JPEG,0,0,1,1\n") // of an image that is not there
	write(t, dir, "imagenet_lsvrc_2015_synsets.txt", []byte(labels.String()))
	write(t, dir, "imagenet_metadata.txt", []byte(metadata.String()))
	write(t, dir, "imagenet_2012_bounding_boxes.csv", []byte(boxes.String()))
	write(t, dir, "imagenet_2012_validation_synset_labels.txt", []byte(validation.String()))
	for _, name := range []string{"imagenet", "imagenet-inception", "imagenet-224"} {
		config, err := os.ReadFile(configFile(name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name+".yaml", config)
	}
	return files
}

func jpegOf(t testing.TB, width, height int, gray bool, shade byte) []byte {
	t.Helper()
	var img image.Image
	if gray {
		img = image.NewGray(image.Rect(0, 0, width, height))
	} else {
		colored := image.NewRGBA(image.Rect(0, 0, width, height))
		for x := range width {
			for y := range height {
				colored.Set(x, y, color.RGBA{byte(5 * x), byte(3 * y), shade, 255})
			}
		}
		img = colored
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// want is the Example of a file: the keys, types and values that Inception's
// build_imagenet_data.py writes. Every key is there, lists without a box too.
// Channels and colorspace are the file's own with imagenet.yaml, where the script
// says 3 and RGB of gray images as well.
func (f *imagenetFile) want(name string) *tfpb.Example {
	ints := func(v ...int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: v}}}
	}
	text := func(v string) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: &tfpb.BytesList{Value: [][]byte{[]byte(v)}}}}
	}
	var label int64
	var title string
	for i, s := range synsets {
		if s[0] == f.synset {
			label, title = int64(i)+1, s[1]
		}
	}
	edges := [4]*tfpb.FloatList{{}, {}, {}, {}}
	labels := []int64{}
	for _, box := range f.boxes {
		for i, edge := range box {
			edges[i].Value = append(edges[i].Value, edge)
		}
		labels = append(labels, label)
	}
	floats := func(edge int) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: edges[edge]}}
	}
	channels, colorspace := int64(3), "RGB"
	if f.gray && name == "imagenet" {
		channels, colorspace = 1, "GRAY"
	}
	return &tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{
		"image/height":            ints(int64(f.height)),
		"image/width":             ints(int64(f.width)),
		"image/colorspace":        text(colorspace),
		"image/channels":          ints(channels),
		"image/class/label":       ints(label),
		"image/class/synset":      text(f.synset),
		"image/class/text":        text(title),
		"image/object/bbox/xmin":  floats(0),
		"image/object/bbox/ymin":  floats(1),
		"image/object/bbox/xmax":  floats(2),
		"image/object/bbox/ymax":  floats(3),
		"image/object/bbox/label": ints(labels...),
		"image/format":            text("JPEG"),
		"image/filename":          text(filepath.Base(f.path)),
		"image/encoded":           text(string(f.data)),
	}}}
}

// TestImagenet builds the project's configs on a small tree and compares every
// Example, feature by feature.
func TestImagenet(t *testing.T) {
	dir := t.TempDir()
	files := layImagenet(t, dir)
	t.Setenv("OUT", filepath.Join(dir, "made"))
	for _, config := range []string{"imagenet", "imagenet-inception"} {
		build(t, filepath.Join(dir, config+".yaml"), "", pipeline.Run{})
		out := filepath.Join(dir, "made", config)
		for split, n := range map[string]int{"train": 1024, "validation": 128} {
			names, err := filepath.Glob(filepath.Join(out, fmt.Sprintf("%s-?????-of-%05d", split, n)))
			if err != nil || len(names) != n {
				t.Errorf("%s: %s has %d shards, %v; want %d", config, split, len(names), err, n)
			}
		}
		got := map[string]*tfpb.Example{}
		for split, records := range payloads(t, out) {
			for _, record := range records {
				e := &tfpb.Example{Features: &tfpb.Features{Feature: example(t, record)}}
				name := string(e.Features.Feature["image/filename"].GetBytesList().GetValue()[0])
				got[split+"/"+name] = e
			}
		}
		if len(got) != len(files) {
			t.Errorf("%s: %d Examples, want %d", config, len(got), len(files))
		}
		for i := range files {
			f := &files[i]
			name := strings.Split(f.path, "/")[0] + "/" + filepath.Base(f.path)
			compareFeatures(t, config+": "+name, got[name], f.want(config))
		}
	}
	got := filesOf(t, filepath.Join(dir, "made", "imagenet-inception"), "train", "validation")
	if want := imagenetFromPython; got != want {
		t.Errorf("the files of imagenet-inception.yaml are\n%swhere the script puts them in\n%s", got, want)
	}
}

// imagenetFromPython is where Python 2.7 and NumPy put the files of the tree: those of
// the validation by the classes that class_per_file gives them.
const imagenetFromPython = `train-00255-of-01024 n01440764_3.JPEG
train-00511-of-01024 n02124075_7.JPEG
train-00639-of-01024 n07753275_2.jpeg
train-00895-of-01024 n01440764_10026.JPEG
train-01023-of-01024 n01443537_1.jpg
validation-00047-of-00128 ILSVRC2012_val_00000010.JPEG
validation-00095-of-00128 ILSVRC2012_val_00000002.JPEG
validation-00127-of-00128 ILSVRC2012_val_00000001.JPEG
`

func compareFeatures(t *testing.T, name string, got, want *tfpb.Example) {
	t.Helper()
	features, expected := got.GetFeatures().GetFeature(), want.Features.Feature
	for key, w := range expected {
		f, ok := features[key]
		switch {
		case !ok:
			t.Errorf("%s has no %s", name, key)
		case f.GetKind() == nil || !proto.Equal(f, w):
			t.Errorf("%s: %s is %s, want %s", name, key, prototext.Format(f), prototext.Format(w))
		}
	}
	for key := range features {
		if expected[key] == nil {
			t.Errorf("%s has %s, which was not expected", name, key)
		}
	}
}
