package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// What a build came to, in the line for programs and in JSON; on a terminal with a
// capital.
const (
	built    = "built"
	upToDate = "up to date"
)

// tellDataset prints what a command made of a dataset: lines for people if standard
// output is a terminal, else the line that scripts read. took is how long the build
// took; 0 where that is not known.
func tellDataset(c *call, f facts, verb string, r *pipeline.Result, took time.Duration) {
	output := printable(c.log.path(r.Output))
	if c.stdout.areOnTerminal() {
		c.tell(f, "%s", successText(verb, output, r, took))
		return
	}
	c.tell(f, "%s %s %s\n", verb, output, r.Summary)
}

// areOnTerminal reports whether people read the results.
func (r *results) areOnTerminal() bool {
	f, ok := r.w.(*os.File)
	return ok && isTerminal(f)
}

// successText returns what people read of a dataset that is built or up to date:
//
//	Built out/penguins: 344 rows in 3 shards, 65.4 kB, 0.05 s (6,880 rows/s)
//	  train 278 · validation 38 · test 28
//	  report: out/penguins/_tfr/report.html
func successText(verb, output string, r *pipeline.Result, took time.Duration) string {
	size := sizeOf(r.Manifest)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s in %s, %s", strings.ToUpper(verb[:1])+verb[1:], output, countText(size.records, "row"), countText(size.shards, "shard"), bytesText(size.bytes))
	if took > 0 && !r.UpToDate {
		b.WriteString(", " + tookText(took))
		if r.RowsWritten > 0 { // else the run only published
			b.WriteString(" (" + rateText(r.RowsWritten, took) + ")")
		}
	}
	b.WriteByte('\n')
	line := func(text string) { b.WriteString("  " + text + "\n") }
	if len(r.Manifest.Splits) > 0 {
		line(splitsText(r.Manifest.Splits))
	}
	if lost := rejected(r.Manifest); len(lost) > 0 {
		line("rejected " + countsText(lost))
	}
	if filtered := r.Manifest.LeftOut(); len(filtered) > 0 {
		line("filtered " + countsText(filtered))
	}
	line("report: " + reportPath(output))
	return b.String()
}

// reportPath returns where the report of a dataset is: a path, or a URL in a bucket.
func reportPath(output string) string { return store.Join(output, report.Name) }

// maxSplits is how many splits are named.
const maxSplits = 8

// splitsText returns the rows of each split: `train 278 · test 28`.
func splitsText(splits []dataset.Split) string {
	var parts []string
	for _, s := range splits[:min(len(splits), maxSplits)] {
		parts = append(parts, printable(s.Name)+" "+report.Grouped(s.Records))
	}
	if more := len(splits) - maxSplits; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more splits", more))
	}
	return strings.Join(parts, " · ")
}

// countsText returns a sum and its parts, the largest first: `3: INT_SYNTAX 2, SHAPE 1`.
func countsText(counts map[string]int64) string {
	names, sum := slices.Sorted(maps.Keys(counts)), int64(0)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for i, name := range names {
		sum += counts[name]
		names[i] = name + " " + report.Grouped(counts[name])
	}
	return countText(sum, "row") + ": " + strings.Join(names, ", ")
}

// A datasetSize is how much is in a dataset.
type datasetSize struct{ records, shards, bytes int64 }

func sizeOf(m *dataset.Manifest) (size datasetSize) {
	for _, s := range m.Splits {
		size.records += s.Records
		size.shards += int64(len(s.Shards))
		for i := range s.Shards {
			size.bytes += s.Shards[i].Bytes
		}
	}
	return size
}
