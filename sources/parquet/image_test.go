package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/format"

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
		"struct.parquet": string(parquettest.File(2,
			parquettest.Column{Name: "photo.bytes", Values: pictures, Missing: []bool{false, true, false}},
			parquettest.Column{Name: "photo.path", Values: []string{"a.png", "b.png", "c.png"}})),
		"bytes.parquet": string(parquettest.File(3,
			parquettest.Column{Name: "photo", Values: pictures, Missing: []bool{false, true, false}})),
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

// TestListsOfImages reads a column of lists of images. A null list has no values, and a null in a list is a missing
// element.
func TestListsOfImages(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	one := append(binary.LittleEndian.AppendUint32(nil, uint32(picture.Len())), picture.Bytes()...)
	bad := append(binary.LittleEndian.AppendUint32(nil, 8), "no image"...)
	page := parquettest.Page{Type: format.ByteArray, IsBinary: true, Values: slices.Concat(one, one, one, bad)}
	for _, l := range []struct{ rep, def byte }{{0, 3}, {1, 3}, {0, 0}, {0, 1}, {0, 2}, {1, 3}, {0, 3}} {
		page.Repeats = append(page.Repeats, parquettest.Run{Level: l.rep, Count: 1})
		page.Levels = append(page.Levels, parquettest.Run{Level: l.def, Count: 1})
	}
	dir := testenv.Directory(t, map[string]string{"a.parquet": string(parquettest.File(5,
		parquettest.Column{Name: "photos", Pages: []parquettest.Page{page}}))})
	in, err := open(t, dir, &Options{Files: input.Files{Patterns: []string{"a.parquet"}}, Image: "photos"})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{{[]any{"PNG", "PNG"}, []any{"n:3", "n:3"}}, {nil, nil}, {[]any{}, []any{}},
		{[]any{nil, "PNG"}, []any{nil, "n:3"}}, {"IMG_FORMAT"}}
	inOrder, err := sequential(t, in, "image.format", "image.width")
	other, err2 := randomAccess(t, in, "image.format", "image.width")
	if err != nil || err2 != nil || !reflect.DeepEqual(inOrder, other) || fmt.Sprint(inOrder) != fmt.Sprint(want) {
		t.Errorf("\n got %v, %v\n and %v, %v\nwant %v", inOrder, err, other, err2, want)
	}
	if c, ok := in.Columns().Known("image"); !ok || !c.Image || !c.List || !slices.Equal(c.Shape, []int{-1}) {
		t.Errorf("the column image is %+v", c)
	}
}
