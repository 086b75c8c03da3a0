package conformance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// A memoryKey is a key of the config that takes memory of its own, or must take none.
type memoryKey struct {
	name, config, features string
	plan                   int64 // bytes per row of plan, if it takes some
	more                   int64 // bytes of the values of a column
}

// ofStratum is what a value takes with `stratify`, and with `per` in `limit`.
const ofStratum = 600

// ofSplits is what the statistics of more splits take, each with a shard in the making.
func ofSplits(n int64) int64 { return (n - 1) * 2 * 8 * 225 << 10 }

// The tables have fewer than 2,000 values of distance, and 4 of zone.
var memoryKeys = []memoryKey{
	{name: "stratify", config: someStrata + "stratify: zone}\n", more: 5*ofStratum + ofSplits(2)},
	{name: "stratify groups", config: "split: {folds: 5, by: distance, stratify: zone}\n", plan: 48,
		more: 5*ofStratum + 2_000*80 + ofSplits(5)},
	{name: "folds", config: "split: {folds: 10}\n", more: ofSplits(10)},
	{name: "dedupe", config: "dedupe: {by: [distance, zone, vendor]}\n", more: 16_000_000 / 2},
	{name: "limit per", config: "limit: {train: {rows: 100, per: zone}}\n", more: 5 * ofStratum},
	{name: "limit per many values", config: "limit: {train: {rows: 9, per: distance}}\n", more: 2_000 * ofStratum},
	{name: "limit per, stratified", config: someStrata + "stratify: zone}\nlimit: {train: {rows: 9, per: distance}}\n",
		plan: 112, more: 2_000*ofStratum + ofSplits(2)},
	{name: "shards of rows", config: "shards: {rows: 5000}\n"},
	{name: "lists", features: "  two: {from: tags, type: string, separator: ';', shape: [2], pad: '', truncate: " +
		"true, missing: {default: ''}}\n" +
		"  hot: {from: tags, separator: ';', classes: {names: [the, fox, dog], unknown: -1}, multi_hot: true, " +
		"missing: empty_list}\n"},
	{name: "row columns and marks",
		features: "  far: {from: distance, type: float, thousands: ','}\n  row: {from: '@id', type: string}\n  at: " +
			"{from: '@offset', type: int64}\n"},
}

const someStrata = "split: {fractions: {train: 80%, test: 20%}, "

// TestMemoryOfKeys holds the binary against what it says of its memory with each key. The sample has
// one of them.
func TestMemoryOfKeys(t *testing.T) {
	rows, step := testenv.Times(10_000, 300_000, 600_000), testenv.Times(len(memoryKeys), 1, 1)
	dir := t.TempDir()
	write(t, dir, "a.csv.gz", gzipped(csvOf(t, trips(rows, 1), false)))
	for i := testenv.First(6, step); i < len(memoryKeys); i += step {
		k := &memoryKeys[i]
		t.Run(k.name, func(t *testing.T) {
			file := strings.ReplaceAll(k.name, " ", "-") + ".yaml"
			write(t, dir, file, []byte("name: it\noutput: out\nsource: {csv: {files: a.csv.gz, null_values: "+
				"[NA]}}\n"+k.config+tripFeatures+k.features))
			args := []string{"-config", filepath.Join(dir, file), "-memory", "16MB", "-workers", "2"}
			limit := promised(2, 0, 0, 16_000_000) + k.more
			keepsTo(t, limit, args)
			keepsTo(t, limit+k.plan*int64(rows), append([]string{"plan"}, args...))
		})
	}
	if testenv.Exhaustive() {
		t.Run("sums of images", func(t *testing.T) {
			dir := t.TempDir()
			imageFiles(t, dir, 100_000)
			write(t, dir, "c.yaml", fmt.Append(nil,
				"name: it\noutput: out\nsource: {images: {dir: in}}\nfeatures: {image: {from: image}, sum: {from: "+
					"image.sha256, type: string}}\n"))
			keepsTo(t, promised(2, 1000, 64<<10, 16_000_000),
				[]string{"-config", filepath.Join(dir, "c.yaml"), "-memory", "16MB", "-workers", "2"})
		})
	}
}

// TestMemoryOfComparedRecords compares the contents of all records, and the keys of WebDataset in one shard.
func TestMemoryOfComparedRecords(t *testing.T) {
	inExhaustiveRuns(t)
	const records = 1_500_000
	dir := t.TempDir()
	table := []byte("id,x\n")
	for i := range records {
		table = fmt.Appendf(table, "%d,%d\n", i, i*7919%1_000_003)
	}
	write(t, dir, "a.csv", table)
	for _, of := range []struct {
		name, keys string
		each       int64 // bytes per record
	}{
		{"leakage", "split: {train: 80%, test: 20%}\nchecks: {leakage: 0}\n", 48},
		{"keys", "format: webdataset\nwebdataset: {key: \"{id}\"}\nshards: 1\n", 56},
	} {
		t.Run(of.name, func(t *testing.T) {
			write(t, dir, "job.yaml", []byte("name: compared\noutput: out\nstatistics: false\nreport: false\n"+
				"tfx: false\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, x: int64}\n"+of.keys))
			keepsTo(t, promised(2, 0, 0, 16_000_000)+of.each*records,
				[]string{"-config", filepath.Join(dir, "job.yaml"), "-memory", "16MB", "-workers", "2", "-no-sync"})
		})
	}
}
