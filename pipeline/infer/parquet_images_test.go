package infer_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"

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
		images, names, labels = append(images, photos[i%18].Data), append(names, fmt.Sprintf("%d.jpg", i)),
			append(labels, int64(i%4))
	}
	some := make([]bool, len(images))
	some[3] = true
	broken := append([][]byte{[]byte("no image")}, images[1:]...)
	label := parquettest.Column{Name: "label", Values: labels}
	list := parquettest.Page{Type: format.ByteArray, IsBinary: true} // a row has two images, or none
	for i := range len(images) / 2 {
		for _, data := range images[2*i : 2*i+2] {
			list.Values = append(binary.LittleEndian.AppendUint32(list.Values, uint32(len(data))), data...)
		}
		list.Repeats = append(list.Repeats, parquettest.Run{Level: 0, Count: 1}, parquettest.Run{Level: 1, Count: 1},
			parquettest.Run{Level: 0, Count: 1})
		list.Levels = append(list.Levels, parquettest.Run{Level: 3, Count: 2}, parquettest.Run{Level: 1, Count: 1})
	}
	run := func(level byte, count int) parquettest.Run { return parquettest.Run{Level: level, Count: count} }
	gaps := parquettest.Page{Type: format.ByteArray, IsBinary: true, Values: []byte("\x02\x00\x00\x00\xff\x01"),
		Repeats: []parquettest.Run{run(0, 1), run(1, 1), run(0, 1)}, // a value and a missing one, and no list
		Levels:  []parquettest.Run{run(3, 1), run(2, 1), run(0, 1)}}
	for name, of := range map[string]struct {
		columns []parquettest.Column
		want    []string
		without string
	}{
		"struct": {
			[]parquettest.Column{{Name: "photo.bytes", Values: images}, {Name: "photo.path", Values: names}, label},
			[]string{"    image: photo  ", "  image: {from: image}  ", "image/height: {from: image.height}",
				"  label: int64  ", "photo/path: {from: photo.path, type: string}"},
			"photo.bytes",
		},
		"bytes": {
			[]parquettest.Column{{Name: "photo", Values: images, Missing: some}, label},
			[]string{"    image: photo  ", "  image: {from: image, missing: omit}  ", "1 row without it",
				"image/width: {from: image.width, missing: omit}"}, "  photo: ",
		},
		"lists": {
			[]parquettest.Column{{Name: "photos", Pages: []parquettest.Page{list}}, label},
			[]string{"    image: photos  ", "  image: {from: image}  ", "image/height: {from: image.height}",
				"  label: int64  "}, "photos:",
		},
		"lists of bytes": {
			[]parquettest.Column{{Name: "l", Pages: []parquettest.Page{gaps}}, {Name: "n", Values: []int64{1, 2}}},
			[]string{`  # "l" is skipped  `, "1 of 2 elements missing, and 1 list: no key reads both"}, "json(",
		},
		"not all": {
			[]parquettest.Column{{Name: "photo.bytes", Values: broken}, {Name: "photo.path", Values: names}, label},
			[]string{"  photo/bytes: {from: photo.bytes, type: bytes}  ",
				"  photo/path: {from: photo.path, type: string}  "},
			"image: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			rows := 15
			if name == "lists" {
				rows = len(labels) // pages of lists are in one row group
			}
			dir := testenv.Directory(t, map[string]string{"a.parquet": string(parquettest.File(rows, of.columns...))})
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
