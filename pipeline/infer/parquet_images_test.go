package infer_test

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
)

// TestParquetImages writes configs of Parquet files with images, as bytes and as structs of bytes and
// path. A row may have no image. check and try accept the configs.
func TestParquetImages(t *testing.T) {
	photos := imagetest.Photos(t)
	var images [][]byte
	var names []string
	var labels []int64
	for i := range testenv.Times(16, 40, 40) {
		images, names, labels = append(images, photos[i%18].Data), append(names, fmt.Sprintf("%d.jpg", i)), append(labels, int64(i%4))
	}
	some := make([]bool, len(images))
	some[3] = true
	broken := append([][]byte{[]byte("no image")}, images[1:]...)
	label := parquettest.Column{Name: "label", Values: labels}
	for name, of := range map[string]struct {
		columns []parquettest.Column
		want    []string
		without string
	}{
		"struct": {
			[]parquettest.Column{{Name: "photo.bytes", Values: images}, {Name: "photo.path", Values: names}, label},
			[]string{"    image: photo  ", "  image: {from: image}  ", "image/height: {from: image.height}", "  label: int64  "}, "photo.",
		},
		"bytes": {
			[]parquettest.Column{{Name: "photo", Values: images, Missing: some}, label},
			[]string{"    image: photo  ", "  image: {from: image, missing: omit}  ", "1 row without it", "image/width: {from: image.width, missing: omit}"}, "  photo: ",
		},
		"not all": {
			[]parquettest.Column{{Name: "photo.bytes", Values: broken}, {Name: "photo.path", Values: names}, label},
			[]string{"  photo/bytes: {from: photo.bytes, type: bytes}  ", "  photo/path: {from: photo.path, type: string}  "}, "image: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.parquet": string(parquettest.File(15, of.columns...))})
			c := written(t, dir, dir+"/a.parquet")
			for _, line := range of.want {
				if !strings.Contains(string(c.Text), line) {
					t.Errorf("%q is not in\n%s", line, c.Text)
				}
			}
			if strings.Contains(string(c.Text), of.without) {
				t.Errorf("%q is in\n%s", of.without, c.Text)
			}
			worksIn(t, dir, c)
		})
	}
}
