package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A chart is bars below one another, in panels with a scale each:
//
//	title of a panel
//	         tfr-build ██████ 324
//	    pyarrow, reads ████████████ 540
//
// It has a ground of its own and colors for a light and a dark screen, so that it can be
// read on a page of either.
type chart struct {
	title  string // said to those who do not see it
	panels []panel
}

// A panel has a scale from 0 to its longest bar.
type panel struct {
	title string
	unit  string
	bars  []bar
}

type bar struct {
	label string
	value float64
	ours  bool
}

// Lengths in a chart are in pixels.
const (
	chartWidth  = 720
	barLeft     = 230 // where bars begin
	barLongest  = 400
	barStep     = 26
	barHeight   = 18
	titleHeight = 34
	chartMargin = 12
)

const chartStyle = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.ground { fill: #ffffff }
.axis { stroke: #8c959f }
.other { fill: #afb8c1 }
.ours { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.ground { fill: #0d1117 }
.axis { stroke: #6e7681 }
.other { fill: #57606a }
.ours { fill: #4493f8 }
}
</style>
`

// svg draws the chart.
func (c *chart) svg() string {
	var s strings.Builder
	y := chartMargin
	for _, p := range c.panels {
		y = p.draw(&s, y)
	}
	height := y + chartMargin
	return fmt.Sprintf(
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+
			"\n<title>%s</title>\n",
		chartWidth, height, chartWidth, height, html.EscapeString(c.title)) +
		chartStyle + fmt.Sprintf("<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", chartWidth, height) +
		s.String() + "</svg>\n"
}

// draw draws the panel from y on, and returns where the next may begin.
func (p *panel) draw(s *strings.Builder, y int) int {
	fmt.Fprintf(s, "<text class=\"title\" x=\"%d\" y=\"%d\">%s</text>\n", chartMargin, y+20, html.EscapeString(p.title))
	y += titleHeight
	longest := 0.0
	for _, b := range p.bars {
		longest = max(longest, b.value)
	}
	top := y
	for _, b := range p.bars {
		class, width := "other", max(1, barLongest*b.value/longest)
		if b.ours {
			class = "ours"
		}
		fmt.Fprintf(s, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", barLeft-8, y+14,
			html.EscapeString(b.label))
		fmt.Fprintf(s, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n",
			class, barLeft, y, width, barHeight)
		fmt.Fprintf(s, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", barLeft+width+6, y+14, amount(b.value, p.unit))
		y += barStep
	}
	fmt.Fprintf(s, "<path class=\"axis\" d=\"M%d.5 %dV%d\"/>\n", barLeft-1, top-3, y-barStep+barHeight+3)
	return y
}

// amount is a number of milliseconds in the unit.
func amount(ms float64, unit string) string {
	if unit == "s" && ms < 1000 {
		return fmt.Sprintf("%.2f s", ms/1000)
	}
	if unit == "s" {
		return fmt.Sprintf("%.1f s", ms/1000)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// hero draws how long the programs that write a dataset take for the table as CSV, ours with
// its default settings. Its title has the figures that the README shows.
func (r *results) hero() (*chart, error) {
	g, err := r.group("CSV")
	if err != nil {
		return nil, err
	}
	ours := g.contender("with fsync")
	p := panel{title: fmt.Sprintf("%s CSV rows to TFRecord, %d cores", thousands(r.Rows), r.Machine.CPUs), unit: "s"}
	p.bars = append(p.bars, bar{label: "tfr-build", value: ours.Min, ours: true})
	for _, m := range g.Contenders {
		if m.Role == writes {
			p.bars = append(p.bars, bar{label: m.Name, value: m.Min})
		}
	}
	slices.SortStableFunc(p.bars, func(a, b bar) int { return cmp.Compare(a.value, b.value) })
	title := fmt.Sprintf("%s CSV rows to TFRecord: tfr-build %s, MosaicML MDS %s, a TensorFlow loop %s, TFDS %s",
		thousands(r.Rows), amount(ours.Min, "s"),
		amount(g.contender("MosaicML Streaming, MDS").Min, "s"), amount(g.contender("TensorFlow, a loop").Min, "s"),
		amount(g.contender("TFDS").Min, "s"))
	return &chart{title: title, panels: []panel{p}}, nil
}

// chart draws the contenders that read next to ours, and those that write next to ours;
// none has a panel without bars of others.
func (r *result) chart() *chart {
	c := &chart{title: r.Name}
	for _, kind := range []struct {
		role  role
		title string
	}{
		{reads, r.Name + ": compared with programs that only read or copy it"},
		{writes, r.Name + ": compared with programs that write a dataset"},
	} {
		p := panel{title: kind.title, unit: "ms"}
		others := 0
		for _, m := range r.Contenders {
			switch m.Role {
			case built:
				p.bars = append(p.bars, bar{label: "tfr-build, " + m.Name, value: m.Min, ours: true})
			case kind.role:
				p.bars = append(p.bars, bar{label: m.Name, value: m.Min})
				others++
			}
			if m.Min >= 10_000 && (m.Role == built || m.Role == kind.role) {
				p.unit = "s"
			}
		}
		if others > 0 {
			c.panels = append(c.panels, p)
		}
	}
	return c
}
