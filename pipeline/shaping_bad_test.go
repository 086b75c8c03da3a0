package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// shapedBad is a table in which where and derive cannot be worked out of some rows.
func shapedBad(n int) string {
	var b strings.Builder
	b.WriteString("id,fare,seats,part\n")
	for i := range n {
		fare, seats, part := fmt.Sprint(i%7), fmt.Sprint(i%5), []string{"train", "test", "dev"}[i%3]
		switch i % 41 {
		case 3:
			fare = "free"
		case 5:
			fare = ""
		case 9:
			seats = "9223372036854775807"
		}
		switch i % 97 {
		case 11:
			seats += ",one more"
		case 13:
			part = "no split!"
		}
		fmt.Fprintf(&b, "%d,%s,%s,%s\n", i, fare, seats, part)
	}
	return b.String()
}

const shapedBadFeatures = "features: {id: int64, each: float, more: {type: int64, missing: omit}}\non_error: " +
	"quarantine\nmax_errors: 60%\n" +
	"derive: {each: 'fare / seats', more: 'missing(fare) ? 0 : int(seats) + 1'}\n"

// TestRowsThatCannotBeShaped rejects rows for a condition and for derived columns that cannot be
// computed. The result is the same in all ways, and no row is lost.
func TestRowsThatCannotBeShaped(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": shapedBad(4000), "b.csv.gz": filetest.Gzip(shapedBad(500))})
	for name, text := range testenv.Some(0, 2, map[string]string{
		"where": "source: {csv: {files: a.csv}}\nwhere: 'fare > 1'\nshards: 2\n",
		"column": "source: {csv: {files: [a.csv, b.csv.gz]}}\nwhere: 'fare > 1 || seats == \"1\"'\nsplit: {column: " +
			"part}\n",
		"by derived": "source: {csv: {files: a.csv}}\nsplit: {fractions: {train: 60%, test: 40%}, by: " +
			"more}\norder_key: each\nsample: 50%\n",
		"limit": "source: {csv: {files: a.csv}}\nwhere: 'fare > 1'\nlimit: {train: 150}\nsplit: {fractions: {train: " +
			"60%, test: 40%}}\nshards: 3\n",
		"sample": "source: {csv: {files: b.csv.gz}}\nsample: 30%\n",
	}) {
		t.Run(name, func(t *testing.T) {
			output := sameEveryWay(t, load(t, dir, "name: d\noutput: out\n"+text+shapedBadFeatures))
			accounted(t, output)
			codes := map[string]int{}
			for _, r := range rejectsOf(t, output) {
				codes[r.Code]++
			}
			for _, code := range []string{"EXPR_NUMBER", "EXPR_DIVISION", "EXPR_OVERFLOW", "EXPR_MISSING",
				"CSV_RAGGED"} {
				if codes[code] == 0 && (name != "sample" || code != "CSV_RAGGED") { // which has few rows
					t.Errorf("no row is rejected for %s: %v", code, codes)
				}
			}
		})
	}
}

// TestMessagesOfShaping checks that messages name the row, the column, and the position in the
// expression.
func TestMessagesOfShaping(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,fare\n1,2\n2,free\n3,0\n",
		"names.csv":  "key,name\n1,x\n3,y\n",
		"sums.jsonl": `{"a": "A", "b": "B"}` + "\n" + `{"a": 1, "b": 2}` + "\n"})
	const head = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64}\n"
	for _, test := range []struct{ text, want string }{
		{head + "where: 'id > 0 && fare > 1'\n", "a.csv:3:3: column \"fare\": where: "},
		{strings.Replace(head, "id: int64", "id: int64, half: float", 1) +
			"derive: {half: '6 / fare'}\nwhere: 'id != 2'\n", "a.csv:4:1: derive.half: a division by zero"},
		{head + "join: [{csv: {files: names.csv}, on: {id: key}}]\nwhere: 'name > \"a\"'\n",
			"no row of names.csv has key"},
		{"name: d\noutput: out\nsource: {jsonl: {files: sums.jsonl}}\nfeatures: {x: string, y: string}\nderive: {x: " +
			"'a + b', y: 'lower(x)'}\n",
			`derive.y: found the number "3"; expected a string, at character 7`},
		{head + "where: 'id > 0'\non_error: skip\nmax_errors: 0\nderive: {n: 'int(fare)'}\norder_key: n\n",
			"derive.n: "},
	} {
		for _, w := range everyWay(t) {
			_, err := buildTo(t, load(t, dir, test.text), w)
			if err == nil || !strings.Contains(err.Error(), test.want) ||
				!strings.Contains(err.Error(), "of the expression") && !strings.Contains(err.Error(), "EXPR_MISSING") {
				t.Errorf("%+v: %v; want %s", w, err, test.want)
			}
		}
	}
}

// TestShapedColumns derives columns of each step, and uses them to choose rows.
func TestShapedColumns(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"in/a/1.jsonl": `{"id": 1, "who": {"name": "Ann", "age": 30}, "tags": ["x", "y"]}` + "\n" +
			`{"id": 2, "who": {"name": "Bo"}, "tags": []}` + "\n",
		"in/b/2.jsonl": `{"id": 3, "who": {"name": "Cy", "age": 7.5}, "late": true}` + "\n" +
			`{"id": 4, "who": {"name": "ann", "age": 41}}` + "\n",
		"names.csv": "key,size\nann,5\nbo,NA\n", "files/1.txt": "one", "files/2.txt": "two", "files/3.txt": "three",
		"files/4.txt": "four",
	})
	base := "name: d\noutput: out\nsource:\n  jsonl: {files: \"in/*/*.jsonl\"}\n  from_path: \"{folder}/*\"\n  " +
		"rename: {who: person}\n  set: {origin: here}\n" +
		"  load: {content: {path: \"{id}.txt\", dir: files, as: bytes}}\n" +
		"  derive:\n    label: 'lower(person.name)'\n    old: {expr: 'missing(person.age) ? -1 : person.age', type: " +
		"float}\n    from: 'folder + \"/\" + origin'\n    in: 'column(\"@split\")'\n    grown: 'old >= 18'\n" +
		"split: {column: folder, map: {a: train, b: test}}\norder: source\nrecord: json\nfeatures: {id: int64, " +
		"label: {classes: auto}, old: {}, from: string, in: string, grown: bool, content: bytes}\n"
	got := payloadsOf(t, sameEveryWay(t, load(t, dir, base)))
	want := map[string][]string{
		"train": {
			`{"content":"b25l","from":"a/here","grown":true,"id":1,"in":"train","label":0,"old":30}`,
			`{"content":"dHdv","from":"a/here","grown":false,"id":2,"in":"train","label":1,"old":-1}`,
		},
		"test": {
			`{"content":"dGhyZWU=","from":"b/here","grown":false,"id":3,"in":"test","label":2,"old":7.5}`,
			`{"content":"Zm91cg==","from":"b/here","grown":true,"id":4,"in":"test","label":0,"old":41}`,
		},
	}
	for split := range want {
		if !slices.Equal(got[split], want[split]) {
			t.Errorf("%s: %q", split, got[split])
		}
	}
	kept := payloadsOf(t, sameEveryWay(t, load(t, dir,
		base+"where: 'grown || label == \"bo\" && folder == \"a\" && size(tags) == 0'\n")))
	if n := len(kept["train"]) + len(kept["test"]); n != 3 || !strings.Contains(kept["test"][0], `"label":0`) {
		t.Errorf("kept: %q", kept)
	}
	keyed := payloadsOf(t, sameEveryWay(t, load(t, dir,
		strings.Replace(base, "order: source", "order_key: label", 1)+"sample: 90%\n")))
	if len(keyed) == 0 {
		t.Error("nothing is kept")
	}
}

// TestMissingColumnsOfLookupTables checks that the keys of a join that name a column which the table does not have are
// named with their position.
func TestMissingColumnsOfLookupTables(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n", "names.csv": "id,name\n1,x\n"})
	for keys, want := range map[string]string{
		`on: id, where: 'nam == "x"'`:  `c.yaml:5:35 no column "nam"; did you mean "name"?; found: id, name`,
		`on: id, where: 'name == x'`:   `c.yaml:5:35 no column "x"; found: id, name; quote a string: "x"`,
		`on: {id: idd}`:                `c.yaml:5:24 no column "idd" to join on; did you mean "id"?; found: id, name`,
		`on: id, many: {sort: nam}`:    `c.yaml:5:41 no column "nam" to sort by; did you mean "name"?; found: id, name`,
		`on: id, where: 'name == "x"'`: "",
	} {
		_, err := buildTo(t, load(t, dir,
			"name: d\noutput: out\nsource: {csv: {files: a.csv}}\njoin:\n- {csv: "+
				"names.csv, "+keys+"}\nfeatures: {name: string}\n"), everyWay(t)[0])
		if got := placedText(err); !strings.HasPrefix(got, want) || want == "" && err != nil {
			t.Errorf("%s: %q, %v; want %q", keys, got, err, want)
		}
	}
}

// placedText returns the position in the config of a mismatch, its text, and its hint.
func placedText(err error) string {
	fit, ok := errors.AsType[*input.MismatchError](err)
	if !ok {
		return ""
	}
	text := fmt.Sprintf("%s:%d:%d %s", store.Base(fit.Config.Path), fit.Config.Line, fit.Config.Col, fit.Text)
	if fit.Hint != "" {
		text += "; " + fit.Hint
	}
	return text
}

// TestProblemsOfSteps checks that a step that the columns of the files do not fit is named with its position, and that
// only columns from before the step are listed.
func TestProblemsOfSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a,b\n1,2\n", "t.csv": "a,b\n1,2\n"})
	for steps, want := range map[string]string{
		"derive: {d: e + 1, e: a + 1}":                                `4:13 no column "e"; found: a, b; write "e"`,
		"derive: {e: a + 1, d: f + 1}":                                `4:23 no column "f"; found: a, b, e`,
		"derive: {d: e + 1}\nwhere: d > 1":                            `4:13 no column "e"; found: a, b`,
		"rename: {c: d}":                                              `4:13 no column "c" to rename; found: a, b`,
		"rename: {a: b}":                                              `4:13 column "b" comes from the csv itself`,
		"set: {b: x, d: x}":                                           `4:10 column "b" comes from the csv itself`,
		"join: {csv: t.csv, on: a}\nset: {d: x}":                      `4:7 column "b" comes from the csv itself`,
		"load: {d: {path: '{f}', dir: ., as: bytes}}":                 `4:18 no column "f"; found: a, b`,
		"load: {d: {path: '{e}', dir: ., as: bytes}}\nderive: {e: a}": `4:18 column "e" comes from derive, which`,
	} {
		_, err := buildTo(t, load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\n"+steps+
			"\nfeatures: {d: string}\n"), everyWay(t)[0])
		if got := placedText(err); !strings.HasPrefix(got, "c.yaml:"+want) {
			t.Errorf("%s: %q, %v; want %q", steps, got, err, want)
		}
	}
}
