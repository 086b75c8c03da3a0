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

	"tfr-build/pipeline"
)

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		p    progress
		want string
	}{
		{progress{Phase: "publishing"}, "publishing"},
		{progress{Phase: "finding", Done: 5, Total: 20, Seconds: 2}, "finding: 25%, 7s left"},
		{progress{Phase: "spilling", Done: 50e6, Total: 200e6, Seconds: 10}, "spilling: 25%, 5.0 MB/s, 31s left"},
		{progress{Phase: "collecting classes", Done: 10, Total: 10, Seconds: 2}, "collecting classes: 100% of 10 rows, 5 rows/s"},
		{progress{Phase: "writing", Total: 10}, "writing: 0% of 10 rows"},
		{progress{Phase: "writing", Done: 410_000, Total: 1_000_000, Bytes: 45_000_000, Seconds: 0.5}, "writing: 41% of 1000000 rows, 820000 rows/s, 90.0 MB/s, 1s left"},
	} {
		if got := c.p.text(); got != c.want {
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
				return pipeline.State{Phase: writing, Begun: 1, Done: done.Add(1), Total: 100_000}
			},
			&lines{log: &log{w: timed{&b, begin}}, begin: begin},
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
		if first, _, _ := strings.Cut(b.String(), "\n"); first != "10s note: writing: 0% of 100000 rows, 10 rows/s, 0 B/s, 2h46m31s left" {
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
		stop := watch(func() pipeline.State { return pipeline.State{Phase: "finding", Begun: 1, Done: 1, Total: 2} }, &lines{log: &log{w: &b}, begin: time.Now()})
		time.Sleep(9 * time.Second)
		stop()
		if b.Len() > 0 {
			t.Errorf("said %q", b.String())
		}
	})
}

// On a terminal the words say how much is done, how fast, and how long it will
// take, as far as there is room.
func TestProgressWords(t *testing.T) {
	rows := progress{Phase: writing, Done: 410_000, Total: 1_000_000, Bytes: 45_000_000, Seconds: 50}
	for _, c := range []struct {
		p       progress
		columns int
		want    string
	}{
		{progress{Phase: "publishing"}, 0, "publishing"},
		{progress{Phase: "finding", Done: 5, Total: 20, Seconds: 2}, 0, "finding, 7 seconds left"},
		{progress{Phase: spilling, Done: 50e6, Total: 200e6, Seconds: 10}, 0, "spilling 50.0 MB of 200.0 MB, 5.0 MB/s, 31 seconds left"},
		{progress{Phase: hashing, Done: 1, Total: 1}, 0, "hashing 1 of 1 file"},
		{progress{Phase: setAside, Done: 1, Total: 2, Seconds: 1}, 0, "setting rows aside 1 of 2 rows, 2 seconds left"},
		{rows, -barColumns, "writing 410000 of 1000000 rows, 8200 rows/s, 900.0 kB/s, 72 seconds left"},
		{rows, 72, "writing 410000 of 1000000 rows, 8200 rows/s, 900.0 kB/s, 72 seconds left"},
		{rows, 71, "writing 410000 of 1000000 rows, 8200 rows/s, 72 seconds left"},
		{rows, 50, "writing 410000 of 1000000 rows, 72 seconds left"},
		{rows, 40, "writing 410000 of 1000000 rows"},
		{rows, 1, "writing 410000 of 1000000 rows"},
	} {
		if got := c.p.words(c.columns); got != c.want {
			t.Errorf("in %d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	for d, want := range map[time.Duration]string{
		time.Second: "1 second", 89 * time.Second: "89 seconds", 90 * time.Second: "2 minutes",
		3*time.Minute + 29*time.Second: "3 minutes", 89 * time.Minute: "89 minutes", 100 * time.Minute: "2 hours", 50 * time.Hour: "50 hours",
	} {
		if got := inWords(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A bar shows the phase and its rates, makes room for messages, and is gone in
// the end.
func TestBar(t *testing.T) {
	before := runtime.NumGoroutine()
	var b bytes.Buffer
	l := &log{w: &b}
	d := &bar{log: l, columns: func() int { return 0 }}
	d.show(progress{Phase: "finding", Done: 1, Total: 4, Seconds: 1})
	d.show(progress{Phase: writing, Done: 500, Total: 1000, Bytes: 50_000, Seconds: 1})
	l.warn("look out")
	d.show(progress{Phase: "publishing"})
	d.end()
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines go on drawing", n-before)
	}
	screen := b.String()
	for _, want := range []string{"finding", "25%", "writing 500 of 1000 rows, 500 rows/s, 50.0 kB/s, 2 seconds left", "50%", "\rwarning: look out\n", "publishing"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is not in %q", want, screen)
		}
	}
	if last := screen[strings.LastIndexByte(strings.TrimRight(screen, "\r"), '\r')+1:]; strings.TrimSpace(last) != "" {
		t.Errorf("%q is left on the line", last)
	}
}

// TestBarFitsTheTerminal draws no line that a terminal would break: neither a wide one nor
// one of 50 columns, nor one that becomes narrower.
func TestBarFitsTheTerminal(t *testing.T) {
	rows := progress{Phase: collecting, Done: 380_928, Total: 498_769, Seconds: 50}
	for _, c := range []struct {
		columns int
		want    string
	}{
		{120, " 76% |" + strings.Repeat("█", 22) + "        | collecting classes 380928 of 498769 rows, 7618 rows/s, 16 seconds left"},
		{80, " 76% |██████████    | collecting classes 380928 of 498769 rows, 16 seconds left"},
		{50, " 76% collecting classes 380928 of 498769 rows"},
		{40, " 76% collecting classes 380928 of 4987…"},
		{4, " 76"},
		{1, ""},
		{0, " 76% |" + strings.Repeat("█", 22) + "        | collecting classes 380928 of 498769 rows, 7618 rows/s, 16 seconds left"},
	} {
		if got := rows.line(c.columns); got != c.want {
			t.Errorf("in %d columns: %q, want %q", c.columns, got, c.want)
		}
	}
	for columns := 1; columns <= 200; columns++ {
		for _, p := range []progress{rows, {Phase: "publishing"}, {Phase: hashing, Total: 3}, {Phase: spilling, Done: 50e6, Total: 200e6, Seconds: 10}} {
			if n := utf8.RuneCountInString(p.line(columns)); n >= columns {
				t.Errorf("%+v: %d columns of %d", p, n, columns)
			}
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
		run.Start(collecting, 1000)
		shown := &shownProgress{}
		stop := watch(run.State, shown)
		time.Sleep(10*time.Second + interval/2)
		run.Done(500, 0)
		time.Sleep(interval)
		run.Start(collecting, 1000)
		run.Done(10, 0)
		time.Sleep(interval)
		stop()
		if len(shown.all) < 100 || shown.all[len(shown.all)-2].Seconds < 10 {
			t.Fatalf("%+v", shown.all)
		}
		if last := shown.all[len(shown.all)-1]; last.Seconds > 0.2 || last.left() > 11*time.Second {
			t.Errorf("%+v, %v left", last, last.left())
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
