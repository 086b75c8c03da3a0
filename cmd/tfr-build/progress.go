package main

import (
	"fmt"
	"strings"
	"time"

	"tfr-build/internal/pool"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// progress is the state of a run.
type progress struct {
	Phase   string  `json:"phase"`
	Done    int64   `json:"done"`
	Total   int64   `json:"total"`
	Bytes   int64   `json:"bytes,omitempty"`   // bytes written
	Seconds float64 `json:"seconds,omitempty"` // since the phase began
	Percent int     `json:"percent"`           // of all phases of the run

	overall float64 // the same as a fraction, below 1
	last    bool    // the phase is the last one that takes long
	begun   int64   // number of the phase: the next phase may have the same name
}

// read copies the state of a run.
func (p *progress) read(s pipeline.State) {
	p.Phase, p.begun, p.Done, p.Total, p.Bytes = s.Phase, s.Begun, s.Done, s.Total, s.Bytes
	p.overall, p.last = min(s.Overall, 0.99), s.Last // 100 % is only shown at the end
	p.Percent = int(p.overall*100 + 1e-9)
}

// countsRows reports whether the steps of the phase are rows.
func (p *progress) countsRows() bool {
	return p.Phase == pool.Writing || p.Phase == pool.ReadingClasses || p.Phase == pool.Quarantining
}

// countsBytes reports whether the steps of the phase are bytes of the input.
func (p *progress) countsBytes() bool {
	return p.Phase == pool.SortingToDisk || p.Phase == pool.CountingRows || p.Phase == pool.CheckingInputs
}

// text returns p for people: `41% writing 410,000 of 1,000,000 rows, 820,000 rows/s, 90.0 MB/s, 12
// s left`.
func (p *progress) text() string { return fmt.Sprintf("%d%% %s", p.Percent, p.words(0)) }

// words returns p without the percentage, in a number of columns; 0 means no limit. If columns are
// few, it drops the other rates first, then the rate or the amount, and last the remaining time; without a remaining
// time the rate is last. Finally it truncates the name of the phase.
func (p *progress) words(columns int) string {
	rates, left := p.rates(), p.remaining()
	with := func(amount string, rates []string, left time.Duration) string {
		parts := append([]string{strings.TrimSpace(p.Phase + " " + amount)}, rates...)
		if left > 0 {
			parts = append(parts, durationText(left)+" left")
		}
		return strings.Join(parts, ", ")
	}
	first := rates[:min(1, len(rates))]
	texts := []string{with(p.amount(), rates, left), with(p.amount(), first, left)}
	if left > 0 {
		texts = append(texts, with(p.amount(), nil, left), with("", first, left), with("", nil, left))
	}
	texts = append(texts, with("", first, 0), with(p.amount(), nil, 0), p.Phase)
	for _, text := range texts {
		if columns <= 0 || len(text) <= columns {
			return text
		}
	}
	return truncate(p.Phase, columns)
}

// truncate returns an ASCII text in a number of columns, at least one. An ellipsis marks a cut.
func truncate(text string, columns int) string {
	if len(text) <= columns {
		return text
	}
	return text[:columns-1] + "…"
}

// amount returns how much of the phase is done; empty if the steps mean nothing to people.
func (p *progress) amount() string {
	switch {
	case p.Total <= 0:
		return ""
	case p.countsBytes():
		return bytesText(p.Done) + " of " + bytesText(p.Total)
	case p.countsRows():
		return report.Grouped(p.Done) + " of " + countText(p.Total, "row")
	case p.Phase == pool.CheckingShards:
		return report.Grouped(p.Done) + " of " + countText(p.Total, "shard")
	}
	return ""
}

// rates returns the steps per second.
func (p *progress) rates() (list []string) {
	if p.Seconds <= 0 || p.Done <= 0 {
		return nil
	}
	bytesPerSecond := func(n int64) string { return bytesText(int64(float64(n)/p.Seconds)) + "/s" }
	if p.countsBytes() {
		return []string{bytesPerSecond(p.Done)}
	}
	if p.countsRows() {
		list = append(list, rateText(p.Done, time.Duration(p.Seconds*float64(time.Second))))
	}
	if p.Phase == pool.Writing {
		list = append(list, bytesPerSecond(p.Bytes))
	}
	return list
}

// settleSeconds is the number of seconds of a phase after which its speed is known.
const settleSeconds = 3

// remaining returns the estimated time until the run ends. It is 0 if unknown, or if a later phase
// takes long.
func (p *progress) remaining() time.Duration {
	if !p.last || p.Seconds < settleSeconds || p.Done <= 0 || p.Done >= p.Total {
		return 0
	}
	seconds := p.Seconds * float64(p.Total-p.Done) / float64(p.Done)
	return time.Duration(seconds+1) * time.Second
}

// A display shows the progress of a run.
type display interface {
	show(p progress)
	end() // removes output that must not stay
}

// watch shows the progress of run until stop is called, and records it in record, which may be nil.
func (c *call) watch(run *pipeline.Run, record *report.Run) (stop func()) {
	d := c.log.display()
	if d == nil && record == nil {
		return func() {}
	}
	run.Progress = new(pipeline.Progress)
	if record != nil {
		d = &recorder{state: run.Progress.State, shown: d, run: record, began: time.Now()}
	}
	return watch(run.Progress.State, d)
}

// display returns the display for progress; nil if progress is not shown.
func (l *log) display() display {
	if l.quiet {
		return nil
	}
	if isTerminal(l.w) && !l.asJSON {
		return &bar{log: l, columns: func() int { return widthOf(l.w, 0) }}
	}
	return &lineDisplay{log: l, begin: time.Now()}
}

// interval is the time between two readings of a run's state. A run does not report each step, as
// that would slow down its workers.
const interval = 100 * time.Millisecond

// watch shows the state of a run, which it reads once per interval.
func watch(state func() pipeline.State, d display) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer d.end()
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		var p progress
		var begin time.Time
		for {
			select {
			case <-quit:
				return
			case now := <-ticker.C:
				before := p.begun
				if p.read(state()); p.Phase == "" {
					continue
				}
				if p.begun != before {
					begin = now.Add(-interval) // it began after the last reading
				}
				p.Seconds = now.Sub(begin).Seconds()
				d.show(p)
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// A lineDisplay shows progress without a terminal: a line every 10 seconds, and after a minute
// every 60.
type lineDisplay struct {
	log   *log
	begin time.Time
	shown time.Time
}

func (l *lineDisplay) show(p progress) {
	now := time.Now()
	every := 10 * time.Second
	if now.Sub(l.begin) > time.Minute {
		every = time.Minute
	}
	if l.shown.IsZero() {
		l.shown = l.begin
	}
	if now.Sub(l.shown) < every {
		return
	}
	l.shown = now
	l.log.write(message{Level: infoLevel, Text: p.text(), progress: &p})
}

func (l *lineDisplay) end() {}
