package report

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
)

// The scatter of the sizes of images, in pixels.
const (
	scatterLeft   = 46 // of the plot: the heights are there
	scatterBottom = 32 // below it: the widths are there
	scatterTop    = 14
	largestCircle = 13 // the radius of the most frequent size
)

// scatter draws how many images have which width and height, the wide ones to the right and
// the high ones at the top. A circle is the images between two powers of the root of two.
func (v *imageView) scatter(cells map[[2]int]int64) {
	if len(cells) == 0 {
		return
	}
	low, high := [2]int{1 << 30, 1 << 30}, [2]int{}
	positions := make([][2]int, 0, len(cells))
	for c := range cells {
		positions = append(positions, c)
		for k := range c {
			low[k], high[k] = min(low[k], c[k]), max(high[k], c[k])
		}
	}
	for k := range low { // a margin, and an axis with two labels
		low[k], high[k] = max((low[k]-1)/2*2, 0), (high[k]+2)/2*2
	}
	slices.SortFunc(positions, func(a, b [2]int) int { // small circles lie above large ones
		return cmp.Or(cmp.Compare(cells[b], cells[a]), cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	most := cells[positions[0]]
	columns, rows := high[0]-low[0], high[1]-low[1]
	side := min(max(360/max(columns, rows), 14), 30)
	v.Width, v.Height = scatterLeft+columns*side+24, scatterTop+rows*side+scatterBottom
	bottom := v.Height - scatterBottom
	dst := v.scatterAxes(low, high, side)
	for _, c := range positions {
		x := scatterLeft*tenth + (2*(c[0]-low[0])+1)*side*tenth/2
		y := bottom*tenth - (2*(c[1]-low[1])+1)*side*tenth/2
		dst = appendCircle(dst, x, y, radius(cells[c], most))
		dst = append(dst, power(c[0])+` × `+power(c[1])+` and more: `+count(cells[c], "image")+`</title></circle>`...)
	}
	v.Scatter = template.HTML(dst)
	v.ScatterLabel = "Widths and heights of the images; most of them, " + Grouped(most) +
		", are from " + power(positions[0][0]) + " × " + power(positions[0][1]) + " pixels up"
}

// radius returns the radius of a circle, in tenths of a pixel, whose area is a share of the largest.
func radius(n, most int64) int {
	r := 2 * tenth // what is there is seen
	for r < largestCircle*tenth &&
		float64(r*r)/float64(largestCircle*largestCircle*tenth*tenth) < float64(n)/float64(most) {
		r++
	}
	return r
}

func appendCircle(dst []byte, x, y, r int) []byte {
	dst = append(dst, `<circle class="p" cx="`...)
	dst = appendTenths(dst, x)
	dst = append(dst, `" cy="`...)
	dst = appendTenths(dst, y)
	dst = append(dst, `" r="`...)
	dst = appendTenths(dst, r)
	return append(dst, `"><title>`...)
}

// scatterAxes draws lines at powers of two, and labels them.
func (v *imageView) scatterAxes(low, high [2]int, side int) (dst []byte) {
	every := 2
	for every*side < 36 {
		every += 2
	}
	var lines []byte
	text := func(x, y int, anchor, text string) {
		dst = append(dst, `<text text-anchor="`+anchor+`" x="`...)
		dst = strconv.AppendInt(dst, int64(x), 10)
		dst = append(dst, `" y="`...)
		dst = strconv.AppendInt(dst, int64(y), 10)
		dst = append(dst, `">`+text+`</text>`...)
	}
	bottom := v.Height - scatterBottom
	for k := low[0]; k <= high[0]; k += every {
		x := scatterLeft + (k-low[0])*side
		lines = appendColumn(lines, x*tenth, bottom*tenth, (bottom-scatterTop)*tenth)
		text(x, bottom+15, "middle", power(k))
	}
	for k := low[1]; k <= high[1]; k += every {
		y := bottom - (k-low[1])*side
		lines = append(lines, `M`+strconv.Itoa(scatterLeft)+` `+strconv.Itoa(y)+`h`+strconv.Itoa(
			(high[0]-low[0])*side)...)
		text(scatterLeft-5, y+4, "end", power(k))
	}
	text(scatterLeft+(high[0]-low[0])*side/2, bottom+28, "middle", "width × height")
	return append(append(append([]byte(`<path class="g" d="`), lines...), `"/>`...), dst...)
}

// power is the size that a step begins with.
func power(step int) string {
	size := 1 << (step / 2)
	if step%2 == 1 { // times the root of two
		size = (size*1414 + 500) / 1000
	}
	return strconv.Itoa(size)
}
