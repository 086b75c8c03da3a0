package statistics

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// float returns the number of a key of a float list.
func (s shape) float(key uint64) float64 { return math.Float64frombits(key) }

// compare compares numbers by their keys; NaN comes first.
func (s shape) compare(a, b uint64) int {
	if s.isFloat() {
		return cmp.Compare(s.float(a), s.float(b))
	}
	return cmp.Compare(int64(a), int64(b))
}

// format returns a number in decimal.
func (s shape) format(key uint64) string {
	if !s.isFloat() {
		return strconv.FormatInt(int64(key), 10)
	}
	return formatFloat(s.float(key), s.list)
}

// formatFloat returns the shortest decimal that parses to the same number in that list.
func formatFloat(f float64, of list) string {
	bits := 64
	if of == floatList {
		bits = 32
	}
	format := byte('f') // with the bounds of encoding/json and JavaScript
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, bits)
}

// formatString returns a string of at most maxShown bytes, and whether it is truncated. Bytes
// that are not UTF-8 are escaped.
func formatString(text []byte) (value string, isTruncated bool) {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		char := string(text[:size])
		if r == utf8.RuneError && size == 1 {
			char = fmt.Sprintf(`\x%02x`, text[0])
		}
		if b.Len()+len(char) > maxShown {
			return b.String(), true
		}
		b.WriteString(char)
		text = text[size:]
	}
	return b.String(), false
}

// figures computes the statistics of the images.
func (m *images) figures() *Images {
	i := &Images{Formats: []Top{}, Colorspaces: []Top{}, Channels: []Top{}, Unreadable: m.unreadable}
	for format, n := range m.formats {
		i.Formats = appendTop(i.Formats, formats[format], n)
	}
	for at, n := range m.colorspaces {
		i.Colorspaces = appendTop(i.Colorspaces, colorspaces[at], n)
	}
	for channels, n := range m.channels {
		i.Channels = appendTop(i.Channels, strconv.Itoa(channels), n)
	}
	width, height := finishedFrom(m.width), finishedFrom(m.height)
	i.Width, i.Height = *width.numbers(), *height.numbers()
	for _, c := range m.cells() {
		i.Grid = append(i.Grid, Cell{Width: stepMin(c.width), Height: stepMin(c.height), Count: m.grid[c]})
	}
	return i
}

// appendTop inserts a value that occurs, after the values with counts of at least n.
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
