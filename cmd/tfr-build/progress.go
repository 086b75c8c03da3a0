package main

import (
	"fmt"
	"os"
	"time"

	"tfr-build/pipeline"
	"tfr-build/report"
)

// progress is how far a run is.
type progress struct {
	Phase   string  `json:"phase"`
	Done    int64   `json:"done"`
	Total   int64   `json:"total"`
	Bytes   int64   `json:"bytes,omitempty"`   // written
	Seconds float64 `json:"seconds,omitempty"` // since the phase began

	begun int64 // the number of the phase: the next one may have the same name
}

// read takes what the state of a run says.
func (p *progress) read(s pipeline.State) {
	p.Phase, p.begun, p.Done, p.Total, p.Bytes = s.Phase, s.Begun, s.Done, s.Total, s.Bytes
}

// Phases whose steps are counted in something that people count in, too.
const (
	spilling   = "spilling" // in bytes
	writing    = "writing"  // in rows
	collecting = "collecting classes"
	setAside   = "setting rows aside"
	hashing    = "hashing" // in files
)

// countsRows reports whether the steps of the phase are rows.
func (p *progress) countsRows() bool {
	return p.Phase == writing || p.Phase == collecting || p.Phase == setAside
}

// text is p for people: `writing: 41% of 1000000 rows, 890000 rows/s, 91 MB/s, 3s left`.
func (p *progress) text() string {
	if p.Total <= 0 {
		return p.Phase
	}
	text := fmt.Sprintf("%s: %d%%", p.Phase, min(100, p.Done*100/p.Total))
	if p.Phase == writing || p.Phase == collecting {
		text += fmt.Sprintf(" of %d rows", p.Total)
	}
	if rates := p.rates(); rates != "" {
		text += ", " + rates
	}
	if left := p.left(); left > 0 {
		text += fmt.Sprintf(", %v left", left)
	}
	return text
}

// rates are how much is done in a second.
func (p *progress) rates() string {
	if p.Seconds <= 0 {
		return ""
	}
	perSecond := func(n int64) int64 { return int64(float64(n) / p.Seconds) }
	switch p.Phase {
	case writing:
		return fmt.Sprintf("%d rows/s, %s/s", perSecond(p.Done), bytesText(perSecond(p.Bytes)))
	case collecting:
		return fmt.Sprintf("%d rows/s", perSecond(p.Done))
	case spilling:
		return bytesText(perSecond(p.Done)) + "/s"
	}
	return ""
}

// left is how long it will take at this rate; 0 where that is not known.
func (p *progress) left() time.Duration {
	if p.Done <= 0 || p.Done >= p.Total {
		return 0
	}
	seconds := p.Seconds * float64(p.Total-p.Done) / float64(p.Done)
	return time.Duration(seconds+1) * time.Second
}

// A display shows how far a run is.
type display interface {
	show(p progress)
	end() // removes what is not to stay
}

// watch shows the progress of run until stop is called, and notes it in record,
// which may be nil.
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

// display is where progress is shown; nil: nowhere.
func (l *log) display() display {
	if l.quiet {
		return nil
	}
	if f, ok := l.w.(*os.File); ok && isTerminal(f) && !l.asJSON {
		return &bar{log: l, columns: func() int { n, _ := terminalColumns(f); return n }}
	}
	return &lines{log: l, begin: time.Now()}
}

// interval is the time between two readings of a run's state. A run does not
// report each step: that would cost its workers time.
const interval = 100 * time.Millisecond

// watch shows the state of a run, which it reads once an interval.
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

// lines show progress where there is no terminal: a line every 10 seconds, and
// after a minute one every 60.
type lines struct {
	log   *log
	begin time.Time
	shown time.Time
}

func (l *lines) show(p progress) {
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
	l.log.say(message{Level: news, Text: p.text(), progress: &p})
}

func (l *lines) end() {}

func isTerminal(f *os.File) bool {
	_, ok := terminalColumns(f)
	return ok
}
