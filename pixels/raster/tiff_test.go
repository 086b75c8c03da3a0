package raster_test

import (
	"bytes"
	"errors"
	"fmt"
	stdimage "image"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"tfr-build/internal/cost"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pixels/header"
	"tfr-build/pixels/raster"
)

// tiffs returns the TIFFs of the corpora that are read.
func tiffs(t testing.TB) (list []imagetest.Sample) {
	for _, s := range samples(t) {
		if f, err := header.Read(s.Data, limits); err == nil && f.Format == header.TIFF {
			list = append(list, s)
		}
	}
	if len(list) < 10 {
		t.Fatalf("%d TIFFs", len(list))
	}
	return list
}

// TestTIFFBroken truncates TIFFs and flips bits: a decoder neither panics nor takes what the size
// does not need.
func TestTIFFBroken(t *testing.T) {
	var d raster.Decoder
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range tiffs(t) {
		for range 40 {
			data := bytes.Clone(s.Data)
			for range 1 + r.IntN(3) {
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
			data = data[:len(data)-r.IntN(2)*r.IntN(len(data))]
			facts, err := header.Read(data, header.Limits{Pixels: 1 << 20})
			if err != nil {
				continue
			}
			if _, err := d.Decode(data, &facts); err != nil && !strings.HasPrefix(code(err), "IMG_") {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
}

// makeTIFFs has Pillow write TIFFs of each kind that is read, each with its pixels after the upper
// bytes of 16 bits are taken.
const makeTIFFs = `
import sys, numpy as np
from PIL import Image
rng = np.random.default_rng(5)
n = 0
for mode, channels in (("1", 1), ("L", 1), ("RGB", 3), ("RGBA", 4), ("P", 1), ("I;16", 1)):
    for compression in ("raw", "tiff_lzw", "tiff_deflate", "tiff_adobe_deflate", "packbits", "group4"):
        if compression == "group4" and mode != "1":
            continue
        for size in ((1, 1), (33, 17), (200, 130)):
            for tags in ({}, {278: 7}, {317: 2}) if mode != "1" else ({262: 0}, {262: 0, 278: 7}):
                if 317 in tags and compression in ("raw", "packbits"):
                    continue
                w, h = size
                a = rng.integers(0, 256, (h, w, channels), dtype=np.uint8)
                a[: h // 2] = a[:1]  # runs for PackBits
                a[:, : w // 3] = 7
                if mode == "1":
                    im = Image.fromarray(a[..., 0] >> 7 << 7).convert("1")
                elif mode == "I;16":
                    im = Image.fromarray((a[..., 0].astype(np.uint16) << 8) + 77)
                elif mode == "P":
                    im = Image.fromarray(a[..., 0]).convert("P")
                    im.putpalette(rng.integers(0, 256, 768, dtype=np.uint8).tobytes())
                else:
                    im = Image.fromarray(a[..., 0] if channels == 1 else a)
                name = f"{sys.argv[1]}/{n}"
                im.save(name + ".tif", compression=None if compression == "raw" else compression, tiffinfo=tags)
                back = Image.open(name + ".tif")
                assert back.mode == mode, (back.mode, mode)
                if mode in "P1":
                    a = np.asarray(back.convert("RGB" if mode == "P" else "L"))
                open(name + ".pixels", "wb").write(np.ascontiguousarray(a).tobytes())
                n += 1
`

// TestTIFFAgainstPillow reads what Pillow writes.
func TestTIFFAgainstPillow(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "make.py"), makeTIFFs)
	tftest.Run(t, filepath.Join(dir, "make.py"), dir)
	read := func(n int, ext string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.%s", n, ext)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		return data
	}
	var d raster.Decoder
	n := 0
	for ; ; n++ {
		data, want := read(n, "tif"), read(n, "pixels")
		if data == nil {
			break
		}
		facts, err := header.Read(data, header.Limits{})
		if err == nil {
			err = facts.Verify(data, header.Structure)
		}
		if err != nil {
			t.Errorf("%d: %v", n, err)
			continue
		}
		m, err := d.Decode(data, &facts)
		if err != nil || !bytes.Equal(m.Pix, want) {
			t.Errorf("%d: %+v: other pixels than Pillow's, or %v", n, facts, err)
		}
	}
	if n < 100 {
		t.Errorf("only %d files", n)
	}
}

// FuzzTIFF checks that no TIFF makes the decoder panic or take long.
func FuzzTIFF(f *testing.F) {
	for _, s := range tiffs(f) {
		if len(s.Data) < 8<<10 {
			f.Add(s.Data)
		}
	}
	for _, m := range []stdimage.Image{stdimage.NewGray16(stdimage.Rect(0, 0, 5, 3)),
		stdimage.NewNRGBA(stdimage.Rect(0, 0, 3, 4)), stdimage.NewGray(stdimage.Rect(0, 0, 9, 2))} {
		for _, o := range []tiff.Options{{}, {Compression: tiff.Deflate, Predictor: true}} {
			var b bytes.Buffer
			if err := tiff.Encode(&b, m, &o); err != nil {
				f.Fatal(err)
			}
			f.Add(b.Bytes())
		}
	}
	var d raster.Decoder
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := header.Read(data, header.Limits{Pixels: 1 << 16})
		if err != nil || facts.Format != header.TIFF {
			return
		}
		cost.Within(t, len(data)+1<<18, func() { _, _ = d.Decode(data, &facts) })
	})
}
