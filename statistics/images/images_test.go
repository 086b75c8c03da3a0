package images_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/internal/imagetest"
	"tfr-build/message"
	"tfr-build/pixels/header"
	"tfr-build/schema/tfpb"
	"tfr-build/statistics"
	"tfr-build/statistics/images"
)

// example returns an Example whose features have strings.
func example(t *testing.T, features map[string][]string) []byte {
	t.Helper()
	m := &tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{}}}
	for key, values := range features {
		list := &tfpb.BytesList{}
		for _, v := range values {
			list.Value = append(list.Value, []byte(v))
		}
		m.Features.Feature[key] = &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: list}}
	}
	payload, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// document counts payloads in one split.
func document(l *statistics.Layout, payloads ...[]byte) *statistics.Document {
	c, s := l.NewCounter(), l.NewSummary(nil)
	c.Begin(s)
	for _, payload := range payloads {
		c.Add(payload)
	}
	c.End()
	return l.Document([]statistics.SplitSummary{{Name: "train", Summary: s}})
}

// TestImages compares the metadata of images in a key that the layout does not have, and in a known key.
func TestImages(t *testing.T) {
	var wide, square bytes.Buffer
	pixels := image.NewRGBA(image.Rect(0, 0, 300, 200))
	draw.Draw(pixels, pixels.Rect, image.White, image.Point{}, draw.Src)
	if err := errors.Join(png.Encode(&wide, pixels),
		jpeg.Encode(&square, pixels.SubImage(image.Rect(0, 0, 64, 64)), nil)); err != nil {
		t.Fatal(err)
	}
	var payloads [][]byte
	for _, data := range []string{wide.String(), square.String(), square.String(), wide.String()[:20]} {
		payloads = append(payloads, example(t, map[string][]string{"bytes": {"\xff"}, "image": {data},
			"mixed": {data, "text"}, "text": {"text"}}))
	}
	options := statistics.Options{Values: true, Images: images.Reader()}
	unknown := statistics.NewLayout(message.Example, nil, options)
	known := statistics.NewLayout(message.Example,
		[]statistics.Feature{{Key: "image", List: message.BytesList, Kind: statistics.Image}}, options)
	for _, l := range []*statistics.Layout{unknown, known} {
		d := document(l, payloads...)
		for i, want := range []statistics.Kind{statistics.Bytes, statistics.Image, statistics.Bytes, statistics.Text} {
			if got := d.Features[i].Kind; got != want {
				t.Errorf("%s is %s, expected %s", d.Features[i].Key, got, want)
			}
		}
		m := d.Features[1].Splits[0].Images
		got := fmt.Sprint(m.Formats, m.Colorspaces, m.Channels, m.Grid, m.Unreadable, m.Width.Mean, m.Height.Mean)
		const want = "[{jpeg false 2} {png false 1}] [{RGB false 3}] [{3 false 3}] [{64 64 2} {256 182 1}] 1 " +
			"142.66666666666666 109.33333333333333"
		if got != want {
			t.Errorf("%s\nexpected %s", got, want)
		}
	}
}

// TestCorpora counts each image of the corpora. Statistics have the format, the color space, the
// channels, and the size of its header.
func TestCorpora(t *testing.T) {
	r := images.Reader()
	found := map[string]int{}
	for _, sample := range imagetest.All(t) {
		info, err := header.Read(sample.Data, header.Limits{})
		if err != nil || info.Start > 0 {
			continue
		}
		odd := info.Format == header.JPEG && sample.Data[2] != 0xff // three files with junk there
		if !odd && !r.Begins(sample.Data) {
			t.Errorf("%s: the signature is not found", sample.Name)
		}
		l := statistics.NewLayout(message.None, []statistics.Feature{{List: message.BytesList, Kind: statistics.Image}},
			statistics.Options{Images: r})
		c, s := l.NewCounter(), l.NewSummary(nil)
		c.Begin(s)
		c.AddValue(sample.Data)
		c.End()
		m := l.Document([]statistics.SplitSummary{{Name: "train", Summary: s}}).Features[0].Splits[0].Images
		got := fmt.Sprintf("%v %v %v %s %s", m.Formats, m.Colorspaces, m.Channels, m.Width.Min, m.Height.Max)
		format := strings.ToLower(info.Format.String())
		if want := fmt.Sprintf("[{%s false 1}] [{%s false 1}] [{%d false 1}] %d %d", format, info.Colorspace,
			info.Channels, info.Width, info.Height); got != want {
			t.Errorf("%s: %s, expected %s", sample.Name, got, want)
		}
		found[format]++
	}
	if len(found) != 6 {
		t.Errorf("%v; expected images of six formats", found)
	}
}

// BenchmarkPhotos counts photos.
func BenchmarkPhotos(b *testing.B) {
	l := statistics.NewLayout(message.None, []statistics.Feature{{List: message.BytesList, Kind: statistics.Image}},
		statistics.Options{Images: images.Reader()})
	c := l.NewCounter()
	c.Begin(l.NewSummary(nil))
	photos := imagetest.Photos(b)
	for i := 0; b.Loop(); i++ {
		c.AddValue(photos[i%len(photos)].Data)
	}
	c.End()
}
