package report

import (
	"html/template"
	"strconv"
)

// The heat map of sizes, in pixels.
const (
	heatLeft   = 46 // of the cells: there stand the heights
	heatBottom = 32 // below them: there stand the widths
	heatTop    = 6
	heatShades = 6
)

// heat draws how many images have which width and height, the wide ones to the
// right and the high ones at the top.
func (v *imageView) heat(cells map[[2]int]int64) {
	if len(cells) == 0 {
		return
	}
	low, high := [2]int{1 << 30, 1 << 30}, [2]int{}
	var most int64
	var at [2]int
	for c, n := range cells {
		for k := range c {
			low[k], high[k] = min(low[k], c[k]), max(high[k], c[k])
		}
		if n > most || n == most && (c[0] < at[0] || c[0] == at[0] && c[1] < at[1]) {
			most, at = n, c
		}
	}
	for k := range low { // a margin, and an axis with two labels
		low[k], high[k] = max((low[k]-1)/2*2, 0), (high[k]+2)/2*2
	}
	columns, rows := high[0]-low[0], high[1]-low[1]
	side := min(max(360/max(columns, rows), 9), 30)
	v.Width, v.Height = heatLeft+columns*side+24, heatTop+rows*side+heatBottom
	var dst []byte
	for y := range rows {
		for x := range columns {
			n := cells[[2]int{low[0] + x, high[1] - 1 - y}]
			dst = appendCell(dst, heatLeft+x*side, heatTop+y*side, side, shade(n, most))
		}
	}
	dst = v.heatLabels(dst, low, high, side)
	v.Heat = template.HTML(dst)
	v.HeatLabel = "Widths and heights of the images; most of them, " + Grouped(most) + ", are from " + power(at[0]) + " × " + power(at[1]) + " pixels up"
}

// shade is how dark a cell is, by the logarithm of its count.
func shade(n, most int64) int {
	if n == 0 {
		return 0
	}
	return 1 + scaled(float64(log2(n)+1), float64(log2(most)+1), heatShades-1)
}

func appendCell(dst []byte, x, y, side, shade int) []byte {
	dst = append(dst, `<rect class="h`...)
	dst = strconv.AppendInt(dst, int64(shade), 10)
	for _, part := range [...]struct {
		name string
		n    int
	}{{"x", x}, {"y", y}, {"width", side - 1}, {"height", side - 1}} {
		dst = append(dst, `" `+part.name+`="`...)
		dst = strconv.AppendInt(dst, int64(part.n), 10)
	}
	return append(dst, `"/>`...)
}

// heatLabels writes the powers of two beside the lines between the cells.
func (v *imageView) heatLabels(dst []byte, low, high [2]int, side int) []byte {
	every := 2
	for every*side < 36 {
		every += 2
	}
	text := func(x, y int, anchor, text string) {
		dst = append(dst, `<text text-anchor="`+anchor+`" x="`...)
		dst = strconv.AppendInt(dst, int64(x), 10)
		dst = append(dst, `" y="`...)
		dst = strconv.AppendInt(dst, int64(y), 10)
		dst = append(dst, `">`+text+`</text>`...)
	}
	bottom := v.Height - heatBottom
	for k := low[0]; k <= high[0]; k += every {
		text(heatLeft+(k-low[0])*side, bottom+15, "middle", power(k))
	}
	for k := low[1]; k <= high[1]; k += every {
		text(heatLeft-5, min(bottom-(k-low[1])*side+4, bottom), "end", power(k))
	}
	text(heatLeft+(high[0]-low[0])*side/2, bottom+28, "middle", "width × height")
	return dst
}

// power is the size that a step begins with.
func power(step int) string {
	size := 1 << (step / 2)
	if step%2 == 1 { // times the root of two
		size = (size*1414 + 500) / 1000
	}
	return strconv.Itoa(size)
}
