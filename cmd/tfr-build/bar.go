package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
)

// A bar shows progress in one line of a terminal.
type bar struct {
	log     *log
	columns func() int // width of the terminal; 0 if unknown
	drawn   int        // width of the current line
}

func (b *bar) show(p progress) {
	b.log.mu.Lock() // a message removes the bar first
	defer b.log.mu.Unlock()
	line := p.line(b.columns())
	n := utf8.RuneCountInString(line)
	_, _ = fmt.Fprintf(b.log.w, "\r%s%s", line, strings.Repeat(" ", max(0, b.limit(b.drawn)-n)))
	b.drawn, b.log.clear = n, b.remove
}

// limit returns n, or fewer columns if the terminal has become narrower: the text must not continue
// on the next line.
func (b *bar) limit(n int) int {
	if columns := b.columns(); columns > 0 {
		return min(n, columns-1)
	}
	return n
}

func (b *bar) end() {
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	b.remove()
}

func (b *bar) remove() {
	if b.drawn > 0 {
		_, _ = fmt.Fprintf(b.log.w, "\r%s\r", strings.Repeat(" ", b.limit(b.drawn)))
		b.drawn, b.log.clear = 0, nil
	}
}

// line returns p as a percentage, a bar, and words, in less than the given number of columns; 0
// means no limit.
//
//	41% |████      | writing 410,000 of 1,000,000 rows, 12 s left
func (p *progress) line(columns int) string {
	head := fmt.Sprintf("%3d%% ", p.Percent)
	if width := barWidth(columns); width > 0 {
		head += drawBar(p.overall, width) + " "
	}
	if columns <= 0 {
		return head + p.words(0)
	}
	room := columns - 1 - utf8.RuneCountInString(head)
	if room > 0 {
		return head + p.words(room)
	}
	if percent := fmt.Sprintf("%d%%", p.Percent); len(percent) < columns {
		return percent
	}
	return ""
}

// barWidth returns the width of the bar for a number of columns of the terminal. It depends on
// nothing else, so the bar does not change its width.
func barWidth(columns int) int {
	switch {
	case columns <= 0 || columns >= 100:
		return 30
	case columns >= 70:
		return 20
	case columns >= 45:
		return 10
	}
	return 0
}

// drawBar returns a bar of width columns, and its two ends. share is below 1.
func drawBar(share float64, width int) string {
	const steps = 10_000
	b := progressbar.NewOptions64(steps,
		progressbar.OptionSetWriter(io.Discard), // the caller writes the line
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetPredictTime(false), // the words after the bar have it
		progressbar.OptionSetElapsedTime(false),
	)
	_ = b.RenderBlank() // Set64 does not draw below one percent
	_ = b.Set64(int64(share * steps))
	_, drawn, _ := strings.Cut(b.String(), "|") // before it is a percentage of varying width
	return "|" + strings.TrimRight(drawn, " ")
}
