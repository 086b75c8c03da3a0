package convert

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"math"
	"os"
	"slices"
	"testing"

	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
)

// answers are what albumentations and pycocotools make, as testdata/coordinates.py writes it.
type answers struct {
	Albumentations, Pycocotools, Numpy string

	Moved []struct {
		Width, Height, Orientation, Short, Long int
		Crop                                    []int
		MinVisible                              float64 `json:"min_visible"`
		Boxes                                   [][4]float64
		Points                                  [][2]float64
		Result                                  struct {
			Width, Height int
			Numbers       []int
			Boxes         [][4]float64
			Points        [][2]float64
		}
	}
	Encoded []struct {
		Size   [2]int
		Counts string
		Runs   []int64
	}
}

func readAnswers(t *testing.T) (a answers) {
	t.Helper()
	text, err := os.ReadFile("testdata/coordinates.json")
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil || a.Albumentations != "2.0.8" || a.Pycocotools != "2.0.11" || len(a.Moved) < 80 ||
		len(a.Encoded) < 68 {
		t.Fatalf("%v, versions %q and %q, %d and %d cases", err, a.Albumentations, a.Pycocotools, len(a.Moved),
			len(a.Encoded))
	}
	return a
}

// TestAlbumentations compares boxes and points with those of albumentations, which computes in float32.
func TestAlbumentations(t *testing.T) {
	const tolerance = 0.01
	dropped := 0
	for i, c := range readAnswers(t).Moved {
		spec := plain()
		spec.Orientation = "apply"
		if c.Short+c.Long > 0 {
			spec.Resize = sized(c.Short, c.Long, 0, 0, "contain", true)
		}
		if c.Crop != nil {
			spec.Crop = &Crop{Width: c.Crop[0], Height: c.Crop[1]}
		}
		converter := Converter{Spec: &spec}
		transform, err := converter.Transform(&header.Info{Width: c.Width, Height: c.Height, Orientation: c.Orientation,
			Format: header.PNG, Depth: 8})
		if err != nil || transform.To != (geometry.Size{Width: c.Result.Width, Height: c.Result.Height}) {
			t.Errorf("case %d: %+v, %v; want %d x %d", i, transform, err, c.Result.Width, c.Result.Height)
			continue
		}
		rule := geometry.BoxRule{MinVisible: c.MinVisible}
		var numbers []int
		for n, box := range c.Boxes {
			to, kept, err := transform.MoveBox(box, &rule)
			if err != nil {
				t.Fatal(err)
			}
			if !kept {
				dropped++
				continue
			}
			at := slices.Index(c.Result.Numbers, n)
			if numbers = append(numbers, n); at < 0 {
				continue
			}
			for k, want := range c.Result.Boxes[at] {
				if math.Abs(to[k]-want) > tolerance {
					t.Errorf("case %d, box %d: %v, want %v", i, n, to, c.Result.Boxes[at])
					break
				}
			}
		}
		if !slices.Equal(numbers, c.Result.Numbers) {
			t.Errorf("case %d: the boxes %v stay, want %v", i, numbers, c.Result.Numbers)
		}
		for n, p := range c.Points {
			x, y, _, err := transform.MovePoint(p[0], p[1], geometry.Pixel)
			if want := c.Result.Points[n]; err != nil || math.Abs(x-want[0]) > tolerance ||
				math.Abs(y-want[1]) > tolerance {
				t.Errorf("case %d, point %d: %g %g, want %v", i, n, x, y, want)
			}
		}
	}
	if dropped < 20 {
		t.Errorf("only %d boxes are dropped", dropped)
	}
}

// TestPycocotools compares masks in runs, as strings and as numbers, with those of pycocotools.
func TestPycocotools(t *testing.T) {
	var m MaskConverter
	for i, c := range readAnswers(t).Encoded {
		runs, err := ParseRuns(nil, []byte(c.Counts))
		if err != nil || !slices.Equal(runs, c.Runs) {
			t.Errorf("mask %d: %v, want the runs %v", i, err, c.Runs)
			continue
		}
		size := geometry.Size{Width: c.Size[1], Height: c.Size[0]}
		file, err := m.AppendRuns(nil, runs, size.Width, size.Height,
			&geometry.Transform{Orientation: 1, From: size, New: size, To: size}, 0)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		var want []byte // column by column
		for k, n := range c.Runs {
			want = append(want, bytes.Repeat([]byte{byte(k & 1)}, int(n))...)
		}
		for k, v := range want {
			if got := decoded.(*image.Gray).GrayAt(k/size.Height, k%size.Height).Y; got != v {
				t.Fatalf("mask %d: pixel %d is %d, want %d", i, k, got, v)
			}
		}
	}
}
