package main

import (
	"embed"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"

	"tfr-build/pixels/jpeg"
)

// What is made for the groups of images that are converted.
const (
	pictureCount  = 1_000 // photos
	pictureCopies = 10    // of each in the tree of 10,000
)

//go:embed python
var scripts embed.FS

func (b *bench) script(name string, args ...string) []string {
	return scriptBy(b.python, name, args...)
}

// scriptBy is a run of one of the scripts in this directory.
func scriptBy(python, name string, args ...string) []string {
	text, err := scripts.ReadFile("python/" + name)
	if err != nil {
		panic(err) // the name is a constant
	}
	return append([]string{python, "-c", string(text)}, args...)
}

// pictures is the name of the directory of the photos; those that are given are copied
// to one of their own.
func (b *bench) pictures() string {
	if b.photos == "" {
		return "pictures"
	}
	return fmt.Sprintf("pictures-%08x", crc32.ChecksumIEEE([]byte(b.photos)))
}

// picture is the path of a photo, of which there are pictureCount.
func (b *bench) picture(i int) string {
	return filepath.Join(b.path(b.pictures()), fmt.Sprintf("%04d.jpg", i))
}

// pictureConfig converts the photos of a directory by a filter, and writes them.
const pictureConfig = `name: photos
output: out
source:
  images:
    dir: %s
    convert: {color: rgb, resize: {short: 256, up: true, filter: %s}, crop: {width: 224, height: 224}, format: jpeg}
features:
  image: {from: image}
  filename: bytes
shards: 2
`

// makePictures makes photos from the photos of the project's tests, unless some are
// given, and the configs that convert them.
func (b *bench) makePictures() error {
	for _, filter := range []string{"area", "lanczos"} {
		if err := b.write(b.pictures()+"-"+filter+".yaml",
			fmt.Sprintf(pictureConfig, b.pictures(), filter)); err != nil {
			return err
		}
	}
	if b.photos == "" {
		return b.makeDirectory("pictures", func(dir string) error { return b.fill(dir, "make_photos.py") })
	}
	return b.makeDirectory(b.pictures(), func(dir string) error {
		photos, err := filepath.Glob(filepath.Join(b.photos, "*"))
		if err != nil {
			return err
		}
		if len(photos) < pictureCount {
			return fmt.Errorf("%s has %d photos of %d", b.photos, len(photos), pictureCount)
		}
		for i, photo := range photos[:pictureCount] {
			data, err := os.ReadFile(photo)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.jpg", i)), data, 0o644); err != nil {
				return err
			}
		}
		return nil
	})
}

// measurePictures is the number of pixels of the largest photo, and of all.
func (b *bench) measurePictures() (largest, all int64, err error) {
	for i := range pictureCount {
		data, err := os.ReadFile(b.picture(i))
		if err != nil {
			return 0, 0, err
		}
		header, err := jpeg.ReadHeader(data)
		if err != nil {
			return 0, 0, err
		}
		pixels := int64(header.Width) * int64(header.Height)
		largest, all = max(largest, pixels), all+pixels
	}
	return largest, all, nil
}

// makeTiles makes small PNG files in the directories of their classes.
func (b *bench) makeTiles() error {
	err := b.write("tiles.yaml", `name: tiles
output: out
source:
  images:
    dir: tiles
    convert: {color: rgb, resize: {width: 32, height: 32, fit: stretch, up: true}}
features:
  image: {from: image.pixels, raw: true}
  label: {from: class, classes: auto}
shards: 5
`)
	if err != nil {
		return err
	}
	return b.makeDirectory("tiles", func(dir string) error { return b.fill(dir, "make_tiles.py") })
}

// makeDirectory makes a directory at once, unless it is there.
func (b *bench) makeDirectory(name string, fill func(dir string) error) error {
	if _, err := os.Stat(b.path(name)); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "making", name)
	half := b.path(name + ".new")
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := os.Mkdir(half, 0o755); err != nil {
		return err
	}
	if err := fill(half); err != nil {
		return err
	}
	return os.Rename(half, b.path(name))
}

// fill has a script fill a directory with what it makes out of the photos of the
// project's tests.
func (b *bench) fill(dir, script string) error {
	photos, err := filepath.Glob("../testdata/photos/*/*.jpg")
	if err != nil {
		return err
	}
	args := b.script(script, append([]string{dir}, photos...)...)
	if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", script, err, output)
	}
	return nil
}

// pictureTree is the name of the tree of 10,000 photos.
func (b *bench) pictureTree() string { return b.pictures() + "-tree" }

// makePictureTree makes each photo ten files of that tree, and its configs.
func (b *bench) makePictureTree() error {
	if err := b.makePictures(); err != nil {
		return err
	}
	tree := b.pictureTree()
	const square = "{color: rgb, resize: {short: 256, up: true, filter: %s}, crop: {width: 224, height: 224}, " +
		"format: jpeg}"
	for name, convert := range map[string]string{
		"-area.yaml":     fmt.Sprintf(square, "area"),
		"-bilinear.yaml": fmt.Sprintf(square, "bilinear"),
		"-lanczos.yaml":  fmt.Sprintf(square, "lanczos"),
		"-fit.yaml":      "{color: rgb_or_gray, format: jpeg}",
	} {
		config := fmt.Sprintf(treeConfig, tree+", convert: "+convert, tree+".txt")
		if err := b.write(tree+name, config); err != nil {
			return err
		}
	}
	return b.makeTree(tree, pictureCopies*pictureCount, pictureCount, ".JPEG", func(i int) ([]byte, error) {
		return os.ReadFile(b.picture(i % pictureCount))
	})
}
