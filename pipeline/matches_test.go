package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// matchFiles returns images, boxes with their categories, and names of the categories. Every fifth image has no box,
// every seventh box is of no image, and category 9 has no name.
func matchFiles(images int) (files map[string]string, want []dataset.Join) {
	var rows, boxes []string
	lost, elements, unknown, unused, first := int64(0), int64(0), int64(0), int64(0), ""
	for i := range images {
		rows = append(rows, fmt.Sprintf(`{"id": %d, "part": %q, "g": %d}`, i, []string{"train", "val"}[i%2], i%10))
		matched := false
		for n := range i % 5 {
			of := fmt.Sprintf("%d.0", i)
			if len(boxes)%7 == 6 {
				of = fmt.Sprintf("%d.5", i)
				unused++
				if first == "" || of < first {
					first = of
				}
			} else {
				matched = true
				elements++
				if (i+n)%4 == 3 {
					unknown++
				}
			}
			boxes = append(boxes, fmt.Sprintf(`{"image": %s, "kind": %d}`, of, []int{1, 2, 3, 9}[(i+n)%4]))
		}
		if !matched {
			lost++
		}
	}
	want = []dataset.Join{
		{At: "source.join[0]", Table: "boxes.jsonl", Rows: int64(images), Unmatched: lost, UnmatchedExample: `id "0"`,
			TableRows: int64(len(boxes)), Unused: unused, UnusedExample: `image "` + first + `"`},
		{Join: 1, At: "source.join[1]", Table: "kinds.csv", Elements: true, Rows: elements, Unmatched: unknown,
			UnmatchedExample: `b.kind "9"`, TableRows: 5, TableSkipped: 2, Unused: 2, UnusedExample: `kind "4"`},
	}
	return map[string]string{
		"rows.jsonl": strings.Join(rows, "\n") + "\n", "boxes.jsonl": strings.Join(boxes, "\n") + "\n",
		"kinds.csv": "kind,name\n1,one\n2,two\n3,three\n4,four\n,none\n9,drop\n7,drop\n",
	}, want
}

const matchConfig = `name: d
output: out
shards: 4
split: {column: part}
source:
  jsonl: {files: rows.jsonl}
  join:
    - {jsonl: {files: boxes.jsonl}, on: {id: image}, many: true, prefix: b.}
    - {csv: {files: kinds.csv}, where: name != "drop", on: {b.kind: kind}, prefix: k.}
features:
  id: int64
  kind: {from: b.kind, type: int64, shape: [-1]}
`

// TestMatchesEveryWay builds in all ways, by tasks, and from each line of the journal. The counts of matches are equal
// to the counts of the test, also for a join that no feature uses.
func TestMatchesEveryWay(t *testing.T) {
	files, want := matchFiles(90)
	dir := testenv.Directory(t, files)
	for name, more := range map[string]string{
		"rows": "", "groups": "group: {by: g, sort: id}\n",
		"windows": "group: {by: g, sort: id, windows: {length: 4, stride: 1, last: keep}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := matchConfig + more
			if more != "" {
				text = strings.Replace(text, "split: {column: part}\n", "split: {folds: 2}\n", 1)
				text = strings.Replace(text, "id: int64\n  kind: {from: b.kind, type: int64, shape: [-1]}",
					"id: int64", 1)
			}
			cfg := load(t, dir, text)
			bytes := ""
			for _, w := range everyWay(t) {
				output := mustBuild(t, cfg, w)
				checkMatches(t, fmt.Sprintf("%+v", w), output, want)
				if got := tree(t, output); bytes != "" && got != bytes {
					t.Errorf("%+v: other bytes", w)
				} else {
					bytes = got
				}
			}
			for shards := 1; shards < 8; shards++ {
				run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true}
				stopLate(t, cfg, run, shards)
				if _, err := Build(t.Context(), cfg, run); err != nil {
					t.Fatal(err)
				}
				checkMatches(t, fmt.Sprintf("resumed after %d shards", shards), run.Output, want)
				if got := tree(t, run.Output); got != bytes {
					t.Errorf("resumed after %d shards: other bytes", shards)
				}
			}
			output := droppedByTasks(t, cfg)
			if checkMatches(t, "by tasks", output, want); tree(t, output) != bytes {
				t.Error("by tasks: other bytes")
			}
		})
	}
}

// TestMatchesInBuckets has the rows, the lookup tables, and the dataset in a bucket. The counts and the bytes are equal
// to a build from local files, by one process and by tasks. A join without a match, and a source without rows, fail
// or pass alike.
func TestMatchesInBuckets(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	files, want := matchFiles(30)
	files["none.csv"], files["empty.csv"] = "kind,name\nx,y\n", "kind,name\n"
	dir := filepath.Join(t.TempDir(), "in")
	for name, text := range files {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	upload(t, dir, "s3://data/in")
	at := func(dir, more string) *config.Config {
		text := strings.ReplaceAll(strings.ReplaceAll(matchConfig, "files: ", "files: "+dir+"/"), "name: d\n",
			"name: d\n"+more)
		return load(t, t.TempDir(), text)
	}
	local := strings.ReplaceAll(tree(t, mustBuild(t, at(dir, ""), ways[1])), dir, "s3://data/in")
	for _, tasks := range []int{0, 3} {
		output := builtInBucket(t, g, at("s3://data/in", ""), fmt.Sprint("matches-", tasks), tasks)
		checkMatches(t, fmt.Sprintf("%d tasks", tasks), output, want)
		if got := tree(t, output); got != local {
			t.Errorf("%d tasks: got\n%s\nwant\n%s", tasks, got, local)
		}
	}
	for _, test := range []struct{ name, source, more, want string }{
		{"no match", "csv: {files: s3://data/in/kinds.csv}\n  join: {csv: {files: s3://data/in/none.csv}, on: kind, " +
			"prefix: n.}", "", "[JOIN_NO_MATCH]"},
		{"no match is allowed", "csv: {files: s3://data/in/kinds.csv}\n  join: {csv: {files: " +
			"s3://data/in/none.csv}, on: kind, prefix: n., allow_empty: true}", "", ""},
		{"no rows", "csv: {files: s3://data/in/empty.csv}", "", "[NO_ROWS]"},
		{"no rows are allowed", "csv: {files: s3://data/in/empty.csv, allow_empty: true}", "allow_empty: true\n", ""},
		{"all rows are skipped", "csv: {files: s3://data/in/kinds.csv}", "where: name == \"x\"\n", "[NO_ROWS]"},
		{"all rows may be skipped", "csv: {files: s3://data/in/kinds.csv}", "where: name == \"x\"\nallow_empty: true\n",
			""},
	} {
		cfg := load(t, t.TempDir(),
			"name: d\noutput: out\n"+test.more+"source:\n  "+test.source+"\nfeatures: {name: string}\n")
		_, err := Build(t.Context(), cfg, ways[1].run("s3://data/"+strings.ReplaceAll(test.name, " ", "-")+"/out"))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func checkMatches(t *testing.T, way, output string, want []dataset.Join) {
	t.Helper()
	if got := manifestOf(t, output).Joins; !reflect.DeepEqual(got, want) {
		now, _ := json.MarshalIndent(got, "", " ")
		expected, _ := json.MarshalIndent(want, "", " ")
		t.Errorf("%s: %s\nwant %s", way, now, expected)
	}
}

// TestMatchNotes expects what a build and check say of the matches.
func TestMatchNotes(t *testing.T) {
	many := strings.Builder{}
	for i := range 1500 {
		fmt.Fprintf(&many, "%d\n", i)
	}
	dir := testenv.Directory(t, map[string]string{
		"rows.csv": "id\n1\n2\n3\n4\n", "t.csv": "key,v\n1,a\n1.0,b\n3,c\n7,\n", "one.csv": "key,v\n2,b\n",
		"late.csv": "key,v\n1400,x\n", "none.csv": "key,v\nx,y\n", "empty.csv": "key,v\n",
		"many.csv": "id\n" + many.String(),
		"bad.csv":  "id\n3\n2,x\n2\n4\n", "bad.jsonl": `{"id": 1, "o": [{"k": 1}, {"k": 8}]}` + "\n{\n" +
			`{"id": 2, "o": []}` + "\n" + `{"id": 3}` + "\n",
		"lists.jsonl": `{"id": 1, "o": [{"k": 1}, {"k": 8}]}` + "\n" + `{"id": 2, "o": []}` + "\n",
	})
	for _, test := range []struct {
		name, source, more string
		check, build       string // the notes, or the error
	}{
		{"both sides", "csv: {files: rows.csv}\n  join: {csv: {files: t.csv}, on: {id: key}}", "",
			`in all 4 rows: source.join[0] (t.csv): 2 of 4 rows without a match, such as id "2"; 2 of 4 rows of the ` +
				`table without a match, such as key "1.0"`,
			`source.join[0] (t.csv): 2 of 4 rows without a match, such as id "2"; 2 of 4 rows of the table without ` +
				`a match, such as key "1.0"`},
		{"rows that are skipped", "csv: {files: rows.csv}\n  join: {csv: {files: t.csv}, on: {id: key}}",
			"where: id > 1\n",
			`in all 4 rows: source.join[0] (t.csv): 2 of 3 rows without a match, such as id "2"; 1 row not looked up`,
			`source.join[0] (t.csv): 2 of 3 rows without a match, such as id "2"; 1 row not looked up`},
		{"rows that are invalid before the join", "csv: {files: bad.csv}\n  join: {csv: {files: t.csv}, on: {id: key}}",
			"on_error: skip\nmax_errors: 1\n",
			`in all 4 rows: source.join[0] (t.csv): 2 of 3 rows without a match, such as id "2"; 1 row not looked up`,
			`source.join[0] (t.csv): 2 of 3 rows without a match, such as id "2"; 1 row not looked up`},
		{"elements of rows that are invalid before the join",
			"jsonl: {files: bad.jsonl}\n  join: {csv: {files: t.csv}, on: {o.*.k: key}}",
			"on_error: skip\nmax_errors: 1\n",
			`in all 4 rows: source.join[0] (t.csv): 2 of 3 elements without a match, such as o.*.k "8"; 1 row not ` +
				`looked up`,
			`source.join[0] (t.csv): 2 of 3 elements without a match, such as o.*.k "8"; 1 row not looked up`},
		{"hidden values", "csv: {files: rows.csv}\n  join: {csv: {files: t.csv}, on: {id: key}}",
			"statistics: {values: false}\n",
			`in all 4 rows: source.join[0] (t.csv): 2 of 4 rows without a match; 2 of 4 rows of the table without a ` +
				`match`,
			`source.join[0] (t.csv): 2 of 4 rows without a match; 2 of 4 rows of the table without a match`},
		{"all match", "csv: {files: rows.csv}\n  join: {csv: {files: one.csv}, on: {id: key}}", "where: id == 2\n", "",
			""},
		{"elements", "jsonl: {files: lists.jsonl}\n  join: {csv: {files: t.csv}, on: {o.*.k: key}}", "",
			`in all 2 rows: source.join[0] (t.csv): 1 of 2 elements without a match, such as o.*.k "8"; 3 of 4 rows ` +
				`of the table without a match, such as key "1.0"`,
			`source.join[0] (t.csv): 1 of 2 elements without a match, such as o.*.k "8"; 3 of 4 rows of the table ` +
				`without a match, such as key "1.0"`},
		{"nothing", "csv: {files: rows.csv}\n  join: {csv: {files: none.csv}, on: {id: key}}", "",
			`source.join[0]: none of 4 rows has a match in none.csv, which has 1 row: found id "1" in the source, ` +
				`and key "x" in the table [JOIN_NO_MATCH]`,
			`source.join[0]: none of 4 rows has a match in none.csv, which has 1 row: found id "1" in the source, ` +
				`and key "x" in the table [JOIN_NO_MATCH]`},
		{"nothing is allowed", "csv: {files: rows.csv}\n  join: {csv: {files: none.csv}, on: {id: key}, allow_empty: " +
			"true}", "",
			`in all 4 rows: source.join[0] (none.csv): 4 of 4 rows without a match, such as id "1"; 1 of 1 row of ` +
				`the table without a match, such as key "x"`,
			`source.join[0] (none.csv): 4 of 4 rows without a match, such as id "1"; 1 of 1 row of the table ` +
				`without a match, such as key "x"`},
		{"an empty table", "csv: {files: rows.csv}\n  join: {csv: {files: empty.csv, allow_empty: true}, on: {id: " +
			"key}}", "",
			`in all 4 rows: source.join[0] (empty.csv): 4 of 4 rows without a match, such as id "1"`,
			`source.join[0] (empty.csv): 4 of 4 rows without a match, such as id "1"`},
		{"late", "csv: {files: many.csv}\n  join: {csv: {files: late.csv}, on: {id: key}}", "",
			"warning: source.join[0]: none of the first 1000 rows has a match in late.csv, which has 1 row: found " +
				"id \"0\" in the source, and key \"1400\" in the table; a build fails if no other row has one " +
				"[JOIN_NO_MATCH]",
			`source.join[0] (late.csv): 1499 of 1500 rows without a match, such as id "0"`},
		{"only skipped rows match", "csv: {files: rows.csv}\n  join: {csv: {files: one.csv}, on: {id: key}}",
			"where: id != 2\n",
			`source.join[0]: none of 3 rows has a match in one.csv, which has 1 row: found id "1" in the source, ` +
				`and key "2" in the table [JOIN_NO_MATCH]`,
			`source.join[0]: none of 3 rows has a match in one.csv, which has 1 row: found id "1" in the source, ` +
				`and key "2" in the table [JOIN_NO_MATCH]`},
		{"a join before it", "csv: {files: rows.csv}\n  join: [{csv: {files: none.csv}, on: {id: key}, many: true, " +
			"prefix: a.}, {csv: {files: t.csv}, on: {a.v: key}, prefix: b.}]", "",
			`source.join[0]: none of 4 rows has a match in none.csv, which has 1 row: found id "1" in the source, ` +
				`and key "x" in the table [JOIN_NO_MATCH]`,
			`source.join[0]: none of 4 rows has a match in none.csv, which has 1 row: found id "1" in the source, ` +
				`and key "x" in the table [JOIN_NO_MATCH]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg := load(t, dir, "name: d\noutput: out\nsource:\n  "+test.source+"\n"+test.more+"features: {id: "+
				"int64}\n")
			checkSaid(t, func(run Run) error { return Check(t.Context(), cfg, run) }, test.check)
			checkSaid(t, func(run Run) error { _, err := Build(t.Context(), cfg, run); return err }, test.build)
		})
	}
}

// TestSharedJoin expects that a join which several sources share needs a match in one of them, and that its notes name
// the source.
func TestSharedJoin(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.csv": "id\n1\n2\n", "b.csv": "id\n3\n4\n", "t.csv": "key,v\n2,x\n", "none.csv": "key,v\nx,y\n",
	})
	for _, test := range []struct{ name, table, want string }{
		{"one source has matches", "t.csv", `sources[0], join[0] (t.csv): 1 of 2 rows without a match, such as id "1"` +
			"\n" +
			`sources[1], join[0] (t.csv): 2 of 2 rows without a match, such as id "3"`},
		{"none has", "none.csv", `join[0]: none of 4 rows has a match in none.csv, which has 1 row: found id "1" in ` +
			`the source, and key "x" in the table [JOIN_NO_MATCH]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg := load(t, dir, "name: d\noutput: out\nsources: [{csv: a.csv}, {csv: b.csv}]\n"+
				"join: {csv: {files: "+test.table+"}, on: {id: key}}\nfeatures: {id: int64}\n")
			check := strings.ReplaceAll(test.want, "sources[", "in all 4 rows: sources[")
			checkSaid(t, func(run Run) error { return Check(t.Context(), cfg, run) }, check)
			checkSaid(t, func(run Run) error { _, err := Build(t.Context(), cfg, run); return err }, test.want)
		})
	}
}

// checkSaid compares what a command says of joins, or its error.
func checkSaid(t *testing.T, do func(Run) error, want string) {
	t.Helper()
	var said []string
	about := func(prefix string) func(string) {
		return func(text string) {
			if strings.Contains(text, "join") {
				said = append(said, prefix+text)
			}
		}
	}
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Warn: about("warning: "),
		Inform: about("")}
	err := do(run)
	if fit, ok := errors.AsType[*input.MismatchError](err); ok {
		if said = append(said, fit.Error()); !strings.HasSuffix(fit.Hint, "allow_empty: true in the join accepts it") ||
			fit.Config.Line == 0 {
			t.Errorf("%#v", fit)
		}
	} else if err != nil {
		t.Error(err)
	}
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("said\n%s\nwant\n%s", got, want)
	}
}

// TestNoMatchWritesNothing expects that a build without a match ends before it writes rows, and that allow_empty in the
// config resumes it.
func TestNoMatchWritesNothing(t *testing.T) {
	rows := strings.Builder{}
	for i := range 3000 {
		fmt.Fprintf(&rows, "%d\n", i)
	}
	dir := testenv.Directory(t, map[string]string{"rows.csv": "id\n" + rows.String(), "t.csv": "id,v\nx,1\n"})
	text := "name: d\noutput: out\nshards: 3\nsource:\n  csv: {files: rows.csv}\n  join: {csv: {files: t.csv}, on: " +
		"id}\nfeatures: {id: int64, v: {type: string, missing: omit}}\n"
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
	for _, memory := range []int64{plenty, 1} {
		run.Memory = memory
		_, err := Build(t.Context(), load(t, dir, text), run)
		if err == nil || !strings.Contains(err.Error(), "none of 3000 rows has a match") {
			t.Errorf("memory %d: %v", memory, err)
		}
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(run.Output), ".*", "data", "train-*"))
		if len(found) > 0 {
			t.Errorf("memory %d: %v is written", memory, found)
		}
	}
	allowed := strings.Replace(text, "on: id}", "on: id, allow_empty: true}", 1)
	if _, err := Build(t.Context(), load(t, dir, allowed), run); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(run.Output, "_SUCCESS")); err != nil {
		t.Error(err)
	}
	// where skips the only row with a match, which a build finds out at its end.
	dir = testenv.Directory(t, map[string]string{"rows.csv": "id\n1\n2\n", "t.csv": "id,v\n1,1\n"})
	said := ""
	run.Output, run.Inform = filepath.Join(t.TempDir(), "out"), func(text string) { said += text + "\n" }
	_, err := Build(t.Context(), load(t, dir, text+"where: id != 1\n"), run)
	if err == nil || !strings.Contains(said, "3 shards finished and kept\n") {
		t.Errorf("%v, said %s", err, said)
	}
}
