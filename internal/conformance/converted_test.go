package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pixels/jpeg"
	"tfr-build/schema/tfpb"
)

// convertedForms are images made again: as files, and as pixels of a fixed and of any
// size.
var convertedForms = []form{
	{"images, converted", "source:\n  images:\n    dir: in\n    convert: {orientation: apply, color: rgb, resize: " +
		"{width: 40, height: 30, fit: cover, up: true}, format: jpeg}\nshards: {size: 20KB}\ncompression: gzip\n" +
		imageFeatures, imageFiles},
	{"images, as pixels", "source:\n  images:\n    dir: in\n    convert: {color: gray, resize: {long: 20}}\nshards: " +
		"3\nfeatures:\n" +
		"  pixels: {from: image.pixels, raw: true}\n  height: {from: image.height}\n  was: {from: " +
		"image.source.height}\n  label: {from: class, classes: auto}\n  path: string\n", imageFiles},
	{"images, loaded and converted",
		"source:\n  csv: {files: list.csv}\n  load:\n    pic: {path: '{path}', dir: in, convert: {color: rgb, " +
			"resize: {width: 16, height: 16, fit: pad}, when: always}}\nshards: 2\nfeatures:\n" +
			"  pic: {from: pic}\n  pixels: {from: pic.pixels, tensor: true}\n  width: {from: pic.source.width}\n" +
			"  path: string\n",
		listedFiles},
}

// photoForms are the project's photos made again, whose bytes stay the same whatever
// encodes other images of tests.
var photoForms = []form{
	{"photos, as JPEG", "source:\n  images:\n    dir: in\n    convert: {orientation: apply, resize: {short: 150}, " +
		"crop: {width: 128, height: 128}, quality: 80, subsampling: '422'}\n" + imageFeatures, photoFiles},
	{"photos, as PNG", "source:\n  images:\n    dir: in\n    convert: {resize: {long: 200, filter: area}, color: " +
		"gray, format: png}\n" + imageFeatures, photoFiles},
	{"photos, as pixels", "source:\n  images:\n    dir: in\n    convert: {color: rgb, resize: {width: 99, height: " +
		"99, fit: pad, filter: bicubic}, background: '#204060'}\nfeatures: {x: {from: image.pixels, raw: true}}\n",
		photoFiles},
}

// photoFiles are the project's photos.
func photoFiles(t testing.TB, dir string, _ int) {
	photos, err := filepath.Abs(filepath.Join(project, "testdata", "photos"))
	if err == nil {
		err = os.Symlink(photos, filepath.Join(dir, "in"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// listedFiles are images and a table of them.
func listedFiles(t testing.TB, dir string, rows int) {
	imageFiles(t, dir, rows)
	files, err := filepath.Glob(filepath.Join(dir, "in/*/*"))
	if err != nil {
		t.Fatal(err)
	}
	var list bytes.Buffer
	list.WriteString("path\n")
	for _, file := range files {
		rel, err := filepath.Rel(filepath.Join(dir, "in"), file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&list, rel)
	}
	write(t, dir, "list.csv", list.Bytes())
}

// TestImagenet224 builds the project's config on a small tree.
func TestImagenet224(t *testing.T) {
	dir := t.TempDir()
	files := layImagenet(t, dir)
	t.Setenv("OUT", filepath.Join(dir, "made"))
	build(t, filepath.Join(dir, "imagenet-224.yaml"), "", pipeline.Run{})
	bySource := map[string]*imagenetFile{}
	for i := range files {
		bySource[filepath.Base(files[i].path)] = &files[i]
	}
	var d jpeg.Decoder
	seen := 0
	for _, records := range payloads(t, filepath.Join(dir, "made", "imagenet_224")) {
		for _, record := range records {
			e := example(t, record)
			text := func(key string) string { return string(e[key].GetBytesList().GetValue()[0]) }
			number := func(key string) int { return int(e[key].GetInt64List().GetValue()[0]) }
			name := text("image/filename")
			f := bySource[name]
			picture, err := d.Decode([]byte(text("image/encoded")))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if picture.Width != 224 || picture.Height != 224 || picture.Channels != 3 ||
				text("image/format") != "JPEG" {
				t.Errorf("%s: %s of %d x %d x %d", name, text("image/format"), picture.Width, picture.Height,
					picture.Channels)
			}
			sizes := [4]int{number("image/width"), number("image/height"), number("image/source/width"),
				number("image/source/height")}
			if sizes != [4]int{224, 224, f.width, f.height} || text("image/class/synset") != f.synset {
				t.Errorf("%s: %v, %s; want 224 x 224 of %d x %d, %s", name, sizes, text("image/class/synset"),
					f.width, f.height, f.synset)
			}
			seen++
		}
	}
	if seen != len(files) {
		t.Errorf("%d records, want %d", seen, len(files))
	}
}

// TestInceptionsSpecialFiles builds imagenet-inception.yaml with files as the script
// knew by name: a PNG that is called JPEG, and CMYK. They are written again with quality
// 100, as JPEG in RGB; the others keep their bytes.
func TestInceptionsSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	files := layImagenet(t, dir)
	special := map[string][]byte{
		"n01440764_1.JPEG": imagetest.Find(t, "made", "color-2-depth-8.png"),
		"n01440764_2.JPEG": imagetest.Find(t, "made", "CMYK.jpg"),
	}
	for name, data := range special {
		write(t, dir, "ILSVRC2012/train/n01440764/"+name, data)
	}
	kept := map[string][]byte{}
	for _, f := range files {
		kept[filepath.Base(f.path)] = f.data
	}
	t.Setenv("OUT", filepath.Join(dir, "made"))
	build(t, filepath.Join(dir, "imagenet-inception.yaml"), "", pipeline.Run{})
	var d jpeg.Decoder
	var e jpeg.Encoder
	seen := 0
	for _, records := range payloads(t, filepath.Join(dir, "made", "imagenet-inception")) {
		for _, record := range records {
			features := example(t, record)
			name := string(features["image/filename"].GetBytesList().GetValue()[0])
			got := features["image/encoded"].GetBytesList().GetValue()[0]
			seen++
			if data, ok := kept[name]; ok {
				if !bytes.Equal(got, data) {
					t.Errorf("%s has other bytes", name)
				}
				continue
			}
			picture, err := d.Decode(got)
			if err != nil || picture.Channels != 3 || bytes.Equal(got, special[name]) {
				t.Fatalf("%s: %+v, %v; want a JPEG in RGB", name, picture, err)
			}
			file, err := e.Append(nil, picture.Pix, picture.Width, picture.Height, 3, &jpeg.Options{Quality: 100})
			if tables := bytes.Index(file, []byte("\xff\xc0")); err != nil ||
				!bytes.Equal(got[:tables], file[:tables]) {
				t.Errorf("%s is not of quality 100: %v", name, err)
			}
		}
	}
	if seen != len(kept)+len(special) {
		t.Errorf("%d records, want %d", seen, len(kept)+len(special))
	}
}

// TestCIFAR10 builds the project's config on PNG files of its size and another one.
func TestCIFAR10(t *testing.T) {
	dir := t.TempDir()
	want := map[string][]byte{}
	for i, class := range []string{"airplane", "cat", "truck"} {
		for n, split := range []string{"train", "test"} {
			img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
			var pixels []byte
			for p := range 32 * 32 {
				c := color.NRGBA{byte(p * (i + 1)), byte(p / 4), byte(p*p + n), 255}
				img.SetNRGBA(p%32, p/32, c)
				pixels = append(pixels, c.R, c.G, c.B)
			}
			name := fmt.Sprintf("%s/%04d.png", class, i)
			write(t, dir, "cifar10/"+split+"/"+name, encodePNG(t, img))
			want[split+" "+name] = pixels
		}
	}
	write(t, dir, "cifar10/train/dog/1.png", encodePNG(t, image.NewGray(image.Rect(0, 0, 40, 20))))
	want["train dog/1.png"] = make([]byte, 32*32*3)
	text, err := os.ReadFile(configFile("cifar10"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "cifar10.yaml", text)
	t.Setenv("OUT", filepath.Join(dir, "made"))
	build(t, filepath.Join(dir, "cifar10.yaml"), "", pipeline.Run{})
	seen := 0
	for split, records := range payloads(t, filepath.Join(dir, "made", "cifar10")) {
		for _, record := range records {
			e := example(t, record)
			first := func(f *tfpb.Feature) string { return string(f.GetBytesList().GetValue()[0]) }
			if name := split + " " + first(e["id"]); first(e["image"]) != string(want[name]) {
				t.Errorf("%s has other pixels", name)
			}
			seen++
		}
	}
	if seen != len(want) {
		t.Errorf("%d records, want %d", seen, len(want))
	}
}

func encodePNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestShapeOfPixels gives pixels whose number the config leaves open a shape: rows are
// held to it.
func TestShapeOfPixels(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "in/a.png", encodePNG(t, image.NewGray(image.Rect(0, 0, 6, 4))))
	write(t, dir, "in/b.png", encodePNG(t, image.NewGray(image.Rect(0, 0, 4, 6))))
	for feature, want := range map[string]string{
		"tensor: true, shape: [24]": "", "tensor: true, shape: [4, 6, 1]": "", "raw: true, shape: [4, 6, 3]": "[SHAPE]",
		"shape: [4, 6]": "", "shape: [-1]": "", "type: float, shape: [3]": "[SHAPE]",
	} {
		write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource: {images: {dir: in}}\nfeatures: {x: {from: "+
			"image.pixels, "+feature+"}}\n"))
		cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = pipeline.Build(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: plenty,
			Output: filepath.Join(t.TempDir(), "out")})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", feature, err, want)
		}
	}
}
