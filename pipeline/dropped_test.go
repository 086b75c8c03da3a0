package pipeline

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// masks returns images and objects. A third of the objects has a mask of polygons, of a string,
// and of a number each. The note of every fifth image is missing or null.
func masks(images int) string {
	var rows, objects []string
	for i := range images {
		note := []string{`, "note": "x"`, `, "note": null`, "", `, "note": "y"`, `, "note": "z"`}[i%5]
		rows = append(rows, fmt.Sprintf(`{"id": %d, "part": %q%s}`, i, []string{"train", "val"}[i%2], note))
		for n := range 3 {
			mask := []string{`[[1, 2, 3, 4]]`, `{"counts": "ab", "size": [3, 4]}`, `7`}[(i/2+n)%3]
			objects = append(objects, fmt.Sprintf(`{"id": %d, "image": %d, "mask": %s}`, 3*i+n, i, mask))
		}
	}
	return `{"images": [` + strings.Join(rows, ",\n") + `], "objects": [` + strings.Join(objects, ",\n") + "]}"
}

const masksConfig = `name: d
output: out
shards: 3
split: {column: part}
statistics: false
source:
  json: {files: a.json, rows: images}
  join: [{json: {files: a.json, rows: objects, mixed: empty}, on: {id: image}, many: true, prefix: o.}]
features:
  id: int64
  note: {type: string, missing: omit}
  fine: {from: o.id, type: int64, shape: [-1]}
  masks: {from: "o.mask.*", type: float, shape: [-1, -1, -1]}
  rle: {from: o.mask.counts, type: bytes, shape: [-1], missing: {default: ""}}
`

// TestDroppedEveryWay builds in all ways, by tasks, and resumes. It compares the counts of missing
// values with its own. No statistics are made.
func TestDroppedEveryWay(t *testing.T) {
	const images = 90
	want := map[string]map[string]dataset.Dropped{
		"train": {"note": {Missing: 18}, "masks": {Mixed: 45}, "rle": {Mixed: 45}},
		"val":   {"note": {Missing: 18}, "masks": {Mixed: 45}, "rle": {Mixed: 45}},
	}
	const warning = `feature "masks": 90 values dropped, whose kind does not fit the path (mixed: empty)` + "\n" +
		`feature "rle": 90 values dropped, whose kind does not fit the path (mixed: empty)`
	for _, name := range []string{"a.json", "a.json.gz"} {
		text := masks(images)
		if name != "a.json" {
			text = filetest.Gzip(text)
		}
		dir := testenv.Directory(t, map[string]string{name: text})
		cfg := load(t, dir, strings.ReplaceAll(masksConfig, "a.json", name))
		bytes := ""
		for _, w := range everyWay(t) {
			said, run := warnings(w.run(filepath.Join(t.TempDir(), "out")))
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatalf("%+v: %v", w, err)
			}
			checkDropped(t, run.Output, *said, want, warning)
			if got := tree(t, run.Output); bytes != "" && got != bytes {
				t.Errorf("%+v: other bytes", w)
			} else {
				bytes = got
			}
		}
		said, run := warnings(Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true})
		stopLate(t, cfg, run, 2)
		*said = nil
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		checkDropped(t, run.Output, *said, want, warning)
		if got := tree(t, run.Output); got != bytes {
			t.Error("resumed: other bytes")
		}
		if got := tree(t, droppedByTasks(t, cfg)); got != bytes {
			t.Error("by tasks: other bytes")
		}
	}
}

// warnings returns a run and the list of its warnings.
func warnings(run Run) (*[]string, Run) {
	said := new([]string)
	run.Warn = func(text string) { *said = append(*said, text) }
	return said, run
}

func checkDropped(t *testing.T, output string, said []string, want map[string]map[string]dataset.Dropped,
	warning string) {
	t.Helper()
	for _, s := range manifestOf(t, output).Splits {
		if !maps.Equal(s.Dropped, want[s.Name]) {
			t.Errorf("split %s lacks %+v, want %+v", s.Name, s.Dropped, want[s.Name])
		}
	}
	if strings.Join(said, "\n") != warning {
		t.Errorf("said %q, want %q", said, warning)
	}
}

// droppedByTasks builds by two tasks of each phase.
func droppedByTasks(t *testing.T, cfg *config.Config) (output string) {
	parent := t.TempDir()
	output = filepath.Join(parent, "out")
	run := Run{Workers: 1, Memory: plenty, Output: output}
	if _, err := PlanTasks(t.Context(), cfg, run, filepath.Join(parent, "w")); err != nil {
		t.Fatal(err)
	}
	for _, phase := range Phases() {
		for index := range 2 {
			tasks, err := OpenTasks(t.Context(), Run{Workers: 1, Memory: plenty}, filepath.Join(parent, "w"))
			if err != nil {
				t.Fatal(err)
			}
			share := work.Share{Index: index, Of: 2}
			if phase == work.Merge || phase == work.Commit {
				share = work.Share{Of: 1}
			}
			if _, err := tasks.Do(t.Context(), phase, share); err != nil {
				t.Fatal(err)
			}
			tasks.Close()
		}
	}
	return output
}

// TestDropped builds features with missing values, and compares the warnings of check and build.
func TestDropped(t *testing.T) {
	rows := func(masks ...string) string {
		var list []string
		for i, m := range masks {
			list = append(list, fmt.Sprintf(`{"id": %d, "mask": %s}`, i, m))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	const polygons, rle, runs = `[[1, 2]]`, `{"counts": "ab", "size": [3, 4]}`, `{"counts": [1, 2], "size": [3, 4]}`
	const polygonsOf = "  p: {from: 'mask.*', type: float, shape: [-1, -1]}\n"
	const forms = polygonsOf +
		"  c: {from: mask.counts, type: bytes, missing: {default: ''}}\n  r: {from: 'mask.counts.*', type: int64, " +
		"shape: [-1]}\n  s: {from: mask.size, type: int64, shape: [2], missing: {default: 0}}\n"
	type dropped = map[string]dataset.Dropped
	for name, test := range map[string]struct {
		json, features string
		want           dropped
		check, build   string
	}{
		"all forms":        {rows(polygons, rle, runs, "[]"), forms, nil, "", ""},
		"one form of many": {rows(polygons, polygons), forms, nil, "", ""},
		"all are lost": {
			rows(rle, runs, rle), polygonsOf, dropped{"p": {Mixed: 3, Empty: true}},
			`all 3 rows: feature "p" is empty in every record, although its column has values: 3 values dropped, ` +
				`whose kind does not fit the path (mixed: empty)`,
			`feature "p" is empty in every record, although its column has values: 3 values dropped, whose kind ` +
				`does not fit the path (mixed: empty)`,
		},
		"one is lost": {
			rows(polygons, `"ab"`), polygonsOf, dropped{"p": {Mixed: 1}},
			`all 2 rows: feature "p": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
			`feature "p": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
		},
		"a default in its place": {
			rows(polygons, rle), "  c: {from: mask.counts, type: bytes, missing: {default: ''}}\n",
			dropped{"c": {Mixed: 1}},
			`all 2 rows: feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
			`feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
		},
		"omitted, and lost": {
			rows(polygons, rle, "null"), "  c: {from: mask.counts, type: bytes, missing: omit}\n",
			dropped{"c": {Mixed: 1, Missing: 1}},
			`all 3 rows: feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
			`feature "c": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
		},
		"an empty list for what is missing": {rows("null", polygons),
			strings.Replace(polygonsOf, "]}", "], missing: empty_list}", 1), dropped{"p": {Missing: 1}}, "", ""},
	} {
		dir := testenv.Directory(t, map[string]string{"a.json": test.json})
		for _, record := range []string{"example", "json"} {
			cfg := load(t, dir, "name: d\noutput: out\nrecord: "+record+"\nsource: {json: {files: a.json, mixed: "+
				"empty}}\nfeatures:\n  id: int64\n"+test.features)
			said, run := warnings(Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "none")})
			if err := Check(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(*said, "\n"); got != test.check {
				t.Errorf("%s: check says\n%s\nwant\n%s", name, got, test.check)
			}
			said, run = warnings(ways[0].run(filepath.Join(t.TempDir(), "out")))
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkDropped(t, run.Output, *said, map[string]dropped{"train": test.want}, test.build)
		}
	}
}

// TestDroppedOfRecordsAlone checks that missing and lost values of rejected rows are not counted.
func TestDroppedOfRecordsAlone(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a,b\n,1\n,x\n2,\n,3\n"})
	cfg := load(t, dir, "name: d\noutput: out\non_error: skip\nmax_errors: 1\nsource: {csv: {files: "+
		"a.csv}}\nfeatures:\n  a: {type: int64, missing: omit}\n  b: {type: int64, missing: omit}\n")
	m := manifestOf(t, mustBuild(t, cfg, ways[0]))
	want := map[string]dataset.Dropped{"a": {Missing: 2}, "b": {Missing: 1}}
	if got := m.Splits[0].Dropped; !maps.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestMissingIsReported checks that check and build report features that records do not have, in
// order.
func TestMissingIsReported(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a,b,c\n,1,2\n,,3\n2,,4\n,3,5\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures:\n  b: {type: int64, missing: "+
		"omit}\n  a: {type: int64, missing: omit}\n  c: int64\n")
	const want = "records without a value, of 4: a 3, b 2"
	for name, run := range map[string]func(Run) error{
		"check": func(run Run) error { return Check(t.Context(), cfg, run) },
		"build": func(run Run) error { _, err := Build(t.Context(), cfg, run); return err },
	} {
		var said []string
		err := run(Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"),
			Inform: func(text string) { said = append(said, text) }})
		if err != nil || !slices.Contains(said, want) {
			t.Errorf("%s: %v, said %q, want %q", name, err, said, want)
		}
	}
}

// TestRowsOfALookupTableCount joins a row with more rows of a lookup table than limits.record has
// bytes. The list must be rejected before a record is made.
func TestRowsOfALookupTableCount(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "k\n1\n", "b.csv": "k,v\n" + strings.Repeat("1,1\n", 1025)})
	cfg := load(t, dir, "name: d\noutput: out\nlimits: {record: 1KiB}\nsource:\n  csv: {files: a.csv}\n"+
		"  join: [{csv: {files: b.csv}, on: k, many: true}]\nfeatures: {v: {type: int64, shape: [-1]}}\n")
	_, err := Build(t.Context(), cfg, ways[0].run(filepath.Join(dir, "out")))
	if err == nil || !strings.Contains(err.Error(), `column "k"`) ||
		!strings.Contains(err.Error(),
			"the lists of the row take 65600 bytes of memory, 64 for each string or nested list; limits.record is "+
				"1024") {
		t.Errorf("%v, want a list that is too long", err)
	}
}
