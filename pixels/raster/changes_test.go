package raster_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// backgrounds are those of changes.py.
var backgrounds = map[string][3]byte{
	"#ffffff": {255, 255, 255}, "#000000": {}, "#336699": {0x33, 0x66, 0x99}, "#808080": {0x80, 0x80, 0x80},
}

// changed applies to src the change of a line of changes.golden.
func changed(t *testing.T, dst, src *raster.Image, what string) {
	kind, rest, _ := strings.Cut(what, " ")
	switch kind {
	case "turn":
		raster.Turn(dst, src, int(rest[0]-'0'))
	case "gray":
		raster.Gray(dst, src)
	case "rgb":
		raster.RGB(dst, src)
	case "flatten":
		raster.Flatten(dst, src, backgrounds[rest])
	case "pad":
		if rest == "cut" {
			raster.Pad(dst, src, 20, 10, -5, -3, backgrounds["#336699"])
		} else {
			raster.Pad(dst, src, 50, 40, 7, 9, backgrounds[rest])
		}
	default:
		t.Fatalf("unknown change %q", what)
	}
}

// picturesToChange returns the images of changes.py by name.
func picturesToChange(t *testing.T) map[string]*raster.Image {
	list := map[string]*raster.Image{"levels": levels()}
	for _, s := range imagetest.Archive(t, "testdata/made.tar.gz") {
		if !strings.HasPrefix(s.Name, "raster/png-") {
			continue
		}
		facts, err := header.Read(s.Data, limits)
		if err != nil {
			t.Fatal(err)
		}
		var d raster.Decoder
		m, err := d.Decode(s.Data, &facts)
		if err != nil {
			t.Fatal(s.Name, err)
		}
		list[strings.TrimSuffix(strings.TrimPrefix(s.Name, "raster/"), ".png")] = m
	}
	return list
}

// levels returns an image with each combination of sample and alpha.
func levels() *raster.Image {
	m := &raster.Image{}
	m.Reshape(256, 256, 4)
	for y := range 256 {
		for x := range 256 {
			copy(m.Pix[4*(256*y+x):], []byte{byte(x), byte(x), byte(y), byte(y)})
		}
	}
	return m
}

// TestChanges compares each change with Pillow's result.
func TestChanges(t *testing.T) {
	golden, err := os.ReadFile("testdata/changes.golden")
	if err != nil {
		t.Fatal(err)
	}
	pictures := picturesToChange(t)
	var dst raster.Image // one for all: what it held must not show
	for line := range strings.Lines(string(golden)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		src := pictures[part[0]]
		before := bytes.Clone(src.Pix)
		changed(t, &dst, src, part[1])
		got := fmt.Sprintf("%dx%dx%d %08x", dst.Width, dst.Height, dst.Channels, crc32.ChecksumIEEE(dst.Pix))
		if got != part[2] {
			t.Errorf("%s, %s: %s, Pillow %s", part[0], part[1], got, part[2])
		}
		if !bytes.Equal(src.Pix, before) {
			t.Errorf("%s, %s: the source was changed", part[0], part[1])
		}
	}
}

// TestChangesGolden compares the golden file with the installed Pillow.
func TestChangesGolden(t *testing.T) {
	tftest.Python(t) // skips
	out := filepath.Join(t.TempDir(), "out")
	tftest.Run(t, "testdata/changes.py", out)
	said, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/changes.golden", said, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if golden, err := os.ReadFile("testdata/changes.golden"); err != nil || !bytes.Equal(golden, said) {
		t.Errorf("changes.golden is not what Pillow says (%v); -update writes it", err)
	}
}

// TestChangesInPlace checks that the result is the same if dst is src, where that is allowed.
func TestChangesInPlace(t *testing.T) {
	for name, src := range picturesToChange(t) {
		for _, what := range []string{"gray", "rgb", "flatten #808080"} {
			if what == "rgb" && src.Channels < 3 {
				continue
			}
			var dst raster.Image
			changed(t, &dst, src, what)
			same := raster.Image{Width: src.Width, Height: src.Height, Channels: src.Channels,
				Pix: bytes.Clone(src.Pix)}
			changed(t, &same, &same, what)
			if !bytes.Equal(dst.Pix, same.Pix) || dst.Channels != same.Channels {
				t.Errorf("%s, %s: otherwise in place", name, what)
			}
		}
	}
}

// TestGrayRounds converts colors whose gray is halfway between two integers.
func TestGrayRounds(t *testing.T) {
	found := 0
	for c := range 1 << 24 {
		r, g, b := c>>16, c>>8&255, c&255
		sum := 19595*r + 38470*g + 7471*b
		if sum&0xffff != 0x8000 {
			continue
		}
		found++
		var dst raster.Image
		raster.Gray(&dst, &raster.Image{Width: 1, Height: 1, Channels: 3, Pix: []byte{byte(r), byte(g), byte(b)}})
		if int(dst.Pix[0]) != sum>>16+1 {
			t.Fatalf("%d %d %d: %d", r, g, b, dst.Pix[0])
		}
		if found == 10 {
			return
		}
	}
	if found == 0 {
		t.Error("there is none")
	}
}
