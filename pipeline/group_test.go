package pipeline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/message"
)

// A grouped says how a random table is grouped.
type grouped struct {
	Files  []string `json:"files"`
	By     []string `json:"by"`
	Sort   string   `json:"sort"`
	Type   string   `json:"type"`
	Length int      `json:"length"`
	Stride int      `json:"stride"`
	Last   string   `json:"last"`
}

// sortCells are values of a sort column, by its type.
var sortCells = map[string][]string{
	"":        {"b", "a", "é", "e\u0301", "10", "9", "Z", ""},
	"int64":   {"10", "9", "-3", "9007199254740993", "9007199254740992", "-9007199254740993", "0", ""},
	"float64": {"1.5", "1e3", "-0", "0", "-2.25", "nan", "1e-300", ""},
}

// randomGroups writes tables with an id per row, and returns how they are grouped.
func randomGroups(t *testing.T, r *rand.Rand, dir, name string, most int) grouped {
	g := grouped{Type: []string{"", "int64", "float64"}[r.IntN(3)], Last: []string{"drop", "keep", "pad"}[r.IntN(3)]}
	if r.IntN(4) > 0 {
		g.Sort = "s"
	}
	if r.IntN(3) > 0 {
		g.Length = 1 + r.IntN(6)
		g.Stride = 1 + r.IntN(8)
	}
	columns := 1 + r.IntN(3)
	for i := range columns {
		g.By = append(g.By, fmt.Sprint("c", i))
	}
	values, id := 1+r.IntN(len(cells)), 0
	for i := range 1 + r.IntN(3) {
		var b strings.Builder
		b.WriteString("id,s," + strings.Join(g.By, ","))
		for range 1 + r.IntN(most) {
			of := sortCells[g.Type]
			fmt.Fprintf(&b, "\n%d,%s", id, of[r.IntN(len(of))])
			for range columns {
				b.WriteString("," + cells[r.IntN(values)])
			}
			id++
		}
		g.Files = append(g.Files, fmt.Sprintf("%s.%d.csv", name, i))
		testenv.Put(t, filepath.Join(dir, g.Files[i]), b.String()+"\n")
	}
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, name+".json"), string(text))
	return g
}

// config returns a config of the groups, whose records have the ids of their rows.
func (g *grouped) config() string {
	text := fmt.Sprintf("name: d\noutput: out\nsource: {csv: {files: [%s]}}\nfeatures: {id: {type: int64, pad: -1}}\n",
		strings.Join(g.Files, ", "))
	text += "on_error: skip\nmax_errors: 100%\ngroup:\n  by: [" + strings.Join(g.By, ", ") + "]\n"
	switch {
	case g.Sort != "" && g.Type != "":
		text += "  sort: {column: s, type: " + g.Type + "}\n"
	case g.Sort != "":
		text += "  sort: s\n"
	}
	if g.Length > 0 {
		text += fmt.Sprintf("  windows: {length: %d, stride: %d, last: %s}\n", g.Length, g.Stride, g.Last)
	}
	return text
}

// idsOf returns the ids of the rows of each record of a split.
func idsOf(t *testing.T, out, split string) (list []string) {
	t.Helper()
	for _, payload := range payloadsOf(t, out)[split] {
		var ids []string
		message.Each(message.Example, []byte(payload), func(_ []byte, f message.Feature) {
			for n := range f.Ints() {
				ids = append(ids, fmt.Sprint(n))
			}
		})
		list = append(list, strings.Join(ids, " "))
	}
	return list
}

// TestGroupsOfPandas compares groups and windows of random tables with what pandas and NumPy make.
func TestGroupsOfPandas(t *testing.T) {
	tftest.Python(t)
	dir, r := t.TempDir(), rand.New(rand.NewPCG(7, 8))
	built := testenv.Times(8, 300, 300)
	var all []grouped
	for i := range built {
		most := 60
		if i == 0 && testenv.Exhaustive() {
			most = 100_000
		}
		all = append(all, randomGroups(t, r, dir, fmt.Sprintf("%03d", i), most))
	}
	tftest.Run(t, filepath.Join("testdata", "grouped.py"), dir)
	records := 0
	for i := range built {
		name := fmt.Sprintf("%03d", i)
		want := string(read(t, dir, name+".want"))
		cfg := load(t, dir, all[i].config()+"order: source\n")
		out, err := buildTo(t, cfg, ways[i%len(ways)])
		if err != nil {
			if want != "" {
				t.Errorf("table %s: %v", name, err)
			}
			continue
		}
		list := idsOf(t, out, "train")
		if got := strings.Join(list, "\n"); got != want {
			t.Errorf("table %s:\n%s\nrecords\n%s\nexpected\n%s", name, all[i].config(), got, want)
		}
		records += len(list)
	}
	if records < built {
		t.Errorf("only %d records", records)
	}
}

// stepsOf returns the ids of the rows of each SequenceExample of a split.
func stepsOf(t *testing.T, out string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for split, payloads := range payloadsOf(t, out) {
		for _, payload := range payloads {
			var ids []string
			message.Walk(message.SequenceExample, []byte(payload), func([]byte, message.Feature) {},
				func(key []byte, l message.FeatureList) {
					if string(key) != "id" {
						return
					}
					for step := range l.Steps() {
						for n := range step.Ints() {
							ids = append(ids, fmt.Sprint(n))
						}
					}
				})
			all[split] = append(all[split], strings.Join(ids, " "))
		}
	}
	return all
}

// A tableRow is a row of a random table with invalid rows.
type tableRow struct {
	id, at, context int
	group           string
	isInvalid       bool
	badAt           int // position in a record at which the row is invalid; -1 for none
}

// randomRows returns a table whose rows may be invalid, or invalid at a position, or differ from their group.
func randomRows(r *rand.Rand, positions bool) (list []tableRow, text string) {
	var b strings.Builder
	b.WriteString("id,g,at,x,c,b\n")
	groups, bad := 1+r.IntN(12), r.IntN(12)
	for id := range 1 + r.IntN(80) {
		row := tableRow{id: id, at: r.IntN(20), group: fmt.Sprint("g", r.IntN(groups)), isInvalid: bad > 0 &&
			r.IntN(40) < bad, badAt: -1}
		if positions && r.IntN(5) == 0 {
			row.badAt = r.IntN(3)
		}
		if bad > 0 && r.IntN(40) == 0 {
			row.context = 1
		}
		x := "1"
		if row.isInvalid {
			x = "bad"
		}
		fmt.Fprintf(&b, "%d,%s,%d,%s,%d,%d\n", id, row.group, row.at, x, row.context, row.badAt)
		list = append(list, row)
	}
	return list, b.String()
}

// referenceWindow is a record that must be made, with its ids.
type referenceWindow struct {
	group, ids string
	rows       []int
	isValid    bool
}

// referenceOf cuts the rows into windows, in a slow and simple way. It returns the code of each row
// that is in no valid window; windows is the code of a row in no window at all.
func referenceOf(list []tableRow, length, stride int, last string) (windows []referenceWindow, codes map[int]string) {
	groups := map[string][]tableRow{}
	for _, row := range list {
		groups[row.group] = append(groups[row.group], row)
	}
	codes = map[int]string{}
	for name, of := range groups {
		slices.SortStableFunc(of, func(a, b tableRow) int { return a.at - b.at })
		invalid := map[int]string{}
		for _, row := range of {
			switch {
			case row.context != of[0].context:
				invalid[row.id] = "GROUP_DIFFERS"
			case row.isInvalid:
				invalid[row.id] = "INT_SYNTAX"
			}
			codes[row.id] = "windows"
		}
		in := map[int]bool{}
		for from := 0; from < len(of); from += stride {
			to := min(from+length, len(of))
			isNew := slices.ContainsFunc(of[from:], func(row tableRow) bool { return !in[row.id] })
			if to-from < length && (last == "drop" || !isNew) {
				break
			}
			w := referenceWindow{group: name, isValid: true}
			for step, row := range of[from:to] {
				code := invalid[row.id]
				if row.badAt == step {
					code = "EXPR_DIVISION"
				}
				if !in[row.id] {
					in[row.id], codes[row.id] = true, cmp.Or(code, "GROUP_ROW")
				}
				w.rows, w.ids, w.isValid = append(w.rows, row.id), strings.TrimSpace(fmt.Sprint(w.ids, " ", row.id)),
					w.isValid && code == ""
			}
			windows = append(windows, w)
			if to-from < length {
				break
			}
		}
	}
	for _, w := range windows {
		for _, id := range w.rows {
			if w.isValid {
				codes[id] = ""
			}
		}
	}
	return windows, codes
}

// TestRowsOfGroupsAreCounted builds random tables with invalid rows, windows, and splits. No window
// crosses a group, no group is in two splits, and each row is counted once.
func TestRowsOfGroupsAreCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	seen := map[string]int{}
	for i := range testenv.Times(5, 60, 2000) {
		dir := t.TempDir()
		positions := i%3 != 0
		list, text := randomRows(r, positions)
		testenv.Put(t, filepath.Join(dir, "t.csv"), text)
		length, stride, last := 1+r.IntN(5), 1+r.IntN(6), []string{"drop", "keep"}[r.IntN(2)]
		windows, codes := referenceOf(list, length, stride, last)
		cfg := fmt.Sprintf("name: d\noutput: out\nsource: {csv: t.csv}\nsplit: {fractions: {train: 60%%, test: "+
			"40%%}}\nrecord: sequence\n"+
			"context: {c: string}\nsequence: {id: int64, x: int64}\non_error: quarantine\nmax_errors: "+
			"100%%\nshards: {count: 2}\n"+
			"group: {by: g, sort: {column: at, type: int64}, windows: {length: %d, stride: %d, last: %s}}\n",
			length, stride, last)
		cfg += []string{"", "order: source\n", "seed: 7\n"}[i%3]
		if positions {
			cfg = strings.Replace(cfg, "id: int64", "id: int64, step: {from: '@step', type: int64}, p: int64", 1) +
				"derive: {p: '@step == int(b) ? 7 % (int(b) - int(b)) : @steps'}\n"
		}
		limit := 0
		if i%4 == 3 {
			limit = 1 + r.IntN(4)
			cfg += fmt.Sprintf("limit: {train: %d, test: %[1]d}\n", limit)
		}
		name := fmt.Sprintf("table %d:\n%s%s", i, cfg, text)
		var out, want string
		var failed error
		for k, w := range everyWay(t) {
			o, err := buildTo(t, load(t, dir, cfg), w)
			if k == 0 {
				out, failed = o, err
				continue
			}
			if (err == nil) != (failed == nil) {
				t.Fatalf("%s%v, %v", name, err, failed)
			}
			if err == nil {
				if want == "" {
					want = tree(t, out)
				}
				if got := tree(t, o); got != want {
					t.Fatalf("%sother bytes:\n%s\nwant\n%s", name, got, want)
				}
			}
		}
		valid := slices.ContainsFunc(windows, func(w referenceWindow) bool { return w.isValid })
		if failed != nil {
			if valid && limit == 0 {
				t.Fatalf("%s%v", name, failed)
			}
			seen["failed"]++
			continue
		}
		byIDs, splits := map[string]referenceWindow{}, map[string]string{}
		left := map[string]bool{}
		for _, w := range windows {
			byIDs[w.ids] = w
			left[w.ids] = w.isValid
		}
		written := map[string]bool{}
		for split, records := range stepsOf(t, out) {
			for _, ids := range records {
				w, ok := byIDs[ids]
				if !ok || !left[ids] {
					t.Fatalf("%sthe record %q is not expected", name, ids)
				}
				left[ids] = false
				if splits[w.group] != "" && splits[w.group] != split {
					t.Fatalf("%sgroup %s is in two splits", name, w.group)
				}
				splits[w.group] = split
				for _, id := range w.rows {
					written[fmt.Sprint(id)] = true
				}
			}
		}
		counts := manifestOf(t, out).Sources[0].Counts
		if counts.Found != int64(len(list)) || counts.Written != int64(len(written)) {
			t.Fatalf("%sfound %d of %d, written %d of %d", name, counts.Found, len(list), counts.Written, len(written))
		}
		if limit > 0 {
			seen["limited"]++
			continue
		}
		for ids, isLeft := range left {
			if isLeft {
				t.Fatalf("%sthe record %q is missing", name, ids)
			}
		}
		rejected, skipped := map[string]int64{}, int64(0)
		for _, code := range codes {
			if code == "windows" {
				skipped++
			} else if code != "" {
				rejected[code]++
				seen[code]++
			}
		}
		if fmt.Sprint(counts.Rejected) != fmt.Sprint(rejected) || counts.Skipped["windows"] != skipped {
			t.Fatalf("%srejected %v, expected %v; skipped %v, expected %d", name, counts.Rejected, rejected,
				counts.Skipped, skipped)
		}
		if found := verifyDeep(t, out); len(found) > 0 {
			t.Fatalf("%sverify: %v", name, found)
		}
	}
	t.Log(seen)
	for _, what := range []string{"GROUP_ROW", "GROUP_DIFFERS", "INT_SYNTAX", "EXPR_DIVISION", "limited"} {
		if seen[what] == 0 {
			t.Errorf("no table has %s: %v", what, seen)
		}
	}
}

// TestGroupsByTasks builds groups by tasks: they are equal to those of one process.
func TestGroupsByTasks(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range testenv.Times(2, 20, 100) {
		dir := t.TempDir()
		_, text := randomRows(r, false)
		testenv.Put(t, filepath.Join(dir, "t.csv"), text)
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: t.csv}\nsplit: {fractions: {train: 60%, test: "+
			"40%}}\nrecord: sequence\n"+
			"context: {c: {type: string, take: first}, n: {from: '@steps', type: int64}, g: {classes: "+
			"auto}}\nsequence: {id: int64, x: {type: int64, missing: 0, null_values: [bad]}}\n"+
			"group: {by: g, sort: {column: at, type: int64}, windows: {length: 3, stride: 2, last: keep}}\nshards: "+
			"{count: 3}\n"+[]string{"", "order: source\n"}[i%2])
		want := tree(t, mustBuild(t, cfg, ways[0]))
		if got := tree(t, droppedByTasks(t, cfg)); got != want {
			t.Errorf("by tasks:\n%s\nwant\n%s", got, want)
		}
	}
}

// TestGroupLimits builds groups beyond each limit: their rows are invalid, and others are written.
func TestGroupLimits(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,x\na,1\nb,2\na,3\na,4\nb,5\nc,6\n"})
	const base = "name: d\noutput: out\nsource: {csv: t.csv}\ngroup: {by: g}\nfeatures: {x: int64}\norder: source\n"
	for limits, want := range map[string]struct{ text, hint string }{
		"{group: 2}": {"t.csv:2:1: the group has 3 rows; limits.group allows 2; its first row is t.csv:2:1; " +
			"the first of 3 such rows [LIMIT_GROUP]", "limits: {group: 3}"},
		"{group: 3, record: 17B}": {"t.csv:2:1: the group has 18 bytes; limits.record allows 17; its first row is " +
			"t.csv:2:1; the first of 3 such rows [LIMIT_GROUP]", "limits: {record: 1MiB}"},
		"{group: 3, record: 64MB}": {},
	} {
		cfg := base + "limits: " + limits + "\n"
		_, err := buildTo(t, load(t, dir, cfg), ways[0])
		if got := strings.Join(linesOf(dir, err), "\n"); got != want.text {
			t.Errorf("%s: %s\nexpected %s", limits, got, want.text)
		}
		if of, ok := errors.AsType[*RowsError](err); want.text != "" && (!ok || of.Hint != want.hint) {
			t.Errorf("%s: %+v\nexpected the hint %s", limits, err, want.hint)
		}
		out := sameEveryWay(t, load(t, dir, cfg+"on_error: quarantine\nmax_errors: 60%\n"))
		counts := manifestOf(t, out).Sources[0].Counts
		if rejected := counts.Rejected["LIMIT_GROUP"]; rejected != map[bool]int64{true: 3}[want.text != ""] ||
			counts.Written+rejected != 6 {
			t.Errorf("%s: %+v", limits, counts)
		}
	}
}

// TestExtremeGroups builds one group of all rows, and a group for each row.
func TestExtremeGroups(t *testing.T) {
	n := testenv.Times(3000, 300_000, 1_000_000)
	var b strings.Builder
	b.WriteString("g,one,x\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,k,%d\n", i, i%7)
	}
	dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
	for by, want := range map[string]int{"one": 1, "g": n} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: t.csv}\nfeatures: {x: int64, same: {from: one, type: "+
			"string, take: last}}\ngroup: {by: "+by+", sort: one}\n")
		out := sameEveryWay(t, cfg)
		m := manifestOf(t, out)
		if m.Groups != int64(want) || m.Splits[0].Records != int64(want) || m.Sources[0].Written != int64(n) {
			t.Errorf("by %s: %d groups, %d records, %d rows", by, m.Groups, m.Splits[0].Records, m.Sources[0].Written)
		}
	}
}

// TestClips builds SequenceExamples of the frames of clips: TensorFlow parses them, and the frames are
// the files.
func TestClips(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	clips, frames := testenv.Times(3, 200, 200), testenv.Times(4, 50, 50)
	for clip := range clips {
		for frame := range frames {
			img := image.NewGray(image.Rect(0, 0, 8, 8))
			img.Pix[0], img.Pix[63] = byte(clip), byte(frame*5)
			var b bytes.Buffer
			if err := jpeg.Encode(&b, img, nil); err != nil {
				t.Fatal(err)
			}
			testenv.Put(t, filepath.Join(dir, "in", fmt.Sprintf("clip%d", clip),
				fmt.Sprintf("%03d.jpg", frame*7%frames)), b.String())
		}
	}
	out := sameEveryWay(t, load(t, dir,
		"name: d\noutput: out\nsource: {images: {dir: in}, from_path: '{clip}/*.jpg'}\nrecord: sequence\nshards: 3\n"+
			"group: {by: clip, sort: filename}\ncontext: {clip: string, frames: {from: '@steps', type: "+
			"int64}}\nsequence: {image: {}}\n"))
	tftest.Run(t, filepath.Join("testdata", "clips.py"), filepath.Join(dir, "in"), out)
}

// TestSortOfNumbers checks a config that sorts numbers as strings: only then check warns.
func TestSortOfNumbers(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,n,s\na,10,x\na,9,1\nb,8,2\n"})
	for sort, want := range map[string]bool{"n": true, "s": false, "{column: n, type: int64}": false} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: t.csv}\ngroup: {by: g, "+
			"sort: "+sort+"}\nfeatures: {n: int64}\n")
		said, run := warnings(Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")})
		if err := Check(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		if p, err := MakePlan(t.Context(), cfg, run); err != nil || p.Groups != 2 || p.Rows != 2 || p.Found != 3 {
			t.Errorf("sort: %s: planned %+v, %v", sort, p, err)
		}
		if got := slices.ContainsFunc(*said, func(text string) bool {
			return strings.HasPrefix(text,
				"group.sort: ")
		}); got != want {
			t.Errorf("sort: %s: warned %v, expected %v: %q", sort, got, want, *said)
		}
	}
}

// TestInvalidRowsAreNotCompared builds a group whose first row has an invalid value of a feature that
// must be equal: the others are compared with the first valid one.
func TestInvalidRowsAreNotCompared(t *testing.T) {
	dir := testenv.Directory(t,
		map[string]string{"t.csv": "g,c,d,id\na,bad,1,1\na,1,,2\na,2,1,3\na,2,1,4\na,3,1,5\na,2,1,6\nb,1,1,7\n"})
	out := sameEveryWay(t, load(t, dir,
		"name: d\noutput: out\nsource: {csv: t.csv}\nrecord: sequence\ncontext: {c: int64, d: int64}\nsequence: {id: "+
			"int64}\n"+
			"group: {by: g, windows: {length: 2, stride: 1, last: keep}}\norder: source\non_error: "+
			"quarantine\nmax_errors: 100%\n"))
	if got := strings.Join(stepsOf(t, out)["train"], ", "); got != "3 4, 7" {
		t.Errorf("records of %s; expected 3 4, 7", got)
	}
	want := "map[GROUP_DIFFERS:2 GROUP_ROW:1 INT_SYNTAX:1]"
	if counts := manifestOf(t, out).Sources[0].Counts; fmt.Sprint(counts.Rejected) != want {
		t.Errorf("rejected %v; expected %s", counts.Rejected, want)
	}
}

// TestRejectsOfGroupsNameFiles checks that the message of a reject names the other row's file as the
// reject names its own, wherever the config is.
func TestRejectsOfGroupsNameFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/t.csv": "g,c\na,1\na,2\nb,1\n"})
	mustBuild(t, load(t, dir, "name: d\noutput: out\nsource: {csv: in/t.csv}\nfeatures: {c: int64, one: {from: c, "+
		"type: int64, take: first}}\nsplit: {column: c, map: {\"1\": train, \"2\": test}}\n"+
		"group: {by: g}\non_error: quarantine\nmax_errors: 100%\nrejects: bad.jsonl\n"), ways[0])
	text, err := os.ReadFile(filepath.Join(dir, "bad.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "the other row is t.csv:2:1\"") || strings.Contains(string(text), dir) {
		t.Errorf("rejects:\n%s", text)
	}
}

// TestSortBeyondIntegers sorts floats from 2^64 on after the largest integers.
func TestSortBeyondIntegers(t *testing.T) {
	rows := ""
	for _, n := range []string{"1e300", "18446744073709551616", "18446744073709551615", "18446744073709551614",
		"1.9e19", "-18446744073709551616", "-9223372036854775808", "-1e300"} {
		rows += fmt.Sprintf("{\"g\": 1, \"n\": %s, \"s\": \"%[1]s\"}\n", n)
	}
	dir := testenv.Directory(t, map[string]string{"t.jsonl": rows})
	out := mustBuild(t, load(t, dir,
		"name: d\noutput: out\nsource: {jsonl: t.jsonl}\ngroup: {by: g, sort: n}\nfeatures: {s: string}\n"), ways[0])
	var got []string
	message.Each(message.Example, []byte(payloadsOf(t, out)["train"][0]), func(_ []byte, f message.Feature) {
		for b := range f.Bytes() {
			got = append(got, string(b))
		}
	})
	want := "-1e300 -18446744073709551616 -9223372036854775808 18446744073709551614 18446744073709551615 " +
		"18446744073709551616 1.9e19 1e300"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("sorted %s\nexpected %s", text, want)
	}
}

// TestShapesOfGroupedRows builds groups whose rows have values of a shape. One number is not a pair, even
// if two of them would be one.
func TestShapesOfGroupedRows(t *testing.T) {
	rows := []string{`{"g": 1, "p": 1}`, `{"g": 1, "p": 2}`, `{"g": 2, "p": [3, 4]}`, `{"g": 2, "p": [5, 6]}`,
		`{"g": 3, "p": [7, 8]}`, `{"g": 3, "p": 9}`, `{"g": 4, "p": [8, 9]}`}
	dir := testenv.Directory(t, map[string]string{"t.jsonl": strings.Join(rows, "\n"),
		"t.csv": "a,b,c,d\n1,2,3,4\n5,6,7,8\n"})
	for source, of := range map[string]struct{ text, want string }{
		"t.jsonl": {"group: {by: g}\nfeatures: {p: {type: int64, shape: [2]}}\n", "3 4 5 6, 8 9"},
		"t.csv": {"set: {g: x}\ngroup: {by: g, windows: {length: 3, last: pad}}\nfeatures: {p: {from: [a, b, c, d], " +
			"type: int64, shape: [2, 2], pad: 0}, one: {from: [a], type: int64, shape: [1], pad: 9}}\n",
			"1 5 9 1 2 3 4 5 6 7 8 0 0 0 0"},
	} {
		kind := strings.TrimPrefix(source, "t.")
		out := sameEveryWay(t, load(t, dir,
			"name: d\noutput: out\norder: source\non_error: quarantine\nmax_errors: 100%\nsource: "+
				"{"+kind+": "+source+"}\n"+of.text))
		if got := strings.Join(idsOf(t, out, "train"), ", "); got != of.want {
			t.Errorf("%s: %s; expected %s", source, got, of.want)
		}
	}
}
