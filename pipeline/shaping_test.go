package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// shapes are keys that leave rows out.
var shapes = []string{
	"sample: 40%\n",
	"limit: {train: 100}\n",
	"limit: {train: 1, test: 7}\n",
	"dedupe: {by: [user, part], prefer: [dev, test]}\nsample: 60%\nwhere: 'x > 0.2'\n",
	"dedupe: {by: [x]}\nlimit: {train: 200}\n",
	"sample: 70%\nlimit: {train: 333, dev: 1000000}\n",
	"limit: {train: {rows: 9, per: user}}\n",
	"sample: 90%\nlimit: {train: {rows: 12, per: user}, test: {rows: 5, per: part}, dev: 40}\n",
	"dedupe: {by: [x]}\nwhere: 'x > 0.1'\nlimit: {dev: {rows: 1, per: text}, train: {rows: 7, per: user}}\n",
	"where: 'x > 0.5 && user != \"u3\"'\n",
	"derive: {half: {expr: 'x / 2', type: float}, long: 'missing(text) ? 0 : size(text)'}\nwhere: 'half > 0.3 || " +
		"long > 50'\nsample: 60%\nlimit: {train: 40}\n",
}

// shapedSplits is a split of all rows that the configs share.
const shapedSplits = "split: {fractions: {train: 50%, test: 30%, dev: 20%}}\n"

// shapedInput are tables for them.
func shapedInput(t *testing.T) string {
	return testenv.Directory(t, map[string]string{
		"a1.csv": rowsCSV(700), "a2.csv": rowsCSV(300), "a3.csv": rowsCSV(500), "b.csv.gz": filetest.Gzip(rowsCSV(700)),
		"d.jsonl":        rowsJSONL(600),
		"pics/cat/1.bin": "cat", "pics/cat/2.bin": "cats", "pics/dog/3.bin": "dog", "pics/dog/4.bin": "dogs",
		"pics/dog/5.bin": "d",
	})
}

var shapedSources = map[string]string{
	"csv":        "source: {csv: {files: 'a?.csv'}}\n" + shapedSplits + "shards: 3\n",
	"compressed": "source: {csv: {files: b.csv.gz}}\n" + shapedSplits + "shards: {size: 10KB}\n",
	"column":     "source: {csv: {files: 'a?.csv'}}\nsplit: {column: part}\nshards: 2\n",
	"source":     "source: {csv: {files: ['a?.csv', b.csv.gz]}}\n" + shapedSplits + "order: source\nshards: 2\n",
	"order_key": "source: {csv: {files: 'a?.csv'}}\nsplit: {fractions: {train: 50%, test: 30%, dev: 20%}, by: " +
		"user}\norder_key: user\n",
	"strata": "source: {csv: {files: 'a?.csv'}}\nsplit: {fractions: {train: 50%, test: 30%, dev: 20%}, stratify: " +
		"part}\nshards: {size: 20KB}\n",
	"groups": "source: {csv: {files: ['a?.csv', b.csv.gz]}}\nsplit: {fractions: {train: 50%, test: 30%, dev: 20%}, " +
		"by: x, stratify: part}\norder_key: user\n",
	"one key": "source: {csv: {files: 'a?.csv'}}\n" + shapedSplits + "set: {k: same}\norder_key: k\n",
	"two sources": "sources:\n- csv: {files: 'a?.csv'}\n  split: {column: part}\n- jsonl: {files: d.jsonl}\n" +
		shapedSplits + "shards: {size: 40KB}\n",
}

// excluded reports whether a source and a shape exclude each other: prefer needs splits that the row
// alone decides.
func excluded(source, shape string) bool {
	return strings.Contains(source, "stratify:") && strings.Contains(shape, "prefer:")
}

// payloadsOf are the records of each split of a dataset, in order.
func payloadsOf(t *testing.T, out string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(out, "*-of-*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, name := range names { // in the order of the shards
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		split, _, _ := strings.Cut(filepath.Base(name), "-")
		for r := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{}); ; {
			payload, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			all[split] = append(all[split], string(payload))
		}
	}
	return all
}

// TestShapedTheSameEveryWay builds datasets with rules that skip rows, in all ways.
func TestShapedTheSameEveryWay(t *testing.T) {
	dir := shapedInput(t)
	for name, source := range shapedSources {
		for i, shape := range shapes {
			if (i+len(name))%testenv.Times(13, 1, 1) != 0 || excluded(source, shape) {
				continue
			}
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				output := sameEveryWay(t, load(t, dir, "name: d\noutput: out\n"+source+shape+tableFeatures))
				accounted(t, output)
			})
		}
	}
	t.Run("files", func(t *testing.T) {
		for _, shape := range []string{"sample: 60%\n", "limit: {train: 2}\n", "sample: 80%\nlimit: {train: 1}\n"} {
			sameEveryWay(t, load(t, dir,
				"name: d\noutput: out\nsource: {folder: {dir: pics}}\nfeatures: {content: bytes, class: {classes: "+
					"auto}}\n"+shape))
		}
	})
}

// accounted compares the counts of a dataset with its shards, and its rules against one
// another: the manifest's own checks do it by source and split.
func accounted(t *testing.T, output string) {
	t.Helper()
	m, records := manifestOf(t, output), payloadsOf(t, output)
	found, become := int64(0), int64(0)
	for _, s := range m.Sources {
		found += s.Found
		become += s.Written
		for _, n := range s.Rejected {
			become += n
		}
		for _, n := range s.Skipped {
			become += n
		}
	}
	if found != become || found == 0 {
		t.Errorf("%d rows were found, and %d became something", found, become)
	}
	for _, s := range m.Splits {
		if int(s.Written) != len(records[s.Name]) {
			t.Errorf("split %s has %d records, but %d were written", s.Name, len(records[s.Name]), s.Written)
		}
	}
}

// TestShapedByManyProcesses builds them from the spill files of many scans, and by tasks.
func TestShapedByManyProcesses(t *testing.T) {
	dir := shapedInput(t)
	for name, source := range shapedSources {
		for i, shape := range shapes {
			if (i+len(name))%testenv.Times(12, 1, 1) != 0 || excluded(source, shape) {
				continue
			}
			text := "name: d\noutput: out\n" + source + shape + tableFeatures
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				cfg := load(t, dir, text)
				want := tree(t, mustBuild(t, cfg, ways[0]))
				if name != "compressed" {
					s := &scanning{t: t, cfg: cfg, size: 5_000, n: 5, inline: 7,
						run: Run{Workers: 2, Output: filepath.Join(t.TempDir(), "out"), runLimit: 30_000}}
					merged, files := s.scan()
					if err := s.write(merged, files); err != nil {
						t.Fatal(err)
					}
					if got := tree(t, s.run.Output); got != want {
						t.Errorf("from scans there are other bytes:\n%s\nwant\n%s", got, want)
					}
				}
				output := filepath.Join(t.TempDir(), "by-tasks")
				testenv.Put(t, filepath.Join(dir, "c.yaml"), strings.Replace(text, "output: out", "output: "+output, 1))
				tasks := tasksOfConfig(t, dir, strings.Replace(text, "output: out", "output: "+output, 1), 3)
				doAll(t, tasks, Phases()...)
				if got := tree(t, output); got != want {
					t.Errorf("tasks made other bytes:\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// TestShapesMoveNothing compares filtered datasets with the complete one: rows keep their split
// and order, a smaller sample is part of a larger one, and a limit takes the first rows.
func TestShapesMoveNothing(t *testing.T) {
	dir := shapedInput(t)
	sources := maps.Clone(shapedSources)
	maps.DeleteFunc(sources, func(_, source string) bool { return strings.Contains(source, "stratify:") }) // moves rows
	for name, source := range testenv.Some(1, 5, sources) {
		t.Run(name, func(t *testing.T) {
			built := func(shape string) map[string][]string {
				text := "name: d\noutput: out\nrecord: {text: id}\n" + source
				return payloadsOf(t, mustBuild(t, load(t, dir, text+shape), ways[1]))
			}
			whole, half, few := built(""), built("sample: 50%\n"), built("sample: 12.5%\n")
			for split, rows := range whole {
				if n := len(half[split]); n < len(rows)/3 || n > 2*len(rows)/3+1 {
					t.Errorf("%s: half of %d rows are %d", split, len(rows), n)
				}
				if !within(half[split], rows) || !within(few[split], half[split]) ||
					len(few[split]) >= len(half[split]) {
					t.Errorf("%s: a sample is not within a larger one, in its order", split)
				}
			}
			kept := built("derive: {odd: 'int(id) % 3 == 0', both: 'odd && user != \"u7\"'}\nwhere: both\n")
			expected := built("where: 'int(id) % 3 == 0 && user != \"u7\"'\n")
			for split, rows := range whole {
				var thirds []string
				for _, id := range rows {
					if n, err := strconv.Atoi(id); err == nil && n%3 == 0 {
						thirds = append(thirds, id)
					}
				}
				if !within(kept[split], thirds) || len(kept[split]) < len(thirds)/2 ||
					!slices.Equal(kept[split], expected[split]) {
					t.Errorf("%s: where keeps %d rows of %d, %d by itself", split, len(kept[split]), len(thirds),
						len(expected[split]))
				}
			}
			for _, of := range []struct {
				sample string
				rows   map[string][]string
			}{{"", whole}, {"sample: 50%\n", half}} {
				limited := built(of.sample + "limit: {train: 50, test: 1000000}\n")
				for split, rows := range of.rows {
					want := rows
					if split == "train" {
						want = rows[:50]
					}
					if !slices.Equal(limited[split], want) {
						t.Errorf("%s: %d rows are not the first %d", split, len(limited[split]), len(want))
					}
				}
			}
		})
	}
}

// within reports whether some are all of the others except gaps.
func within(some, others []string) bool {
	for _, s := range others {
		if len(some) > 0 && some[0] == s {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// TestClassesOfALimit checks that `classes: auto` collects only the classes of rows that are
// written, also with spill files.
func TestClassesOfALimit(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,c\n1,b\n2,a\n3,d\n4,c\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\norder: source\nwhere: 'id != 2'\nlimit: "+
		"{train: 2}\nfeatures: {c: {classes: auto}}\nrecord: json\n")
	got := payloadsOf(t, sameEveryWay(t, cfg))["train"]
	if want := []string{`{"c":0}`, `{"c":1}`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, w := range everyWay(t) {
		if got := classesOf(t, mustBuild(t, cfg, w), "c"); !slices.Equal(got, []string{"b", "d"}) {
			t.Errorf("%+v: the classes are %q", w, got)
		}
	}
}
