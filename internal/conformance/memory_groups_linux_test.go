package conformance

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestMemoryOfGroups compares the binary with what it says of its memory with `group`: with a group per
// row, with all rows in one group, with keys of a megabyte, and with values of 20. A sample has the first.
func TestMemoryOfGroups(t *testing.T) {
	rows := testenv.Times(20_000, 300_000, 1_000_000)
	const line = len("k0123456,0123456,123.5\n")
	for _, c := range []struct {
		name    string
		key     func(i int) string
		rows    int
		grouped int // rows of the largest group
		largest int // bytes of it
	}{
		{"a group per row", func(i int) string { return fmt.Sprintf("k%07d", i) }, rows, 1, line + 13},
		{"one group", func(int) string { return "a" }, rows, rows, rows * (line + 13)},
		{"huge keys", func(i int) string { return fmt.Sprintf("%02d", i) + strings.Repeat("x", 1_000_000) }, 60, 1,
			2 * 1_000_100},
	} {
		for _, memory := range []int64{16_000_000, 64_000_000} {
			if !testenv.Exhaustive() && (c.key(0) != "k0000000" || memory > 16_000_000) {
				continue
			}
			t.Run(fmt.Sprint(c.name, memory), func(t *testing.T) {
				dir := t.TempDir()
				var b strings.Builder
				b.WriteString("k,t,v\n")
				for i := range c.rows {
					fmt.Fprintf(&b, "%s,%d,%d.5\n", c.key(i), i, i%977)
				}
				write(t, dir, "a.csv", []byte(b.String()))
				write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: a.csv}}\nrecord: "+
					"sequence\nlimits: {record: 1GiB}\n"+
					"group: {by: [k], sort: t}\ncontext: {k: string}\nsequence: {t: int64, v: float}\n"))
				const workers, columns, ofRow, ofValue = 1, 2, 120, 64
				limit := promised(workers, 0, int64(c.largest), memory) +
					workers*int64(c.grouped)*(ofRow+columns*ofValue)
				keepsTo(t, limit, []string{"-config", filepath.Join(dir, "c.yaml"), "-memory",
					fmt.Sprint(memory/1_000_000, "MB"), "-workers", fmt.Sprint(workers)})
			})
		}
	}
	t.Run("huge values", func(t *testing.T) {
		inExhaustiveRuns(t)
		dir := t.TempDir()
		const rows, groups, value = 20, 4, 20_000_000
		var b bytes.Buffer
		for i := range rows {
			fmt.Fprintf(&b, "{\"g\": %d, \"v\": \"%s\"}\n", i%groups, strings.Repeat("x", value))
		}
		write(t, dir, "a.jsonl", b.Bytes())
		write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource: {jsonl: {files: a.jsonl}}\nlimits: {record: "+
			"200MiB}\ngroup: {by: g}\nfeatures: {v: string}\n"))
		const memory, largest, ofStrings = 16_000_000, rows / groups * (value + 100), 5
		for _, workers := range []int64{1, 2} {
			keepsTo(t, promised(workers, 0, largest, memory)+workers*ofStrings*largest,
				[]string{"-config", filepath.Join(dir, "c.yaml"), "-memory", "16MB", "-workers", fmt.Sprint(workers)})
		}
	})
}

// TestMemoryOfPlannedGroups compares the binary with what it says of the memory of `plan` with `group`, which
// writes no file. A sample has short keys, and a quarter of the rows.
func TestMemoryOfPlannedGroups(t *testing.T) {
	for _, c := range []struct {
		name, group string
		rows        int
		key         string // before the number
	}{
		{"short keys", "{by: k}", testenv.Times(500_000, 2_000_000, 2_000_000), ""},
		{"long keys", "{by: k}", 100_000, strings.Repeat("x", 2000)},
		{"long sort values", "{by: v, sort: k}", 50_000, strings.Repeat("x", 2000)},
		{"huge keys", "{by: k}", 300, strings.Repeat("x", 200_000)},
	} {
		if !testenv.Exhaustive() && c.name != "short keys" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var b strings.Builder
			b.WriteString("k,v\n")
			for i := range c.rows {
				fmt.Fprintf(&b, "%s%07d,%d\n", c.key, i, i)
			}
			write(t, dir, "a.csv", []byte(b.String()))
			write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: "+
				"a.csv}}\ngroup: "+c.group+"\nfeatures: {v: int64}\n"))
			mapped := int64(min(b.Len(), 16*mib)) // the pages of the input that are searched
			limit := promised(1, 0, int64(len(c.key)), 16_000_000) + mapped
			if c.rows*len(c.key) > 16*mib {
				limit += 6 * 16 * mib // the first rows
			}
			peak := peakMemory(t, exec.Command(testenv.Program(t), "plan", filepath.Join(dir, "c.yaml"),
				"-memory", "16MB", "-workers", "1"))
			t.Logf("%.1f MB of memory of %.1f", megabytes(peak), megabytes(limit))
			if peak > limit {
				t.Errorf("%.1f MB of memory, expected at most %.1f", megabytes(peak), megabytes(limit))
			}
		})
	}
}

// TestMemoryOfSplitGroups is TestMemoryOfGroups with groups of 100 rows in three splits: each split has an
// incomplete block of long groups when the next range of groups is loaded.
func TestMemoryOfSplitGroups(t *testing.T) {
	const ofGroup = 100
	rows := testenv.Times(20_000, 1_000_000, 1_000_000)
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("station,time,temperature,humidity\n")
	for i := range rows {
		fmt.Fprintf(&b, "s%06d,%d,%d.25,%d\n", i*7919%(rows/ofGroup), 1_600_000_000+i, i%37, i%100)
	}
	write(t, dir, "a.csv", []byte(b.String()))
	write(t, dir, "c.yaml", []byte(`name: it
output: out
source: {csv: {files: a.csv}}
record: sequence
split: {fractions: {train: 0.8, validation: 0.1, test: 0.1}}
group: {by: [station], sort: time}
context: {station: string}
sequence: {time: int64, temperature: float, humidity: int64}
`))
	const memory = 16_000_000
	for _, workers := range []int64{1, 2} {
		if workers > 1 && !testenv.Exhaustive() {
			continue
		}
		const features = 8 - 4 // of promised, and of this config
		limit := promised(workers, 0, ofGroup*64, memory) - features*(225<<10)*(workers+2)
		keepsTo(t, limit, []string{"-config", filepath.Join(dir, "c.yaml"), "-memory", "16MB", "-workers",
			fmt.Sprint(workers)})
	}
}
