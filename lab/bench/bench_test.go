package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// timed is a timing of runs of so many ms, each from another copy of two.
func timed(runs ...int) timing {
	var t timing
	for i, run := range runs {
		d := time.Duration(run) * time.Millisecond
		t.wall, t.cpu, t.copies = append(t.wall, d), append(t.cpu, 2*d), append(t.copies, i%2)
	}
	return t
}

func TestScaledTimeHasOneStart(t *testing.T) {
	p := part{of: 50, all: 1_000}
	if got, want := p.whole(5*time.Second, 2*time.Second), 43*time.Second; got != want {
		t.Errorf("a start of 3 s and a twentieth of 2 s: %v, want %v", got, want)
	}
}

func TestRoundsOfContenders(t *testing.T) {
	for _, c := range []struct {
		name   string
		c      contender
		rounds []int
	}{
		{"each time", contender{}, []int{0, 1, 2}},
		{"once", contender{once: true}, []int{1}},
		{"a part, once", contender{once: true, part: part{of: 1, all: 2}}, []int{0, 1}},
	} {
		var rounds []int
		for round := range 3 {
			if c.c.runs(round) {
				rounds = append(rounds, round)
			}
		}
		if !slices.Equal(rounds, c.rounds) {
			t.Errorf("%s: rounds %v, want %v", c.name, rounds, c.rounds)
		}
	}
}

func TestTimesInText(t *testing.T) {
	wall, cpu, err := said("a warning\n\nCPU 1.5 wall 2.25\n")
	if err != nil || wall != 2250*time.Millisecond || cpu != 1500*time.Millisecond {
		t.Errorf("wall %v, CPU %v, %v", wall, cpu, err)
	}
	if _, _, err := said("CPU 1 wall 2\nKilled"); err == nil {
		t.Error("a last line without times is taken")
	}
}

func TestCopiesRunInTurn(t *testing.T) {
	dir := t.TempDir()
	b := &bench{program: dir + "/program", dir: dir, rounds: 2}
	if err := os.WriteFile(b.program, []byte("#!/bin/sh\nbasename \"$0\" >> \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := b.copyProgram(2); err != nil {
		t.Fatal(err)
	}
	g := group{name: "copies", input: func() error { return nil }, contenders: []contender{
		{name: "ours", ours: true, args: []string{b.program, dir + "/ran"}},
		{name: "once", once: true, args: []string{"sh", "-c", "echo once >> " + dir + "/ran"}},
	}}
	r, err := b.race(&g)
	if err != nil {
		t.Fatal(err)
	}
	ran, err := os.ReadFile(dir + "/ran")
	if want := "tfr-build.0\ntfr-build.1\nonce\ntfr-build.0\n"; err != nil || string(ran) != want {
		t.Errorf("ran %q, %v, want %q", ran, err, want)
	}
	if ours, once := r.Contenders[0], r.Contenders[1]; ours.Runs != 2 || len(ours.Copies) != 2 || once.Runs != 1 {
		t.Errorf("%d runs of %d copies, and %d, want 2 of 2, and 1", ours.Runs, len(ours.Copies), once.Runs)
	}
}

func TestVerdictOfRuns(t *testing.T) {
	g := group{
		name: "a race",
		contenders: []contender{
			{name: "ours", ours: true, role: built},
			{name: "theirs", role: reads},
			{name: "slow", role: writes, part: part{of: 50_000, all: 1_000_000, what: "rows"}},
		},
		goals: []goal{
			{of: "ours", to: "theirs", limit: 0.6},
			{of: "ours", to: "theirs", limit: 0.4},
			{of: "slow", to: "ours", limit: 30, least: true},
			{of: "slow", to: "ours", limit: 31, least: true},
			{of: "ours", limit: 90},
			{of: "ours", to: "theirs", told: true},
		},
	}
	r := g.judge([]timing{timed(140, 100, 130, 120), timed(250, 200, 300), timed(3000)},
		noise{Load: 0.5, All: time.Second})
	if c := r.Contenders[0]; c.Min != 100 || c.Median != 130 || c.CPU != 200 ||
		!slices.Equal(c.Copies, []float64{100, 130}) {
		t.Errorf("ours: %+v", c)
	}
	var met []bool
	for _, j := range r.Goals {
		met = append(met, j.Met())
	}
	if want := []bool{true, false, true, false, false, true}; !slices.Equal(met, want) {
		t.Errorf("met: %v, want %v", met, want)
	}
	const want = `a race                                    min   median      CPU
  ours                                    100      130      200
  theirs                                  200      250      400
  slow                                   3000     3000     6000  of 50,000 rows, scaled
  ours : theirs = 0.50, limit ≤ 0.60; CPU 0.50
  ours : theirs = 0.50, limit ≤ 0.40, MISSED; CPU 0.50
  slow : ours = 30.00, limit ≥ 30.00; CPU 30.00
  slow : ours = 30.00, limit ≥ 31.00, MISSED; CPU 30.00
  ours: 100 ms, limit 90, MISSED
  ours : theirs = 0.50; CPU 0.50
  noise: load 0.5, others 0 % of the processors, stolen 0 %, medians to 30 % over minima, copies to 30 % apart
  NOT TO BE TRUSTED: the median of "ours" is 30 % over its minimum
  NOT TO BE TRUSTED: the copies of "ours" are 30 % apart
`
	if got := r.String(); got != want {
		t.Errorf("printed:\n%s\nwant:\n%s", got, want)
	}
}

func TestNoise(t *testing.T) {
	before := readTicks("cpu  100 20 30 800 40 5 5 0 0 0\ncpu0 1 2 3\n")
	if want := (ticks{all: 10 * time.Second, busy: 1600 * time.Millisecond}); before != want {
		t.Fatalf("%+v, want %+v", before, want)
	}
	after := readTicks("cpu  200 20 50 860 40 5 5 20 0 0\n")
	var n noise
	n.hear(before, after, time.Second)
	if others, stolen := n.share(n.Others), n.share(n.Stolen); others != 10 || stolen != 10 {
		t.Errorf("others %v %%, stolen %v %%, want 10 and 10", others, stolen)
	}
	doubts := (&result{Noise: n}).doubts()
	if want := []string{"others took 10 % of the processors",
		"the host kept 10 % of the processors"}; !slices.Equal(doubts, want) {
		t.Errorf("doubts: %q, want %q", doubts, want)
	}
	if n := (noise{}); n.share(n.Others) != 0 {
		t.Error("without /proc/stat there is noise")
	}
}

func TestFileSystem(t *testing.T) {
	const mounts = `26 25 0:24 / /data rw shared:2 - xfs /dev/vdb rw
27 25 0:25 / /data/fast rw - tmpfs none rw
25 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
`
	for dir, want := range map[string]string{"/": "ext4", "/home/a": "ext4", "/data": "xfs", "/data/a": "xfs",
		"/database": "ext4", "/data/fast/x": "tmpfs"} {
		if got := fileSystem(mounts, dir); got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

func TestThousandsAndRatios(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1_234_005: "1,234,005"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	for x, want := range map[float64]string{0.596: "0.60", 9.96: "10.0", 99.4: "99.4", 178.3: "178"} {
		if got := ratio(x); got != want {
			t.Errorf("%v: %s", x, got)
		}
	}
}

// made is a result of every group that is on the page.
func made() *results {
	r := &results{Machine: machine{Day: "2026-01-02", CPUs: 2, Model: "A & B"}, Rounds: 6, Copies: 3, Rows: 1_000_000}
	b := &bench{rows: r.Rows, dir: "/nowhere", program: "/nowhere/tfr-build"}
	for _, g := range b.groups() {
		if !g.page {
			continue
		}
		var timings []timing
		for i := range g.contenders {
			timings = append(timings, timed(100*(i+1), 105*(i+1)))
		}
		measured := g.judge(timings, noise{})
		measured.Day = r.Machine.Day
		if g.pixels != nil {
			measured.Megapixels = 188
		}
		r.Groups = append(r.Groups, *measured)
	}
	return r
}

func TestPageHasEveryGroupAndItsCharts(t *testing.T) {
	r := made()
	files, err := r.page("benchmarks")
	if err != nil {
		t.Fatal(err)
	}
	page := files["benchmarks.md"]
	tables := []func() (string, error){r.steps, r.jobs}
	for _, g := range r.Groups {
		if g.Megapixels == 0 {
			tables = append(tables, func() (string, error) { return r.table(g.Name) })
		}
	}
	for _, make := range tables {
		table, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, table) {
			t.Errorf("the page has no table\n%s", table)
		}
	}
	page += files[goalsPage]
	for name, text := range files {
		if filepath.Ext(name) != ".md" && (!strings.Contains(page, "]("+name+")") || !strings.HasPrefix(text, "<svg")) {
			t.Errorf("%s is not on the page, or is not SVG", name)
		}
	}
	if len(files) != 8 {
		t.Errorf("%d files, want two pages and 6 charts", len(files))
	}
	for _, want := range []string{
		"| TensorFlow, a loop (of 50,000 rows, scaled) |", "| **tfr-build**, without fsync | 100 | 105 | 200 | 1.00 |",
		"| CSV: without fsync : pyarrow, only reading | 0.20 | ≤ 0.60 | met |", "| **missed** |",
		"1,000,000 rows of nine", "No figure is in doubt",
		"188 million pixels", "| **tfr-build** | 895 | 895 | 895 | 895 |", "| libvips | 224 | – | 298 | 224 |",
		"| **tfr-build**, lanczos | 420 | 210 | 448 | 2.00 |",
		"measured 2026-01-02.", "| CPU of 1,000 photos, decode: tfr-build : Pillow | 0.20 | ≤ 1.15 | met |",
		"Noise: each median is within 15 % of its minimum.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestDays(t *testing.T) {
	r := made()
	r.Machine.Day, r.Groups[0].Day = "2026-01-05", "2026-01-05"
	if got, want := r.days(), "2026-01-02 to 2026-01-05"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
}

func TestMeasureOneGroup(t *testing.T) {
	r := made()
	again := &results{Machine: machine{Day: "2026-01-03"}, Groups: []result{{Name: "CSV"}, {Name: "new"}}}
	all := r.with(again)
	if len(all.Groups) != len(r.Groups)+1 || all.Groups[0].Contenders != nil || all.Groups[1].Contenders == nil ||
		all.Machine.Day != "2026-01-03" {
		t.Errorf("%d groups of %d, the first %+v, %s", len(all.Groups), len(r.Groups), all.Groups[0], all.Machine.Day)
	}
}

func TestTableOfOtherRowsIsRewritten(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	for _, rows := range []int{3, 2, 3} {
		if err := b.makeTable("table", rows); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(b.path("table.csv"))
		if err != nil || strings.Count(string(text), "\n") != rows+1 {
			t.Errorf("%d lines, %v, want a header and %d", strings.Count(string(text), "\n"), err, rows)
		}
	}
}

// The text of the page is changed in its template, and -render makes it again.
func TestPageIsRenderedFromItsResults(t *testing.T) {
	r, err := readResults("results.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("nothing was measured yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.page("benchmarks")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile("../../docs/" + name); err != nil || string(got) != want {
			t.Errorf("docs/%s is not what -render makes of the results: %v", name, err)
		}
	}
}

// The README and the first page of the docs have the figures of the results.
func TestHeadline(t *testing.T) {
	r, err := readResults("results.json")
	if err != nil {
		t.Fatal(err)
	}
	hero, err := r.hero()
	if err != nil {
		t.Fatal(err)
	}
	times := func(group string) float64 {
		g, err := r.group(group)
		if err != nil {
			t.Fatal(err)
		}
		return g.contender("TensorFlow, a loop").Min / g.contender("with fsync").Min
	}
	tables := []float64{times("CSV"), times("JSONL"), times("Parquet")}
	fast := fmt.Sprintf("%.0f to %.0f times as fast as a TensorFlow loop on tables, %.0f times on JPEG files",
		slices.Min(tables), slices.Max(tables), times("10,000 JPEG files of 110 kB"))
	job, err := r.group(photoJobName)
	if err != nil {
		t.Fatal(err)
	}
	share := func(other string) float64 {
		return 100 * job.contender("area").MedianCPU / job.contender(other).MedianCPU
	}
	resizing := fmt.Sprintf("Resizing photos takes %.0f %% of the CPU time of OpenCV and %.0f %% of Pillow's.",
		share("OpenCV, area"), share("Pillow, area"))
	for _, page := range []string{"../../README.md", "../../docs/index.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"![" + hero.title + "](", fast, resizing} {
			if !strings.Contains(strings.ReplaceAll(string(text), "\n  ", " "), want) {
				t.Errorf("%s lacks %q", page, want)
			}
		}
	}
}

func TestPageNamesDoubtfulResults(t *testing.T) {
	r := made()
	r.Groups[0].Noise = noise{All: time.Second, Others: time.Second / 4}
	if got, want := r.doubts(), "in doubt:\n\n- CSV: others took 25 % of the processors."; !strings.HasSuffix(got,
		want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}

func TestPageNeedsAllGroups(t *testing.T) {
	r := made()
	r.Groups = r.Groups[1:]
	if _, err := r.page("benchmarks"); err == nil || !strings.Contains(err.Error(), `"CSV"`) {
		t.Errorf("a page without CSV: %v", err)
	}
}

func TestChart(t *testing.T) {
	r := result{Name: "a < b", Contenders: []measured{
		{Name: "without fsync", Role: built, Min: 300}, {Name: "of no role", Min: 10},
		{Name: "reads", Role: reads, Min: 600}, {Name: "writes", Role: writes, Min: 60_000},
	}}
	c := r.chart()
	if len(c.panels) != 2 {
		t.Fatalf("%d panels, want 2", len(c.panels))
	}
	svg := c.svg()
	for _, want := range []string{
		`<title>a &lt; b</title>`, `prefers-color-scheme: dark`,
		fmt.Sprintf(`<rect class="ours" x="%d" y="46" width="%.1f"`, barLeft, barLongest/2.0),
		fmt.Sprintf(`<rect class="other" x="%d" y="72" width="%.1f"`, barLeft, float64(barLongest)),
		">300 ms<", ">600 ms<", ">0.30 s<", ">60.0 s<",
		fmt.Sprintf(`y="132" width="%.1f"`, math.Max(1, barLongest/200.0)),
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the chart lacks %q:\n%s", want, svg)
		}
	}
	if strings.Contains(svg, "of no role") {
		t.Error("who has no role is in the chart")
	}
}
