package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// regions returns an image with k regions: polygons and rectangles, as objects with the given text before the n-th.
func regions(k int, before func(n int) string, absent string) string {
	var list []string
	for n := range k {
		if n%3 == 0 {
			list = append(list, before(n)+fmt.Sprintf(`{"s":{"xs":[%d,%d],"deep":[[%d],[]]},"a":{"l":"p%d"}}`,
				n, k, n, n%2))
		} else {
			list = append(list, before(n)+fmt.Sprintf(`{"s":{%s},"a":{"l":"p%d"}}`, absent, n%2))
		}
	}
	return strings.Join(list, ",")
}

const membersFeatures = `
shards: 3
limits: {record: 64KB}
order: source
features:
  id: string
  label: {from: REGIONS.*.a.l, classes: auto, missing: empty_list}
  xs: {from: REGIONS.*.s.xs, type: int64, shape: [-1, -1], missing: empty_list}
  deep: {from: REGIONS.*.s.deep, type: int64, shape: [-1, -1, -1], missing: empty_list}
`

// TestMembersEveryWay builds lists of the members of objects, where some elements have no list, as a source and as a
// lookup table, in all ways, by tasks, and resumed. The shards equal the shards of arrays with empty lists.
func TestMembersEveryWay(t *testing.T) {
	const images = 60
	var objects, arrays, ids strings.Builder
	for i := range images {
		k := i % 7
		array := fmt.Sprintf(`"id":"i%d","regions":[%s]`, i, regions(k, func(int) string {
			return ""
		}, `"xs":[],"deep":[]`))
		fmt.Fprintf(&arrays, "{%s}\n", array)
		fmt.Fprintf(&ids, "i%d\n", i)
		switch {
		case i%5 == 4:
			fmt.Fprintf(&objects, "{\"id\":\"i%d\",\"regions\":[%s]}\n", i, regions(k, func(int) string {
				return ""
			}, ""))
		case k == 0 && i%2 == 0:
			fmt.Fprintf(&objects, "{\"id\":\"i%d\"}\n", i)
		default: // the keys are in no order
			fmt.Fprintf(&objects, "{\"id\":\"i%d\",\"regions\":{%s}}\n", i,
				regions(k, func(n int) string { return fmt.Sprintf(`"%d": `, 3*n%7) }, ""))
		}
	}
	document := "[" + strings.ReplaceAll(strings.TrimSpace(objects.String()), "\n", ",\n") + "]"
	dir := testenv.Directory(t, map[string]string{
		"objects.jsonl": objects.String(), "objects.json": document, "objects.json.gz": filetest.Gzip(document),
		"arrays.jsonl": arrays.String(), "ids.csv": "id\n" + ids.String(),
	})
	head := "name: d\noutput: out\nsource: "
	features := strings.ReplaceAll(membersFeatures, "REGIONS", "regions")
	want := shardsOf(t, mustBuild(t, load(t, dir, head+"{jsonl: arrays.jsonl}"+features), ways[0]))
	for name, text := range map[string]string{
		"jsonl": "{jsonl: objects.jsonl}" + features,
		"json":  "{json: objects.json}" + features,
		"gzip":  "{json: objects.json.gz}" + features,
		"lookup table": "{csv: ids.csv, join: [{jsonl: objects.jsonl, on: id, prefix: o.}]}" +
			strings.ReplaceAll(membersFeatures, "REGIONS", "o.regions"),
	} {
		t.Run(name, func(t *testing.T) {
			cfg := load(t, dir, head+text)
			output := sameEveryWay(t, cfg)
			if got := shardsOf(t, output); got != want {
				t.Errorf("the shards are\n%q\nwant\n%q", got, want)
			}
			bytes := tree(t, output)
			if got := tree(t, droppedByTasks(t, cfg)); got != bytes {
				t.Error("by tasks: other bytes")
			}
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true}
			stopLate(t, cfg, run, 1)
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, run.Output); got != bytes {
				t.Error("resumed: other bytes")
			}
		})
	}
}

// shardsOf returns the bytes of the shards of a dataset.
func shardsOf(t *testing.T, output string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(output, "*-of-*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no shards: %v", err)
	}
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}
