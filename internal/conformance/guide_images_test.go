package conformance

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/pipeline"
)

// shownImage is a config of docs/how-to/convert-images.md, the file that it is about, and the
// image below it.
var shownImage = regexp.MustCompile("(?s)```yaml\n# ([^\n]+)\n(convert:\n.*?)```\n!\\[[^\\]]+\\]\\(([^)]+)\\)")

// TestImagesOfTheGuide builds each config of docs/how-to/convert-images.md and compares the image that
// is below it. With -update it makes them.
func TestImagesOfTheGuide(t *testing.T) {
	docs := filepath.Join(project, "docs", "how-to")
	text, err := os.ReadFile(filepath.Join(docs, "convert-images.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := shownImage.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "```yaml\n# "); len(shown) != n || n < 8 {
		t.Errorf("%d of %d configs have a picture", len(shown), n)
	}
	if *update {
		draw(t, filepath.Join(docs, "images/drawing.png"))
	}
	for _, m := range shown {
		file, config, picture := m[1], m[2], filepath.Join(docs, m[3])
		got := converted(t, filepath.Join(docs, file), config)
		if *update {
			if err := os.WriteFile(picture, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(picture)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what its config makes of %s: %v", m[3], file, err)
		}
	}
}

// converted returns the image that a config makes of an image.
func converted(t *testing.T, file, config string) []byte {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "in/"+filepath.Base(file), data)
	indented := strings.ReplaceAll(strings.TrimSuffix(config, "\n"), "\n", "\n    ")
	write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource:\n  images:\n    dir: in\n   "+
		" "+indented+"\nfeatures: {image: {from: image}}\n"))
	out := filepath.Join(dir, "out")
	build(t, filepath.Join(dir, "c.yaml"), out, pipeline.Run{})
	records := payloads(t, out)["train"]
	return example(t, records[0])["image"].GetBytesList().GetValue()[0]
}

// draw makes a drawing with transparency: discs that fade to their edges.
func draw(t *testing.T, path string) {
	t.Helper()
	const width, height = 240, 120
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i, c := range []color.NRGBA{{R: 200, G: 40, B: 60}, {R: 30, G: 120, B: 200}, {R: 40, G: 160, B: 80}} {
		const radius = 52
		for y := range height {
			for x := range width {
				dx, dy := x-60*(i+1), y-height/2
				if d := dx*dx + dy*dy; d < radius*radius {
					c.A = uint8(255 - 200*d/(radius*radius))
					img.SetNRGBA(x, y, c)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
