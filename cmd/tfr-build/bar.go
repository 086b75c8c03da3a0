package main

import (
	"github.com/schollz/progressbar/v3"
)

// A bar shows progress on a terminal: one bar a phase, in one line.
type bar struct {
	log   *log
	phase string
	bar   *progressbar.ProgressBar
}

func (b *bar) show(p progress) {
	b.log.mu.Lock() // a message takes the bar off the line first
	defer b.log.mu.Unlock()
	if p.Phase != b.phase {
		b.remove()
		b.phase, b.bar = p.Phase, b.newBar(p.Total)
		b.log.clear = func() { _ = b.bar.Clear() }
	}
	description := p.Phase
	if rates := p.rates(); rates != "" {
		description += " " + rates
	}
	b.bar.Describe(description)
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
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
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
