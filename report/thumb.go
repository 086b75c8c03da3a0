package report

import (
	"encoding/binary"

	"tfr-build/pixels/header"
	"tfr-build/pixels/jpeg"
	"tfr-build/pixels/raster"
)

// A Thumb is the thumbnail of an image of a record.
type Thumb struct {
	Split, Shard string
	Key          string // of the feature
	Record       int64  // its number in the shard, from 0
	Class, File  string // that the record has; empty: none
	JPEG         []byte // empty: the image is not shown, for it cannot be decoded or is very large
	Width        int    // of the image as it is seen
	Height       int
	Boxes        [][4]float64 // left, top, right, bottom, of 1, as they are seen
	More         int          // images of the record besides this one
}

// more returns how many more images the record has, as " +2"; empty: none.
func (t *Thumb) more() string {
	if t.More == 0 {
		return ""
	}
	return " +" + Grouped(int64(t.More))
}

// ThumbHeight is how high a thumbnail is, in pixels.
const ThumbHeight = 96

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

// ReadThumb is the Thumb of an image file whose pixels are not decoded yet, and what the file's
// header says. Split, Shard, Key, Record, and Boxes are for the caller to fill in.
func ReadThumb(data []byte) (t Thumb, info header.Info, err error) {
	if info, err = header.Read(data, header.Limits{}); err != nil {
		return Thumb{}, info, err
	}
	t = Thumb{Width: info.Width, Height: info.Height}
	if info.Orientation >= 5 {
		t.Width, t.Height = t.Height, t.Width
	}
	return t, info, nil
}

// EncodeJPEG makes the JPEG of a Thumb that Look returned, of at most that height. It is empty if the image is not
// shown.
func (s *Scratch) EncodeJPEG(data []byte, info *header.Info, t *Thumb, most int) []byte {
	if raster.Memory(data, info) > maxMemory {
		return nil
	}
	width, height := smallSize(t.Width, t.Height, most)
	if info.Orientation >= 5 {
		width, height = height, width
	}
	s.decoder.Small = info.Format == header.JPEG && info.Width >= 8*width && info.Height >= 8*height
	m, err := s.decoder.Decode(data, info)
	if err != nil {
		return nil
	}
	if m.Channels%2 == 0 { // laid over white, as the pages of viewers are
		raster.Flatten(&s.plain, m, [3]byte{255, 255, 255})
		m = &s.plain
	}
	average(&s.small, m, width, height)
	raster.Turn(&s.turned, &s.small, info.Orientation)
	jpg, err := s.encoder.Append(nil, s.turned.Pix, s.turned.Width, s.turned.Height, s.turned.Channels,
		&jpeg.Options{Quality: 55, Optimize: true})
	if err != nil {
		return nil
	}
	return jpg
}

// About how many bytes a page of 200 features and all thumbnails has, and of which parts.
const (
	pageBytes        = 600_000
	pageParts        = 67_000 // without features, and without the bytes of images
	featureBytes     = 2_300
	recordThumbBytes = 11_000
	manyFeatures     = 200 // from which on thumbnails do not get smaller
)

// thumbBytes is how many bytes the thumbnails of a page have together at most. In the page they have four for three.
func thumbBytes(features int) int {
	return (pageBytes-pageParts-featureBytes*min(features, manyFeatures))*3/4 - recordThumbBytes
}

// fit lowers the quality of the largest thumbnails until all have at most that many bytes.
func (s *Scratch) fit(thumbs []Thumb, most int) {
	total, first := 0, make([][]byte, len(thumbs))
	for i := range thumbs {
		first[i] = thumbs[i].JPEG
		total += len(first[i])
	}
	for _, quality := range [...]int{40, 25, 15, 8, 4, 2} {
		if total <= most {
			break
		}
		for i := range thumbs {
			t := &thumbs[i]
			if before := len(t.JPEG); before > most/len(thumbs) {
				t.JPEG = s.recode(first[i], quality)
				total += len(t.JPEG) - before
			}
		}
	}
}

// recode returns a JPEG of a lower quality, or the same one if that is smaller.
func (s *Scratch) recode(jpg []byte, quality int) []byte {
	info, err := header.Read(jpg, header.Limits{})
	if err != nil {
		return jpg
	}
	s.decoder.Small = false
	m, err := s.decoder.Decode(jpg, &info)
	if err != nil {
		return jpg
	}
	lower, err := s.encoder.Append(nil, m.Pix, m.Width, m.Height, m.Channels,
		&jpeg.Options{Quality: quality, Optimize: true})
	if err != nil || len(lower) >= len(jpg) {
		return jpg
	}
	return lower
}

// smallSize is the size of the thumbnail of an image: as high as that and at most twice as
// wide, and never larger than the image.
func smallSize(width, height, most int) (int, int) {
	w, h := width, height
	if h > most {
		w, h = max(width*most/height, 1), most
	}
	if w > 2*most {
		w, h = 2*most, max(height*2*most/width, 1)
	}
	return w, h
}

// average makes dst the image src at a size that is not larger: each sample is the
// average of those that it covers, rounded. Integers make it the same everywhere.
func average(dst, src *raster.Image, width, height int) {
	channels := src.Channels
	dst.Reshape(width, height, channels)
	line := src.Width * channels
	edges := make([]int, width+1)
	for x := range edges {
		edges[x] = x * src.Width / width
	}
	sums := make([]uint64, width*channels)
	columns := make([]uint64, (line+7)/8*2)
	all := make([]uint32, 4*len(columns))
	for y := range height {
		top, bottom := y*src.Height/height, (y+1)*src.Height/height
		clear(sums)
		for from := top; from < bottom; from += mostRows {
			clear(columns)
			for row := from; row < min(from+mostRows, bottom); row++ {
				addRow(columns, src.Pix[row*line:][:line])
			}
			addColumns(sums, columns, all, edges, channels)
		}
		out := dst.Pix[y*width*channels:]
		for x := range width {
			n := uint64((edges[x+1] - edges[x]) * (bottom - top))
			for c := range channels {
				out[x*channels+c] = byte((sums[x*channels+c] + n/2) / n)
			}
		}
	}
}

// mostRows is how many samples have a sum of 16 bits.
const mostRows = 256

// addRow adds the samples of a row to the sums of the columns: those of eight samples
// are two words, of the first, third … and of the second, fourth …, 16 bits each.
func addRow(columns []uint64, row []byte) {
	const low = 0x00ff00ff00ff00ff
	for ; len(row) >= 8 && len(columns) >= 2; row, columns = row[8:], columns[2:] {
		eight := binary.LittleEndian.Uint64(row)
		columns[0] += eight & low
		columns[1] += eight >> 8 & low
	}
	for i, sample := range row {
		columns[i%2] += uint64(sample) << (i / 2 * 16)
	}
}

// addColumns adds sums of columns to the sums of the pixels that cover them: pixel x
// the columns of samples from edges[x] up to edges[x+1]. line is room for the sums of
// all columns, one by one. Images are grey or RGB.
func addColumns(sums, columns []uint64, line []uint32, edges []int, channels int) {
	for i := 0; i+2 <= len(columns); i += 2 {
		even, odd := columns[i], columns[i+1]
		eight := (*[8]uint32)(line[4*i:])
		for j := range 4 {
			eight[2*j], eight[2*j+1] = uint32(even>>(16*j)&0xffff), uint32(odd>>(16*j)&0xffff)
		}
	}
	for x := range len(edges) - 1 {
		covered, to := line[edges[x]*channels:edges[x+1]*channels], sums[x*channels:][:channels]
		if channels != 3 {
			for _, sum := range covered {
				to[0] += uint64(sum)
			}
			continue
		}
		var red, green, blue uint32
		for ; len(covered) >= 3; covered = covered[3:] {
			red, green, blue = red+covered[0], green+covered[1], blue+covered[2]
		}
		to[0], to[1], to[2] = to[0]+uint64(red), to[1]+uint64(green), to[2]+uint64(blue)
	}
}
