package statistics

import (
	"math"
	"math/bits"
	"slices"
)

// An ImageReader finds out which values are images, and reads their headers. This package does not
// know any image format; package statistics/images has an ImageReader for all that tfr-build
// reads. The zero ImageReader finds no images.
type ImageReader struct {
	Begins func(value []byte) bool        // reports whether a value begins with the signature of an image
	Read   func(value []byte) ImageHeader // reads the header of a value
}

// An ImageHeader is the metadata of a value that is expected to be an image. Its names are those
// of [Images].
type ImageHeader struct {
	Format        string // jpeg, png, gif, bmp, webp, tiff; empty if the value has no signature of an image
	Colorspace    string // RGB, GRAY, CMYK, YCCK
	Channels      int
	Width, Height int // 0 if the header cannot be read
}

// orNone returns r with functions that find no images in place of nil.
func (r ImageReader) orNone() *ImageReader {
	if r.Begins == nil {
		r.Begins = func([]byte) bool { return false }
	}
	if r.Read == nil {
		r.Read = func([]byte) ImageHeader { return ImageHeader{} }
	}
	return &r
}

// images counts the metadata in the headers of images.
type images struct {
	reader        *ImageReader
	withSignature int64 // values that begin with the signature of an image
	unreadable    int64
	formats       [len(formats)]int64
	channels      [maxChannels + 1]int64
	colorspaces   [len(colorspaces)]int64
	width         logHistogram
	height        logHistogram
	grid          map[cell]int64
}

const maxChannels = 4

// The names that are counted. The first format is for other values.
var (
	formats     = [...]string{"", "jpeg", "png", "gif", "bmp", "webp", "tiff"}
	colorspaces = [...]string{"RGB", "GRAY", "CMYK", "YCCK"}
)

// A cell is a range of widths and heights. Its fields are size steps, see [sizeStep].
type cell struct{ width, height uint8 }

// sizeStep returns the largest k with 2^(k/2) <= n.
func sizeStep(n int) uint8 {
	return uint8(bits.Len64(uint64(n)*uint64(n)) - 1) // 2^(k/2) <= n as 2^k <= n²
}

// stepMin returns the least n with that size step.
func stepMin(step uint8) int64 {
	n := uint64(1) << (step / 2)
	if step%2 == 0 {
		return int64(n)
	}
	// Binary search for √(2^step), rounded up. It is less than 3/2 n.
	low, high := n, n+n/2+1
	for low < high {
		middle := (low + high) / 2
		if middle*middle < 1<<step {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return int64(low)
}

func newImages(reader *ImageReader) *images {
	return &images{reader: reader, width: newLogHistogram(bytesList), height: newLogHistogram(bytesList),
		grid: map[cell]int64{}}
}

// add counts an image n times.
func (m *images) add(value []byte, n int64) {
	h := m.reader.Read(value)
	if h.Format != "" {
		m.withSignature += n
	}
	if h.Width <= 0 || h.Height <= 0 || h.Width > math.MaxInt32 || h.Height > math.MaxInt32 {
		m.unreadable += n
		return
	}
	addName(m.formats[:], formats[:], h.Format, n)
	addName(m.colorspaces[:], colorspaces[:], h.Colorspace, n)
	if 0 <= h.Channels && h.Channels <= maxChannels {
		m.channels[h.Channels] += n
	}
	m.width.addInt(int64(h.Width), n)
	m.height.addInt(int64(h.Height), n)
	m.grid[cell{sizeStep(h.Width), sizeStep(h.Height)}] += n
}

// addName adds n to the count of a name.
func addName(counts []int64, names []string, name string, n int64) {
	if i := slices.Index(names, name); i >= 0 {
		counts[i] += n
	}
}

// merge adds the counts of others.
func (m *images) merge(others *images) {
	m.withSignature += others.withSignature
	m.unreadable += others.unreadable
	for i, n := range others.formats {
		m.formats[i] += n
	}
	for i, n := range others.channels {
		m.channels[i] += n
	}
	for i, n := range others.colorspaces {
		m.colorspaces[i] += n
	}
	m.width.merge(&others.width)
	m.height.merge(&others.height)
	for c, n := range others.grid {
		m.grid[c] += n
	}
}

// reset sets all counts to 0, and keeps the memory.
func (m *images) reset() {
	m.width.reset()
	m.height.reset()
	clear(m.grid)
	*m = images{reader: m.reader, width: m.width, height: m.height, grid: m.grid}
}
