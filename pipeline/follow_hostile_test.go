package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/internal/testenv"
)

// TestHostileMasks rejects rows with files that cannot be masks of their image.
func TestHostileMasks(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 40, 20)), nil); err != nil {
		t.Fatal(err)
	}
	good := palettedOf(t, 40, 20, 0)
	for _, tt := range []struct{ name, mask, keys, want string }{
		{"another size", palettedOf(t, 20, 40, 0), "", "the mask has 20 x 40 pixels; expected 40 x 20, as its image"},
		{"2^40 pixels", sizedPNG(good, 1<<20, 1<<20), "", "1048576 x 1048576 pixels are more than the limit"},
		{"a header alone", sizedPNG(good, 40, 20)[:33], "", "the mask: "},
		{"a cut file", good[:len(good)-20], "", "the mask: "},
		{"no image", "no image", "", "the mask: "},
		{"an empty file", "", "", "the mask: "},
		{"JPEG", photo.String(), "", "the mask is a JPEG file; expected PNG"},
		{"a fill of more bits", good, ", fill: 16", "fill is 16, but the mask has 4 bits per sample"},
	} {
		dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20), "masks/p.png": tt.mask})
		cfg := load(t, dir, "name: d\noutput: out\nsource: {images: {dir: pics, convert: {resize: {width: 30, "+
			"height: 30, fit: pad}, masks: [{column: mask"+tt.keys+"}]}}}\n"+
			"load: {mask: {path: '{stem}.png', dir: masks, as: bytes}}\nfeatures: {image: bytes, mask: bytes}\n")
		if _, err := buildTo(t, cfg, ways[0]); err == nil || !strings.Contains(err.Error(), tt.want) ||
			!strings.Contains(err.Error(), `"mask"`) {
			t.Errorf("%s: %v; want %s", tt.name, err, tt.want)
		}
	}
}

// sizedPNG returns a PNG file whose header claims a size.
func sizedPNG(file string, width, height uint32) string {
	b := []byte(file)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return string(b)
}

// TestManyMasks bounds the pixels of all masks of a row together, and names what to raise.
func TestManyMasks(t *testing.T) {
	const run, ofRuns = `{"size": [20, 40], "counts": [800]}`, "m: {from: 'm.*', type: bytes, shape: [-1]}"
	tooMany := testenv.Times(210_000, 1_000_000, 1_000_000)
	repeat := func(n int, text string) string { return strings.Repeat(text+", ", n-1) + text }
	var names, loads, features []string // of ten masks that are files
	for i := range 10 {
		names, loads = append(names, fmt.Sprintf("f%d", i)), append(loads,
			fmt.Sprintf("f%d: {path: '{stem}.png', dir: masks, as: bytes}", i))
		features = append(features, fmt.Sprintf("f%d: bytes", i))
	}
	files, load10 := strings.Join(features, ", "), "load: {"+strings.Join(loads, ", ")+"}\n"
	for _, tt := range []struct{ name, resize, mask, keys, features, load, want string }{
		{"as many as may be", "short: 10", repeat(9, run), "{rle: m.*}", ofRuns, "", ""},
		{"one more", "short: 10", repeat(10, run), "{rle: m.*}", ofRuns, "",
			`column "m.*": with 10 of 40 x 20 pixels, the images and masks of the row have 8800 pixels; the limit ` +
				`is 8000, 10 times limits.pixels`},
		{"many", "short: 10", repeat(100_000, run), "{rle: m.*}", ofRuns, "", "have 80000800 pixels"},
		{"far too many", "short: 10", repeat(tooMany, run), "{rle: m.*}", ofRuns, "",
			fmt.Sprintf("the lists of the row have %d elements, which take %d bytes of memory, 64 each; "+
				"limits.record is 67108864", 5*tooMany, 5*64*tooMany)},
		{"runs of masks that stay", "short: 20", repeat(20, run), "{rle: m.*}", ofRuns, "",
			"with 20 of 40 x 20 pixels"},
		{"larger results", "width: 80, height: 10, up: true, fit: stretch", repeat(10, run), "{rle: m.*}", ofRuns, "",
			"have 8800 pixels"},
		{"files", "short: 10", run, strings.Join(names, ", "), files, load10,
			`column "f9": with 1 of 40 x 20 pixels, the images and masks of the row have 8800 pixels`},
		{"files that stay", "short: 20", run, strings.Join(names, ", "), files, load10, ""},
	} {
		dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20),
			"masks/p.png": palettedOf(t, 40, 20, 0), "m.jsonl": `{"filename": "p.png", "m": [` + tt.mask + "]}\n"})
		cfg := load(t, dir, "name: d\noutput: out\nlimits: {pixels: 800}\nsource: {images: {dir: pics, convert: "+
			"{resize: {"+tt.resize+"}, masks: ["+tt.keys+"]}}}\n"+
			"join: [{jsonl: {files: m.jsonl}, on: filename}]\n"+tt.load+"features: {image: bytes, "+tt.features+"}\n")
		_, err := buildTo(t, cfg, ways[0])
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %s", tt.name, err, tt.want)
		}
	}
}

// A countedContext counts how often it is asked whether it ended. It ends after a number of times.
type countedContext struct {
	context.Context
	looks atomic.Int64
	after int64
}

func (c *countedContext) Err() error {
	if c.looks.Add(1) > c.after {
		return context.Canceled
	}
	return nil
}

// TestStopsBetweenMasks ends a build and a check in the middle of a row with many masks.
func TestStopsBetweenMasks(t *testing.T) {
	const masks, after = 2000, 1000
	run := `{"size": [20, 40], "counts": [800]}`
	dir := testenv.Directory(t, map[string]string{"pics/p.png": pictureOf(t, 40, 20),
		"m.jsonl": `{"filename": "p.png", "m": [` + strings.Repeat(run+", ", masks-1) + run + "]}\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {images: {dir: pics, convert: {resize: {short: 10}, masks: "+
		"[{rle: m.*}]}}}\n"+
		"join: [{jsonl: {files: m.jsonl}, on: filename}]\nfeatures: {m: {from: 'm.*', type: bytes, shape: [-1]}}\n")
	for name, do := range map[string]func(context.Context) error{
		"build": func(ctx context.Context) error {
			_, err := Build(ctx, cfg, ways[0].run(filepath.Join(t.TempDir(), "out")))
			return err
		},
		"check": func(ctx context.Context) error {
			return Check(ctx, cfg, ways[0].run(filepath.Join(t.TempDir(), "out")))
		},
	} {
		ctx := &countedContext{Context: t.Context(), after: after}
		if err := do(ctx); err == nil || ctx.looks.Load() > after+100 {
			t.Errorf("%s: %v, looked %d times for %d masks", name, err, ctx.looks.Load(), masks)
		}
	}
}
