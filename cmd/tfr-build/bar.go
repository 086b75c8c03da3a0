package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sys/unix"

	"tfr-build/internal/plural"
)

// A bar shows progress on a terminal: one bar a phase, in one line.
type bar struct {
	log     *log
	columns func() int // of the terminal; 0 where it does not tell
	phase   string
	bar     *progressbar.ProgressBar
}

// barColumns are what is left to a bar, and what stands around it.
const barColumns = 20

func (b *bar) show(p progress) {
	b.log.mu.Lock() // a message takes the bar off the line first
	defer b.log.mu.Unlock()
	if p.Phase != b.phase {
		b.remove()
		b.phase, b.bar = p.Phase, b.newBar(p.Total)
		b.log.clear = func() { _ = b.bar.Clear() }
	}
	b.bar.Describe(p.words(b.columns() - barColumns))
	_ = b.bar.Set64(min(p.Done, max(p.Total-1, 0))) // a bar at its total ends its line, and cannot be removed
}

// newBar makes the bar of a phase; a total of 0 is one that is not known.
func (b *bar) newBar(total int64) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(b.log.w),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSetPredictTime(false), // in words, behind the bar
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetSpinnerChangeInterval(0), // else it draws on its own, over messages and after the end
		progressbar.OptionSetRenderBlankState(true),
	)
}

func (b *bar) end() {
	b.log.mu.Lock()
	defer b.log.mu.Unlock()
	b.remove()
}

func (b *bar) remove() {
	if b.bar != nil {
		_ = b.bar.Clear()
		b.bar, b.log.clear = nil, nil
	}
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
