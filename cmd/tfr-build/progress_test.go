package main

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"tfr-build/internal/pool"
	"tfr-build/pipeline"
)

// TestProgressText shows what is known of each phase, in words.
func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		state   pipeline.State
		seconds float64
		want    string
	}{
		{pipeline.State{Phase: pool.ListingFiles}, 2, "0% listing files"},
		{pipeline.State{Phase: pool.FindingRows, Done: 5, Total: 20, Overall: 0.1}, 20, "10% finding rows"},
		{pipeline.State{Phase: pool.SortingToDisk, Done: 50e6, Total: 200e6, Overall: 0.126}, 10,
			"12% sorting to disk 50.0 MB of 200.0 MB, 5.0 MB/s"},
		{pipeline.State{Phase: pool.CountingRows, Done: 50e6, Total: 200e6, Overall: 0.25, Last: true}, 10,
			"25% counting rows 50.0 MB of 200.0 MB, 5.0 MB/s, 31 s left"},
		{pipeline.State{Phase: pool.ReadingClasses, Done: 10, Total: 10, Overall: 0.5}, 2,
			"50% reading classes 10 of 10 rows, 5.0 rows/s"},
		{pipeline.State{Phase: pool.CheckingInputs, Done: 12, Total: 2000}, 1,
			"0% checking inputs 12 B of 2.0 kB, 12 B/s"},
		{pipeline.State{Phase: pool.CheckingShards, Done: 1, Total: 1}, 1, "0% checking shards 1 of 1 shard"},
		{pipeline.State{Phase: pool.Writing, Total: 10, Last: true}, 10, "0% writing 0 of 10 rows"},
		{pipeline.State{Phase: pool.Writing, Done: 410_000, Total: 1_000_000, Bytes: 45_000_000, Overall: 0.705,
			Last: true}, 0.5,
			"70% writing 410,000 of 1,000,000 rows, 820,000 rows/s, 90.0 MB/s"}, // too early to tell the time
		{pipeline.State{Phase: pool.Writing, Done: 410_000, Total: 1_000_000, Bytes: 45_000_000, Overall: 0.705,
			Last: true}, 50,
			"70% writing 410,000 of 1,000,000 rows, 8,200 rows/s, 900.0 kB/s, 1 min 12 s left"},
		{pipeline.State{Phase: pool.Writing, Done: 10, Total: 10, Overall: 1, Last: true}, 50,
			"99% writing 10 of 10 rows, 0.2 rows/s, 0 B/s"},
		{pipeline.State{Phase: pool.Quarantining, Done: 1, Total: 2, Overall: 1, Last: true}, 4,
			"99% quarantining rows 1 of 2 rows, 0.2 rows/s, 5 s left"},
		{pipeline.State{Phase: pool.Publishing, Overall: 1, Last: true}, 1, "99% publishing"},
	} {
		var p progress
		p.read(c.state)
		p.Seconds = c.seconds
		if got := p.text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Without a terminal there is a line every 10 seconds, after a minute every 60.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		var done atomic.Int64
		begin := time.Now()
		stop := watch(
			func() pipeline.State {
				n := done.Add(1)
				return pipeline.State{Phase: pool.Writing, Begun: 1, Done: n, Total: 100_000,
					Overall: float64(n) / 100_000, Last: true}
			},
			&lineDisplay{log: &log{w: timed{&b, begin}}, begin: begin},
		)
		time.Sleep(4*time.Minute + 5*time.Second)
		stop()
		var at []string
		for line := range strings.Lines(b.String()) {
			at = append(at, strings.Fields(line)[0])
		}
		if got := strings.Join(at, " "); got != "10s 20s 30s 40s 50s 1m0s 2m0s 3m0s 4m0s" {
			t.Errorf("lines at %s", got)
		}
		if first, _, _ := strings.Cut(b.String(),
			"\n"); first != "10s note: 0% writing 100 of 100,000 rows, 10 rows/s, 0 B/s, 2 h 47 min left" {
			t.Errorf("the first line is %q", first)
		}
	})
}

// timed puts before each write how long after begin it is.
type timed struct {
	b     *bytes.Buffer
	begin time.Time
}

func (w timed) Write(p []byte) (int, error) {
	w.b.WriteString(time.Since(w.begin).Round(time.Second).String() + " ")
	return w.b.Write(p)
}

// A run that ends before the first line says nothing.
func TestNoProgressOfShortRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		stop := watch(func() pipeline.State {
			return pipeline.State{Phase: pool.FindingRows, Begun: 1, Done: 1, Total: 2}
		},
			&lineDisplay{log: &log{w: &b}, begin: time.Now()})
		time.Sleep(9 * time.Second)
		stop()
		if b.Len() > 0 {
			t.Errorf("said %q", b.String())
		}
	})
}

// A bar shows the phase and its rates, makes room for messages, and is gone in
// the end.
func TestProgressBar(t *testing.T) {
	before := runtime.NumGoroutine()
	var b bytes.Buffer
	l := &log{w: &b}
	d := &bar{log: l, columns: func() int { return 0 }}
	d.show(progress{Phase: pool.FindingRows, Done: 1, Total: 4, Seconds: 1, Percent: 25, overall: 0.25})
	d.show(progress{Phase: pool.Writing, Done: 500, Total: 1000, Bytes: 50_000, Seconds: 4, Percent: 50, overall: 0.5,
		last: true})
	l.warn("look out")
	d.show(progress{Phase: pool.Publishing, Percent: 99, overall: 0.99})
	d.end()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines go on drawing", n-before)
	}
	screen := b.String()
	for _, want := range []string{
		" 25% |███████", "| finding rows",
		" 50% |███████████████               | writing 500 of 1,000 rows, 125 rows/s, 12.5 kB/s, 5 s left",
		"\rwarning: look out\n", "publishing",
	} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not in %q", want, screen)
		}
	}
	if last := screen[strings.LastIndexByte(strings.TrimRight(screen, "\r"), '\r')+1:]; strings.TrimSpace(last) != "" {
		t.Errorf("%q is left on the line", last)
	}
}

// TestBarFitsTheTerminal draws lines that fit into terminals of every width,
// and a bar whose width depends on that alone.
func TestBarFitsTheTerminal(t *testing.T) {
	rows := progress{Phase: pool.Writing, Done: 380_928, Total: 498_769, Bytes: 45e6, Seconds: 50, Percent: 76,
		overall: 0.76, last: true}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{140, " 76% |" + strings.Repeat("█", 22) +
			"        | writing 380,928 of 498,769 rows, 7,619 rows/s, 900.0 kB/s, 16 s left"},
		{100, " 76% |" + strings.Repeat("█", 22) +
			"        | writing 380,928 of 498,769 rows, 7,619 rows/s, 16 s left"},
		{80, " 76% |███████████████     | writing 380,928 of 498,769 rows, 16 s left"},
		{50, " 76% |███████   | writing, 16 s left"},
		{44, " 76% writing, 7,619 rows/s, 16 s left"},
		{30, " 76% writing, 16 s left"},
		{20, " 76% writing"},
		{10, " 76% wri…"},
		{7, " 76% …"},
		{6, "76%"},
		{4, "76%"},
		{3, ""},
		{1, ""},
		{0, " 76% |" + strings.Repeat("█", 22) +
			"        | writing 380,928 of 498,769 rows, 7,619 rows/s, 900.0 kB/s, 16 s left"},
	} {
		if got := rows.line(c.columns); got != c.want {
			t.Errorf("in %d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	early := rows
	early.last = false // nothing is known of the time left
	sorting := progress{Phase: pool.SortingToDisk, Done: 50e6, Total: 200e9, Seconds: 10, Percent: 3, overall: 0.03}
	for _, c := range []struct {
		p    progress
		want string
	}{
		{early, " 76% |███████   | writing, 7,619 rows/s"},
		{sorting, "  3% |          | sorting to disk, 5.0 MB/s"},
	} {
		if got := c.p.line(50); got != c.want {
			t.Errorf("in 50 columns: %q, want %q", got, c.want)
		}
	}
	all := []progress{
		rows, {Phase: pool.ListingFiles}, {Phase: pool.Publishing, Percent: 99, overall: 0.99},
		{Phase: pool.CheckingInputs, Total: 3},
		{Phase: pool.SortingToDisk, Done: 50e6, Total: 200e9, Seconds: 10, Percent: 3, overall: 0.03},
		{Phase: pool.ReadingClasses, Done: 1, Total: 5e9, Seconds: 1e6, Percent: 9, overall: 0.09},
	}
	for columns := 1; columns <= 200; columns++ {
		bars := map[int]bool{}
		for _, p := range all {
			line := p.line(columns)
			if n := utf8.RuneCountInString(line); n >= columns {
				t.Errorf("%+v: %d columns of %d", p, n, columns)
			}
			bars[utf8.RuneCountInString(line[:strings.LastIndexByte(line, '|')+1])] = true
		}
		if len(bars) != 1 {
			t.Errorf("in %d columns the bar has several widths", columns)
		}
	}
	var b bytes.Buffer
	columns := 100
	d := &bar{log: &log{w: &b}, columns: func() int { return columns }}
	d.show(rows)
	b.Reset()
	columns = 50
	d.show(rows)
	d.end()
	for part := range strings.SplitSeq(b.String(), "\r") {
		if n := utf8.RuneCountInString(part); n >= columns {
			t.Errorf("%q has %d columns", part, n)
		}
	}
}

// TestPhasesOfOneName restarts the display with each phase, even if two phases have one name.
func TestPhasesOfOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var run pipeline.Progress
		run.Start(pool.ReadingClasses, 1000)
		shown := &shownProgress{}
		stop := watch(run.State, shown)
		time.Sleep(10*time.Second + interval/2)
		run.Done(500, 0)
		time.Sleep(interval)
		run.Start(pool.ReadingClasses, 1000)
		run.Done(10, 0)
		time.Sleep(interval)
		stop()
		if len(shown.all) < 100 || shown.all[len(shown.all)-2].Seconds < 10 {
			t.Fatalf("%+v", shown.all)
		}
		if last := shown.all[len(shown.all)-1]; last.Seconds > 0.2 {
			t.Errorf("%+v", last)
		}
	})
}

// shownProgress keeps what is shown.
type shownProgress struct{ all []progress }

func (s *shownProgress) show(p progress) { s.all = append(s.all, p) }
func (s *shownProgress) end()            {}

func TestNoTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Errorf("%s is a terminal", os.DevNull)
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1_540_000: "1.5 MB", 2e9: "2.0 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}
