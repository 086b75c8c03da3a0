package statistics

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/sources/image"
)

// float is the number of a key of floats.
func (s shape) float(key uint64) float64 { return math.Float64frombits(key) }

// compare orders numbers by their keys; NaN comes first.
func (s shape) compare(a, b uint64) int {
	if s.isFloat() {
		return cmp.Compare(s.float(a), s.float(b))
	}
	return cmp.Compare(int64(a), int64(b))
}

// show is a number in decimal.
func (s shape) show(key uint64) string {
	if !s.isFloat() {
		return strconv.FormatInt(int64(key), 10)
	}
	return showFloat(s.float(key), s.list)
}

// showFloat is the shortest decimal that is the same number in that list.
func showFloat(f float64, of list) string {
	bits := 64
	if of == floatList {
		bits = 32
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, bits)
}

// showText is the beginning of a text, and whether that is not all of it. Bytes
// that are no UTF-8 are escaped.
func showText(text []byte) (value string, isCut bool) {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		piece := string(text[:size])
		if r == utf8.RuneError && size == 1 {
			piece = fmt.Sprintf(`\x%02x`, text[0])
		}
		if b.Len()+len(piece) > shown {
			return b.String(), true
		}
		b.WriteString(piece)
		text = text[size:]
	}
	return b.String(), false
}

// finish are the facts of images.
func (m *images) finish() *Images {
	i := &Images{Formats: []Top{}, Colorspaces: []Top{}, Channels: []Top{}, Unreadable: m.unreadable}
	for format, n := range m.formats {
		i.Formats = appendTop(i.Formats, strings.ToLower(image.Format(format).String()), n)
	}
	for at, n := range m.colorspaces {
		i.Colorspaces = appendTop(i.Colorspaces, colorspaces[at], n)
	}
	for channels, n := range m.channels {
		i.Channels = appendTop(i.Channels, strconv.Itoa(channels), n)
	}
	width, height := endingOf(m.width), endingOf(m.height)
	i.Width, i.Height = *width.numbers(), *height.numbers()
	for _, c := range m.cells() {
		i.Grid = append(i.Grid, Cell{Width: least(c.width), Height: least(c.height), Count: m.grid[c]})
	}
	return i
}

// appendTop adds a value that occurs, behind those that are as frequent.
func appendTop(tops []Top, value string, n int64) []Top {
	if n == 0 {
		return tops
	}
	tops = append(tops, Top{Value: value, Count: n})
	for i := len(tops) - 1; i > 0 && tops[i-1].Count < tops[i].Count; i-- {
		tops[i-1], tops[i] = tops[i], tops[i-1]
	}
	return tops
}
