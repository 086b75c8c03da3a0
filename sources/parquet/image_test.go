package parquet

import (
	"bytes"
	"image"
	"image/png"
	"reflect"
	"testing"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// TestImages reads image columns: bytes, and structs of bytes and path. Some rows have no path.
func TestImages(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	pictures := [][]byte{picture.Bytes(), nil, []byte("no image")}
	dir := testenv.Directory(t, map[string]string{
		"struct.parquet": string(parquettest.File(2, parquettest.Column{Name: "photo.bytes", Values: pictures, Missing: []bool{false, true, false}},
			parquettest.Column{Name: "photo.path", Values: []string{"a.png", "b.png", "c.png"}})),
		"bytes.parquet": string(parquettest.File(3, parquettest.Column{Name: "photo", Values: pictures, Missing: []bool{false, true, false}})),
	})
	want := [][]any{{"PNG", "n:3", "n:2"}, {nil, nil, nil}, {"IMG_FORMAT"}}
	for _, name := range []string{"struct.parquet", "bytes.parquet"} {
		in, err := open(t, dir, &Options{Files: input.Files{Patterns: []string{name}}, Image: "photo"})
		if err != nil {
			t.Fatal(err)
		}
		columns := []string{"image.format", "image.width", "image.height"}
		one, err := sequential(t, in, columns...)
		other, err2 := randomAccess(t, in, columns...)
		if err != nil || err2 != nil || !reflect.DeepEqual(one, other) || !reflect.DeepEqual(one, want) {
			t.Errorf("%s:\n got %v, %v\n and %v, %v\nwant %v", name, one, err, other, err2, want)
		}
		if c, ok := in.Columns().Known("image"); !ok || !c.Image {
			t.Errorf("%s: the column image is %+v", name, c)
		}
	}
}
