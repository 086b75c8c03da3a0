package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sys/unix"

	"tfr-build/internal/plural"
)

// A bar shows progress on a terminal, in one line.
type bar struct {
	log     *log
	columns func() int // of the terminal; 0 where it does not tell
	drawn   int        // columns of the current line
}

// How many columns a bar has at most, how many at least where there is one, and how many it
// and what stands around it want; words have what is left.
const (
	barWidth   = 30
	leastBar   = 5
	barColumns = 20
)

func (b *bar) show(p progress) {
	b.log.mu.Lock() // a message takes the bar off the line first
	defer b.log.mu.Unlock()
	line := p.line(b.columns())
	n := utf8.RuneCountInString(line)
	_, _ = fmt.Fprintf(b.log.w, "\r%s%s\r%[1]s", line, strings.Repeat(" ", max(0, b.room(b.drawn)-n)))
	b.drawn, b.log.clear = n, b.remove
}

// room is n, or fewer columns where the terminal has become narrower: what is written must
// not go on in the next line.
func (b *bar) room(n int) int {
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
		_, _ = fmt.Fprintf(b.log.w, "\r%s\r", strings.Repeat(" ", b.room(b.drawn)))
		b.drawn, b.log.clear = 0, nil
	}
}

// line is p as a bar and words, in fewer columns than so many; 0: as many as it takes.
// `41% |████      | writing 410000 of 1000000 rows, 12 seconds left`
func (p *progress) line(columns int) string {
	percent, width := "", barWidth
	if p.Total > 0 {
		percent = fmt.Sprintf("%3d%% ", min(99, p.Done*100/p.Total)) // of a phase that goes on
	}
	words := p.words(columns - barColumns)
	if columns > 0 {
		percent = percent[:min(len(percent), columns-1)]
		room := columns - 1 - len(percent)
		width = min(width, room-len(words)-len("|| "))
		if len(words) > room { // an ellipsis shows that a number is cut
			words = words[:max(0, room-1)] + "…"[:min(room, 1)*len("…")]
		}
	}
	if p.Total <= 0 || width < leastBar {
		return percent + words
	}
	return percent + drawBar(min(p.Done, p.Total-1), p.Total, width) + " " + words
}

// drawBar returns a bar of so many columns and its two ends; done is less than total.
func drawBar(done, total int64, width int) string {
	b := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(io.Discard), // the line is written with what follows it
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetPredictTime(false), // in words, behind the bar
		progressbar.OptionSetElapsedTime(false),
	)
	_ = b.Set64(done)
	_, drawn, _ := strings.Cut(b.String(), "|") // what precedes it is a percentage of varying width
	return "|" + strings.TrimRight(drawn, " ")
}

// words is p for people who watch, in so many columns, or as many as it takes
// where they are too few to be true: `writing 410000 of 1000000 rows, 820000 rows/s,
// 90.0 MB/s, 12 seconds left`. Without the room for all, what is last but one goes.
func (p *progress) words(columns int) string {
	parts := []string{strings.TrimSpace(p.Phase + " " + p.amount())}
	if rates := p.rates(); rates != "" {
		parts = append(parts, strings.Split(rates, ", ")...)
	}
	if left := p.left(); left > 0 {
		parts = append(parts, inWords(left)+" left")
	}
	for columns > 0 && len(parts) > 1 && len(strings.Join(parts, ", ")) > columns {
		last := max(1, len(parts)-2)
		parts = slices.Delete(parts, last, last+1)
	}
	return strings.Join(parts, ", ")
}

// amount is how much is done, of how much; empty where people would not count it.
func (p *progress) amount() string {
	switch {
	case p.Total <= 0:
		return ""
	case p.Phase == spilling:
		return bytesText(p.Done) + " of " + bytesText(p.Total)
	case p.countsRows():
		return fmt.Sprintf("%d of %s", p.Done, plural.Of(p.Total, "row"))
	case p.Phase == hashing:
		return fmt.Sprintf("%d of %s", p.Done, plural.Of(p.Total, "file"))
	}
	return ""
}

// inWords is how long something takes, as people say it.
func inWords(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return plural.Of(int64(d.Seconds()), "second")
	case d < 90*time.Minute:
		return plural.Of(int64(d.Round(time.Minute).Minutes()), "minute")
	}
	return plural.Of(int64(d.Round(time.Hour).Hours()), "hour")
}

// terminalColumns is how wide the terminal is; 0 where it does not tell, and ok is
// false of what is no terminal.
func terminalColumns(f *os.File) (n int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
