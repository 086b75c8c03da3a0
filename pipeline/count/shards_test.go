package count

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
)

// A table is a set with the rows of a CSV file, and what is counted of its records.
type table struct {
	set      *rows.Set
	list     []rows.Row
	counting *Counting
}

// allFeatures is a check that compares all features.
const allFeatures = "checks: {leakage: 0}\n"

// newTable opens a table with the columns x and y, with more lines of the config.
func newTable(t *testing.T, more string, lines, splits []string) *table {
	t.Helper()
	text := "x,y\n"
	var list []rows.Row
	for _, line := range lines {
		r := rows.Row{Data: []byte(line + "\n")}
		r.Offset = int64(len(text))
		text += line + "\n"
		list = append(list, r)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text})
	c, err := config.Parse(filepath.Join(dir, "c.yaml"), []byte("name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"+
		"features: {x: int64, y: string}\n"+more), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), c, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{Sources: []plan.Source{{Found: int64(len(list))}}}
	for _, name := range splits {
		p.Splits = append(p.Splits, plan.Split{Name: name, Rows: len(list) / len(splits), Shards: 1})
	}
	counting, err := New(set, p)
	if err != nil {
		t.Fatal(err)
	}
	return &table{set, list, counting}
}

// count counts the records of some rows as a shard of a split.
func (tb *table) count(t *testing.T, split *Accumulator, list []rows.Row) *Accumulator {
	t.Helper()
	encoder, counter := tb.set.NewEncoder(), tb.counting.NewCounter()
	defer encoder.Close()
	encoder.Note(counter.Noted)
	shard := tb.counting.NewShard(split, len(list))
	counter.Begin(shard)
	var buf []byte
	for i := range list {
		start := len(buf)
		var err error
		if buf, err = encoder.Append(buf, &list[i]); err != nil {
			t.Fatal(err)
		}
		hash := new(dataset.Content).AddRecord(buf[start:])
		counter.Add(buf, start, hash, tb.set.Space.Address(list[i].File, list[i].Offset))
	}
	counter.Flush()
	counter.End()
	return shard
}

// document returns the statistics of splits as JSON, the records of each that another split has, and the number of
// records that are equal to others.
func (tb *table) document(names []string, splits []*Accumulator) string {
	leaks, _ := tb.counting.Leaks(splits)
	equal, _ := tb.counting.Equal(splits)
	text := ""
	if d := tb.counting.Document(names, splits); d != nil {
		text = string(d.Append(nil))
	}
	return fmt.Sprintf("%s%v %+v", text, leaks, equal)
}

// numbered returns n rows, of which every third has the values of the row before it.
func numbered(n int) (lines []string) {
	for i := range n {
		k := i
		if i%3 == 2 {
			k--
		}
		lines = append(lines, fmt.Sprintf("%d,text %d", k, k%7))
	}
	return lines
}

// messages are those whose records are counted in different ways.
var messages = []string{"", "record: json_example\n", "record: json\n"}

// TestCountsDoNotDependOnShards counts rows as one shard, and as several that are stored, read again, and merged in
// another order.
func TestCountsDoNotDependOnShards(t *testing.T) {
	names := []string{"train"}
	for _, message := range messages {
		tb := newTable(t, allFeatures+message, numbered(100), names)
		one := tb.counting.NewSplit(0)
		one.Merge(tb.count(t, one, tb.list))
		several := tb.counting.NewSplit(0)
		var stored [][]byte
		for part := range slices.Chunk(tb.list, 17) {
			stored = append(stored, tb.count(t, several, part).Append(nil))
		}
		for _, data := range slices.Backward(stored) {
			shard, err := tb.counting.Parse(0, data)
			if err != nil {
				t.Fatalf("%q: %v", message, err)
			}
			several.Merge(shard)
		}
		want := tb.document(names, []*Accumulator{one})
		if got := tb.document(names, []*Accumulator{several}); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", message, got, want)
		}
		if equal, ok := tb.counting.Equal([]*Accumulator{one}); !ok || equal.Records != 33 {
			t.Errorf("%q: %+v equal records", message, equal)
		}
	}
}

// TestLeaks counts the records of a split that another split has, by their features.
func TestLeaks(t *testing.T) {
	names := []string{"train", "test"}
	for _, message := range messages {
		for check, want := range map[string]string{allFeatures: "[2 1]",
			"checks: {leakage: {rows: 0, of: [y]}}\n": "[3 2]"} {
			tb := newTable(t, check+message, strings.Fields("1,a 2,b 1,a 4,c 1,a 5,c"), names)
			splits := make([]*Accumulator, len(names))
			for i := range splits {
				splits[i] = tb.counting.NewSplit(i)
				splits[i].Merge(tb.count(t, splits[i], tb.list[4*i:min(4*i+4, len(tb.list))]))
			}
			if leaks, ok := tb.counting.Leaks(splits); !ok || fmt.Sprint(leaks) != want {
				t.Errorf("%q with %q: %v, want %s", message, check, leaks, want)
			}
		}
	}
}

// TestDamagedStatisticsAreRefused cuts and changes the statistics in the stored counts of a shard. What follows them
// has no digest of its own: the journal has that of the file.
func TestDamagedStatisticsAreRefused(t *testing.T) {
	tb := newTable(t, allFeatures, numbered(30), []string{"train"})
	data := tb.count(t, tb.counting.NewSplit(0), tb.list).Append(nil)
	end := lengthBytes + int(binary.LittleEndian.Uint64(data))
	for n := range end {
		if _, err := tb.counting.Parse(0, data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(data))
		}
	}
	for bit := 8 * lengthBytes; bit < 8*end; bit++ {
		changed := slices.Clone(data)
		changed[bit/8] ^= 1 << (bit % 8)
		if _, err := tb.counting.Parse(0, changed); err == nil {
			t.Errorf("a change of bit %d of %d bytes is accepted", bit, len(data))
		}
	}
}

// TestNothingIsCounted has a config without statistics and without a comparison.
func TestNothingIsCounted(t *testing.T) {
	tb := newTable(t, allFeatures, numbered(3), []string{"train"})
	tb.set.Config.Statistics.On, tb.set.Config.Checks = false, nil
	if c, err := New(tb.set, &plan.Plan{}); c != nil || err != nil {
		t.Errorf("%v %v", c, err)
	}
}
