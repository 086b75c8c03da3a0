package convert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

var update = flag.Bool("update", false, "write testdata/results.golden afresh, with TFR_EXHAUSTIVE=1")

// asked are specs that ask for each thing alone and for several.
func asked() map[string]Spec {
	of := func(change func(s *Spec)) Spec {
		s := Spec{Orientation: "keep", Color: "keep", Background: "white", Format: "keep", Quality: 95,
			Subsampling: "420", When: "always"}
		change(&s)
		return s
	}
	specs := map[string]Spec{
		"nothing":     of(func(*Spec) {}),
		"turned":      of(func(s *Spec) { s.Orientation = "apply" }),
		"rgb as jpeg": of(func(s *Spec) { s.Color, s.Format, s.Background = "rgb", "jpeg", "#1070f0" }),
		"gray":        of(func(s *Spec) { s.Color, s.Background = "gray", "black" }),
		"rgb or gray": of(func(s *Spec) { s.Color, s.Format = "rgb_or_gray", "png" }),
		"indexes":     of(func(s *Spec) { s.Palette = "keep" }),
		"indexes, small": of(func(s *Spec) {
			s.Palette, s.Color, s.Orientation, s.Resize = "keep", "gray", "apply", sized(0, 0, 60, 50, "pad", false)
			s.Resize.Filter = "nearest"
		}),
		"quality 30": of(func(s *Spec) { s.Format, s.Quality, s.Subsampling = "jpeg", 30, "422" }),
		"all at once": of(func(s *Spec) {
			s.Orientation, s.Color, s.Format, s.Resize, s.Crop = "apply", "rgb", "jpeg", sized(40, 0, 0, 0, "contain",
				true), &Crop{Width: 32, Height: 36}
		}),
		"crop": of(func(s *Spec) { s.Crop = &Crop{Width: 25, Height: 20} }),
		"crop of pad": of(func(s *Spec) {
			s.Resize, s.Crop, s.Background = sized(0, 0, 30, 50, "pad", false), &Crop{Width: 45, Height: 33}, "#204060"
		}),
		"crop of gray": of(func(s *Spec) {
			s.Color, s.Resize, s.Crop = "gray", sized(0, 60, 0, 0, "contain", true), &Crop{Width: 20, Height: 10}
		}),
	}
	for _, filter := range []string{"auto", "nearest", "box", "bilinear", "bicubic", "lanczos", "area"} {
		for _, to := range []int{20, 101} {
			specs[fmt.Sprint("short ", to, " ", filter)] = of(func(s *Spec) {
				s.Resize = sized(to, 0, 0, 0, "contain", true)
				s.Resize.Filter, s.Subsampling, s.Quality = filter, "444", 90
			})
		}
	}
	for _, fit := range []string{"stretch", "contain", "cover", "pad"} {
		for _, up := range []bool{false, true} {
			specs[fmt.Sprint(fit, " ", up)] = of(func(s *Spec) {
				s.Resize, s.Color = sized(0, 0, 60, 50, fit, up), "rgb"
			})
		}
	}
	return specs
}

// A made is a case for the script: a spec and its result.
type made struct {
	Name         string
	Spec         Spec
	File, Result string // Result is empty where there is none
	Error        string
}

// inputs are images of all kinds.
func inputs(t testing.TB) []imagetest.Sample {
	return imagetest.Archive(t, "testdata/inputs.tar.gz")
}

// each converts all inputs in all ways, or in a sample of them.
func each(t *testing.T, visit func(name string, spec Spec, input imagetest.Sample, r Result, err error)) {
	specs, files, n := asked(), inputs(t), 0
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		spec := specs[name]
		c := Converter{Spec: &spec, Content: true}
		for _, input := range files {
			if n++; n%testenv.Times(7, 1, 1) > 0 {
				continue
			}
			facts, err := header.Read(input.Data, header.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := c.Convert(input.Data, &facts)
			visit(name, spec, input, r, err)
		}
	}
}

const golden = "testdata/results.golden"

// TestConvert compares results with digests of Pillow's and OpenCV's.
func TestConvert(t *testing.T) {
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var d raster.Decoder
	each(t, func(name string, spec Spec, input imagetest.Sample, r Result, err error) {
		want := fmt.Sprintf("%s %s: %s\n", name, input.Name, digest(t, &d, &r, err))
		if !strings.Contains("\n"+string(text), "\n"+want) {
			t.Errorf("%.60s is not what Pillow makes: %v", want, err)
		}
	})
	if t.Failed() {
		t.Logf("TFR_EXHAUSTIVE=1 go test ./pixels/convert -update writes what Pillow makes into %s", golden)
	}
}

// digest returns the digest that the script computes: of a JPEG's bytes without its EXIF data, or
// of an image's mode, size, and pixels.
func digest(t *testing.T, d *raster.Decoder, r *Result, err error) string {
	t.Helper()
	if err != nil {
		return "refused"
	}
	what := r.Content
	if r.Facts.Format == header.PNG {
		made, err := header.Read(r.Content, header.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Decode(r.Content, &made)
		if err != nil {
			t.Fatal(err)
		}
		mode := []string{"L", "LA", "RGB", "RGBA"}[m.Channels-1]
		what = append(fmt.Appendf(nil, "%s %dx%d ", mode, m.Width, m.Height), m.Pix...)
	} else if r.Facts.Orientation != 1 {
		what = slices.Delete(slices.Clone(what), 20, 22+int(what[22])<<8+int(what[23]))
	}
	sum := sha256.Sum256(what)
	return hex.EncodeToString(sum[:8])
}

// TestPillowMakesTheSame compares results with those of a script that uses Pillow and OpenCV:
// JPEGs byte for byte, PNGs pixel for pixel.
func TestPillowMakesTheSame(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	for _, input := range inputs(t) {
		testenv.Put(t, filepath.Join(dir, input.Name), string(input.Data))
	}
	var cases []made
	each(t, func(name string, spec Spec, input imagetest.Sample, r Result, err error) {
		m := made{Name: name, Spec: spec, File: filepath.Join(dir, input.Name),
			Result: filepath.Join(dir, fmt.Sprintf("result%d", len(cases)))}
		if err != nil {
			m.Error, m.Result = err.Error(), ""
		} else {
			testenv.Put(t, m.Result, string(r.Content))
		}
		cases = append(cases, m)
	})
	text, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "cases.json"), string(text))
	tftest.Run(t, "testdata/convert.py", "check", dir)
	if *update {
		made, err := os.ReadFile(filepath.Join(dir, "digests"))
		if err == nil {
			err = os.WriteFile(golden, made, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
