package report

import (
	"tfr-build/jpeg"
	"tfr-build/sources/image"
	"tfr-build/sources/image/raster"
)

// A Thumb is a small picture of an image of a record.
type Thumb struct {
	Split, Shard string
	Key          string // of the feature
	Record       int64  // its number in the shard, from 0
	JPEG         []byte // empty: the image is not shown, for it cannot be decoded or is very large
	Width        int    // of the image as it is seen
	Height       int
	Boxes        [][4]float64 // left, top, right, bottom, of 1, as they are seen
}

// The size of a thumbnail: as high as this, and at most as wide.
const (
	smallHeight = 96
	smallWidth  = 192
)

// maxMemory is how many bytes decoding an image may take, as its header tells.
const maxMemory = 96 << 20

// A Scratch makes thumbnails one after the other, and keeps its memory. The zero
// Scratch is ready for use.
type Scratch struct {
	decoder       raster.Decoder
	encoder       jpeg.Encoder
	plain         raster.Image // without alpha
	small, turned raster.Image
}

// Thumbnail makes a thumbnail of an image file. boxes are those of its pixels as
// they are stored; an orientation turns both. Split, Shard, Key and Record are for
// the caller to fill in.
func (s *Scratch) Thumbnail(data []byte, boxes [][4]float64) Thumb {
	facts, err := image.Read(data, image.Limits{})
	if err != nil {
		return Thumb{}
	}
	t := Thumb{Width: facts.Width, Height: facts.Height, Boxes: turnBoxes(boxes, facts.Orientation)}
	if facts.Orientation >= 5 {
		t.Width, t.Height = t.Height, t.Width
	}
	if memory(data, &facts) > maxMemory {
		return t
	}
	m, err := s.decoder.Decode(data, &facts)
	if err != nil {
		return t
	}
	if m.Channels%2 == 0 { // laid over white, as the pages of viewers are
		raster.Flatten(&s.plain, m, [3]byte{255, 255, 255})
		m = &s.plain
	}
	width, height := smallSize(t.Width, t.Height)
	if facts.Orientation >= 5 {
		width, height = height, width
	}
	average(&s.small, m, width, height)
	raster.Turn(&s.turned, &s.small, facts.Orientation)
	t.JPEG, err = s.encoder.Append(nil, s.turned.Pix, s.turned.Width, s.turned.Height, s.turned.Channels, &jpeg.Options{Quality: 55, Optimize: true})
	if err != nil {
		t.JPEG = nil
	}
	return t
}

// memory is about how many bytes decoding an image takes.
func memory(data []byte, facts *image.Facts) int64 {
	if facts.Format == image.JPEG {
		header, err := jpeg.ReadHeader(data)
		if err != nil {
			return 0 // the decoder says why
		}
		return header.Memory()
	}
	return int64(facts.Width) * int64(facts.Height) * 8
}

// smallSize is the size of the thumbnail of an image: never larger than that.
func smallSize(width, height int) (int, int) {
	w, h := width, height
	if h > smallHeight {
		w, h = max(width*smallHeight/height, 1), smallHeight
	}
	if w > smallWidth {
		w, h = smallWidth, max(height*smallWidth/width, 1)
	}
	return w, h
}

// average makes dst the image src at a size that is not larger: each sample is the
// average of those that it covers, rounded. Integers make it the same everywhere.
func average(dst, src *raster.Image, width, height int) {
	channels := src.Channels
	dst.Reshape(width, height, channels)
	sums := make([]uint64, width*channels)
	for y := range height {
		top, bottom := y*src.Height/height, (y+1)*src.Height/height
		clear(sums)
		for row := top; row < bottom; row++ {
			addRow(sums, src.Pix[row*src.Width*channels:][:src.Width*channels], channels)
		}
		out := dst.Pix[y*width*channels:]
		for x := range width {
			n := uint64(((x+1)*src.Width/width - x*src.Width/width) * (bottom - top))
			for c := range channels {
				out[x*channels+c] = byte((sums[x*channels+c] + n/2) / n)
			}
		}
	}
}

// addRow adds the samples of a row to the sums of the pixels that cover them.
func addRow(sums []uint64, row []byte, channels int) {
	width, from := len(sums)/channels, len(row)/channels
	for x := range width {
		begin, end := x*from/width*channels, (x+1)*from/width*channels
		for c := range channels {
			var sum uint64
			for i := begin + c; i < end; i += channels {
				sum += uint64(row[i])
			}
			sums[x*channels+c] += sum
		}
	}
}
