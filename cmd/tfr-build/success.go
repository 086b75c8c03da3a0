package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/report"
)

// Results of a build, in the line for programs and in JSON. On a terminal they begin with a
// capital.
const (
	built    = "built"
	upToDate = "up to date"
)

// printDataset prints the result of a command that made a dataset. It prints lines for people if
// standard output is a terminal, otherwise the line that scripts read. The build has taken took; 0
// if unknown.
func printDataset(c *call, f facts, verb string, r *pipeline.Result, took time.Duration) {
	output := c.shown(r.Output)
	if isTerminal(c.stdout.w) {
		c.printResult(f, "%s", successText(verb, output, r, took))
		return
	}
	c.printResult(f, "%s %s %s\n", verb, output, r.Summary)
}

// successText returns the text for people about a dataset that is built or up to date:
//
//	Built out/penguins: 344 rows in 3 shards, 65.4 kB, 0.05 s (6,880 rows/s)
//	  train 278 · validation 38 · test 28
//	  report: out/penguins/_tfr/report.html
func successText(verb, output string, r *pipeline.Result, took time.Duration) string {
	size := sizeOf(r.Manifest)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s in %s, %s", strings.ToUpper(verb[:1])+verb[1:], output, countText(size.records, "row"),
		countText(size.shards, "shard"), bytesText(size.bytes))
	if took > 0 && !r.UpToDate {
		b.WriteString(", " + tookText(took))
		if r.RowsWritten > 0 { // otherwise the run only published
			b.WriteString(" (" + rateText(r.RowsWritten, took) + ")")
		}
	}
	b.WriteByte('\n')
	line := func(text string) { b.WriteString("  " + text + "\n") }
	if len(r.Manifest.Splits) > 0 {
		line(splitsText(r.Manifest.Splits))
	}
	all := r.Manifest.Counts()
	if len(all.Rejected) > 0 {
		line("rejected " + countsText(all.Rejected))
	}
	if len(all.Skipped) > 0 {
		line("filtered " + countsText(all.Skipped))
	}
	if slices.ContainsFunc(r.Manifest.Files, func(f dataset.FileEntry) bool { return f.Name == report.Name }) {
		line("report: " + reportPath(output))
	}
	return b.String()
}

// reportPath returns the path of the report of a dataset, or its URL in a bucket.
func reportPath(output string) string { return store.Join(output, report.Name) }

// maxSplits is the largest number of splits that are named.
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

// A datasetSize has the totals of a dataset.
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
