package statistics

import (
	"errors"
	"math"
	"math/bits"

	"tfr-build/pixels/image"
	"tfr-build/schema"
)

// images counts the metadata in the headers of images.
type images struct {
	withSignature int64 // values that begin with the signature of an image
	unreadable    int64
	formats       [image.WebP + 1]int64
	channels      [maxChannels + 1]int64
	colorspaces   [len(colorspaces)]int64
	width         logHistogram
	height        logHistogram
	grid          map[cell]int64
}

const maxChannels = 4

var colorspaces = [...]string{"RGB", "GRAY", "CMYK", "YCCK"}

// A cell is a range of widths and heights. Its fields are size steps, see [sizeStep].
type cell struct{ width, height uint8 }

// sizeStep returns the largest k with 2^(k/2) <= n.
func sizeStep(n int) uint8 {
	return uint8(bits.Len64(uint64(n)*uint64(n)) - 1)
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

func newImages() *images {
	return &images{width: newLogHistogram(bytesList), height: newLogHistogram(bytesList), grid: map[cell]int64{}}
}

// add counts an image n times.
func (m *images) add(data []byte, n int64) {
	facts, err := image.Read(data, image.Limits{Pixels: math.MaxInt64})
	if facts.Format != 0 {
		m.withSignature += n
	}
	if err != nil && !isUnsupported(err) || facts.Width <= 0 || facts.Height <= 0 || facts.Width > math.MaxInt32 || facts.Height > math.MaxInt32 {
		m.unreadable += n
		return
	}
	m.formats[facts.Format] += n
	if facts.Channels <= maxChannels {
		m.channels[facts.Channels] += n
	}
	for i, name := range colorspaces {
		if name == facts.Colorspace {
			m.colorspaces[i] += n
		}
	}
	m.width.addInt(int64(facts.Width), n)
	m.height.addInt(int64(facts.Height), n)
	m.grid[cell{sizeStep(facts.Width), sizeStep(facts.Height)}] += n
}

// isUnsupported reports whether the metadata is valid although common decoders cannot read the
// image.
func isUnsupported(err error) bool {
	var fault *schema.RowError
	return errors.As(err, &fault) && fault.Code == "IMG_UNSUPPORTED"
}

// imageBytes is a set of the bytes that an image may begin with, see [beginsImage].
var imageBytes = [4]uint64{1: 1<<('G'&63) | 1<<('B'&63) | 1<<('R'&63), 2: 1 << (0x89 & 63), 3: 1 << (0xff & 63)}

// mayBeginImage returns 1 for a byte that an image may begin with, and 0 for other bytes.
func mayBeginImage(first byte) uint64 { return imageBytes[first>>6] >> (first & 63) & 1 }

// beginsImage reports whether a value begins with the signature of an image.
func beginsImage(data []byte) bool {
	if len(data) < 4 {
		return false
	}
	switch data[0] {
	case 0xff:
		return data[1] == 0xd8 && data[2] == 0xff
	case 0x89:
		return string(data[:4]) == "\x89PNG"
	case 'G':
		return string(data[:4]) == "GIF8"
	case 'B':
		return data[1] == 'M' && len(data) >= 18 && data[15] == 0 && data[16] == 0 && data[17] == 0
	case 'R':
		return len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
	}
	return false
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
	*m = images{width: m.width, height: m.height, grid: m.grid}
}
