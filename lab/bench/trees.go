package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const treeConfig = `name: images
output: out
source:
  images: {dir: %s}
features:
  image: {from: image}
  format: {from: image.format}
  height: {from: image.height}
  width: {from: image.width}
  channels: {from: image.channels}
  colorspace: {from: image.colorspace}
  label: {from: class, classes: %s}
  filename: bytes
shards: 11
`

// makePhotos writes 10,000 JPEG files of about 110 kB in 1,000 directories.
func (b *bench) makePhotos() error {
	const bases = 50
	photos := make([][]byte, bases)
	for i := range photos {
		var buf bytes.Buffer
		if err := jpeg.Encode(&buf, speckles(i, 464, 348), &jpeg.Options{Quality: 81}); err != nil {
			return err
		}
		photos[i] = buf.Bytes()
	}
	return b.makeTree("photos", 10_000, 1_000, ".JPEG", func(i int) ([]byte, error) {
		return commented(photos[i%bases], fmt.Sprintf("photo %d", i)), nil
	})
}

// commented is a JPEG file with a comment, so that each is another one.
func commented(photo []byte, text string) []byte {
	file := append([]byte(nil), photo[:2]...)
	file = append(file, 0xff, 0xfe)
	file = binary.BigEndian.AppendUint16(file, uint16(len(text)+2))
	file = append(file, text...)
	return append(file, photo[2:]...)
}

// makeIcons writes 60,000 PNG files of about 2 kB in 100 directories.
func (b *bench) makeIcons() error {
	return b.makeTree("icons", 60_000, 100, ".png", func(i int) ([]byte, error) {
		var buf bytes.Buffer
		err := png.Encode(&buf, speckles(i, 26, 26))
		return buf.Bytes(), err
	})
}

// speckles are an image that does not compress.
func speckles(seed, width, height int) image.Image {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			n := r.Uint32()
			img.SetRGBA(x, y, color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255})
		}
	}
	return img
}

func className(i int) string { return fmt.Sprintf("class%04d", i) }

// makeTree writes files into directories, which are their classes, unless they are
// there.
func (b *bench) makeTree(name string, files, directories int, extension string,
	content func(i int) ([]byte, error)) error {
	var classes strings.Builder
	for i := range directories {
		fmt.Fprintln(&classes, className(i))
	}
	for file, text := range map[string]string{
		name + ".txt":          classes.String(),
		name + ".yaml":         fmt.Sprintf(treeConfig, name, name+".txt"),
		name + "-auto.yaml":    fmt.Sprintf(treeConfig, name, "auto"),
		name + "-header.yaml":  fmt.Sprintf(treeConfig, name+", check: header", name+".txt"),
		name + "-samples.yaml": fmt.Sprintf(treeConfig, name, name+".txt") + "format: webdataset\n",
	} {
		if err := b.write(file, text); err != nil {
			return err
		}
	}
	mark := b.path(name + ".made")
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "making %s, %d files\n", name, files)
	for i := range files {
		data, err := content(i)
		if err != nil {
			return err
		}
		dir := filepath.Join(b.dir, name, className(i%directories))
		if i < directories {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%06d%s", i, extension)), data, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(mark, nil, 0o644)
}
