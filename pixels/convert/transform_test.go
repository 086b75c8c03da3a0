package convert

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// TestTransform converts images whose pixels say where they are. The transform must move each pixel
// to where it is in the result.
func TestTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 5))
	background := 0
	for i := range testenv.Times(80, 2000, 2000) {
		width, height := 1+r.IntN(60), 1+r.IntN(60)
		spec, orientation := randomSpec(r), 1+i%8
		c := Converter{Spec: &spec, Content: true, Pixels: true}
		file := located(width, height, orientation)
		info := facts(t, file)
		converted, err := c.Convert(file, &info)
		transform, sizeErr := c.Transform(&info)
		if err != nil || sizeErr != nil {
			if fmt.Sprint(err) != fmt.Sprint(sizeErr) {
				t.Fatalf("%v, %v", err, sizeErr)
			}
			continue
		}
		name := fmt.Sprintf("%d x %d, orientation %d, %+v", width, height, orientation, transform)
		if transform.To != (geometry.Size{Width: converted.Facts.Width, Height: converted.Facts.Height}) {
			t.Fatalf("%s: the result has %d x %d pixels", name, converted.Facts.Width, converted.Facts.Height)
		}
		for y := range transform.To.Height {
			for x := range transform.To.Width {
				p := converted.Pixels[3*(y*transform.To.Width+x):]
				if p[2] == 255 {
					background++
					continue
				}
				fromX, fromY := float64(p[0]), float64(p[1])
				x0, y0, _, _ := transform.MovePoint(fromX, fromY, geometry.Pixel)
				x1, y1, _, _ := transform.MovePoint(fromX+1, fromY+1, geometry.Pixel)
				centerX, centerY := float64(x)+0.5, float64(y)+0.5
				const e = 1e-6
				if centerX < min(x0, x1)-e || centerX > max(x0, x1)+e || centerY < min(y0, y1)-e ||
					centerY > max(y0, y1)+e {
					t.Fatalf("%s: pixel %g %g moves to %g %g … %g %g, and is at %d %d", name, fromX, fromY, x0, y0,
						x1, y1, x, y)
				}
			}
		}
	}
	if background == 0 {
		t.Error("no image was padded")
	}
}

// located returns a PNG with an orientation. Red and green of a pixel are its x and y.
func located(width, height, orientation int) []byte {
	var m raster.Image
	m.Reshape(width, height, 3)
	for i := range width * height {
		m.Pix[3*i], m.Pix[3*i+1], m.Pix[3*i+2] = byte(i%width), byte(i/width), 0
	}
	var e raster.Encoder
	return insertOrientation(e.Append(nil, &m), &header.Info{Format: header.PNG, Orientation: orientation})
}

// randomSpec returns a conversion to PNG with the filter nearest, which copies pixels.
func randomSpec(r *rand.Rand) Spec {
	s := Spec{Orientation: []string{"apply", "keep"}[r.IntN(2)], Color: "keep", Background: "#0000ff", Format: "png",
		When: "always"}
	up := r.IntN(2) == 0
	switch r.IntN(4) {
	case 0:
		s.Resize = sized(1+r.IntN(80), 0, 0, 0, "contain", up)
	case 1:
		s.Resize = sized(0, 1+r.IntN(80), 0, 0, "contain", up)
	case 2:
		s.Resize = sized(0, 0, 1+r.IntN(80), 1+r.IntN(80), []string{"stretch", "contain", "cover", "pad"}[r.IntN(4)],
			up)
	}
	if s.Resize != nil {
		s.Resize.Filter = "nearest"
	}
	if r.IntN(2) == 0 {
		s.Crop = &Crop{Width: 1 + r.IntN(50), Height: 1 + r.IntN(50)}
	}
	return s
}
