package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

const counted = "name: d\noutput: out\nsource: {csv: {files: 'in/*'}}\nfeatures: {id: int64}\n"

// TestCountsInNames builds shards with {COUNT} in their names, in every way and by three tasks. Each name has the
// number of records that the manifest has.
func TestCountsInNames(t *testing.T) {
	var rows [2]strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&rows[i%2], "%d,%s,%d\n", i, []string{"train", "val"}[i%3/2], i%17)
	}
	head := "id,part,g\n"
	for name, files := range map[string]map[string]string{
		"in place":   {"in/a.csv": head + rows[0].String(), "in/b.csv": head + rows[1].String()},
		"compressed": {"in/a.csv.gz": filetest.Gzip(head + rows[0].String()), "in/b.csv": head + rows[1].String()},
	} {
		dir := testenv.Directory(t, files)
		for _, keys := range []string{
			"shards: {FILE, count: 7}\nsplit: {column: part}\n",
			"shards: {FILE, rows: 300}\nwhere: id % 5 != 0\nsample: 70%\n",
			"shards: {FILE, size: 4KB}\nsplit: {column: part}\nlimit: {train: 100, val: {rows: 9, per: " +
				"g}}\ncompression: gzip\n",
			"shards: {FILE, count: 3}\nsplit: {column: part}\ngroup: {by: [g, part], windows: {length: 10, stride: " +
				"10}}\n",
			"shards: {FILE, count: 30}\ndedupe: {by: [g]}\n",
		} {
			t.Run(name+", "+keys, func(t *testing.T) {
				cfg := load(t, dir, counted+strings.Replace(keys, "FILE", `filename: "{SPLIT}{INDEX}-{COUNT}.tfrec"`,
					1))
				output := sameEveryWay(t, cfg)
				checkCounts(t, output)
				byTasks := filepath.Join(t.TempDir(), "out")
				runTasks(t, cfg, byTasks)
				if got, want := tree(t, byTasks), tree(t, output); got != want {
					t.Errorf("by tasks: other bytes:\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// checkCounts compares the names of shards with the numbers of records in the manifest.
func checkCounts(t *testing.T, output string) {
	t.Helper()
	shards := 0
	for _, split := range manifestOf(t, output).Splits {
		for i, s := range split.Shards {
			shards++
			name := strings.TrimSuffix(s.Name, ".gz")
			if want := fmt.Sprintf("%s%d-%d.tfrec", split.Name, i, s.Records); name != want {
				t.Errorf("shard %s, want %s", s.Name, want)
			}
		}
	}
	if shards < 2 {
		t.Errorf("%d shards", shards)
	}
}

// runTasks builds cfg by three processes for each phase.
func runTasks(t *testing.T, cfg *config.Config, output string) {
	t.Helper()
	w := filepath.Join(t.TempDir(), "w")
	run := Run{Workers: 1, Memory: plenty, Output: output}
	if _, err := PlanTasks(t.Context(), cfg, run, w); err != nil {
		t.Fatal(err)
	}
	for _, phase := range Phases() {
		for i := range 3 {
			tasks, err := OpenTasks(t.Context(), run, w)
			if err != nil {
				t.Fatal(err)
			}
			_, err = tasks.Do(t.Context(), phase, work.Share{Index: i, Of: 3})
			tasks.Close()
			if err != nil {
				t.Fatalf("%s: %v", phase, err)
			}
		}
	}
}

// TestLongestName rejects names that are too long with the count of a full shard, though the last shard has fewer
// rows.
func TestLongestName(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/a.csv": "id\n" + strings.Repeat("1\n", 1001)})
	for n, ok := range map[int]bool{255: true, 256: false} {
		split := strings.Repeat("v", 100)
		rest := strings.Repeat("x", n-len(split)-len(split)-len("0-1000"))
		cfg := load(t, dir, counted+"split: "+split+"\nshards: {rows: 1000, filename: "+
			"\"{SPLIT}{SPLIT}{INDEX}-{COUNT}"+rest+"\"}\n")
		if _, err := buildTo(t, cfg, ways[0]); ok != (err == nil) || !ok &&
			!strings.Contains(err.Error(), "the shards' names have 256 bytes") {
			t.Errorf("names of %d bytes: %v", n, err)
		}
	}
}
